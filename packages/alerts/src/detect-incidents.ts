import { NIL_ID } from '@switchyard/db';
import type { Incident } from '@switchyard/db/client';
import { listGrants } from '@switchyard/staff/grants';
import { createChannel } from './channels/change-channels.ts';
import { listAllChannels } from './channels/queries.ts';
import type { ChannelsContext, DetectionContext } from './context.ts';
import { findConditions } from './findings/find.ts';
import { decideIncidents } from './incidents/decide-incidents.ts';
import { drawIncidentCharts } from './incidents/draw-charts.ts';
import { accountsOfIncident, endIncidentAccounts, insertIncidentAccounts } from './incidents/incident-accounts.ts';
import {
  closeIncident,
  findIncidents,
  insertIncident,
  listOpenIncidents,
  listUnacknowledged,
  updateOpenIncident,
} from './incidents/list-incidents.ts';
import { readFacts } from './kinds/kinds.ts';
import { type IncidentChange, planEscalations, planNotifications } from './notifications/plan-notifications.ts';
import { insertNotifications, listIncidentNotifications, listMutes } from './notifications/queries.ts';

const TRANSACTION_TIMEOUT_MS = 20_000;

/**
 * Compares what is wrong now with the open incidents, opens and closes them, and queues the messages about it and those that escalate,
 * in one transaction; then draws their charts. Of several processes one does it at a time. Returns how many incidents were opened and closed.
 */
export async function detectIncidents(context: DetectionContext): Promise<{ readonly opened: number; readonly closed: number }> {
  await ensureDefaultChannel(context);
  const observation = await findConditions(context, null, context.now());
  const counts = await context.resources.database.prisma.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('incidents', 0))`;
      const now = context.now();
      const { open, close, update, worse } = decideIncidents(await listOpenIncidents(transaction), observation, now);
      const changes: IncidentChange[] = [];
      // Closed first: an incident may give way to another of the same key.
      for (const { incident, reason } of close) {
        const closed = await closeIncident(transaction, incident, reason, now);
        await endIncidentAccounts(transaction, accountsOf(closed), now);
        changes.push({ incident: closed, event: reason === 'absorbed' ? 'absorbed' : 'recovered' });
      }
      for (const incident of update) {
        await updateOpenIncident(transaction, incident, now);
        // A correlated outage may have another account by now.
        await insertIncidentAccounts(transaction, accountsOfIncident(incident));
      }
      for (const condition of open) {
        const incident = await insertIncident(transaction, context.newId(), condition, now);
        await insertIncidentAccounts(transaction, accountsOf(incident));
        changes.push({ incident, event: 'opened' });
      }
      // A channel that got this message does not get it again.
      for (const incident of await findIncidents(transaction, worse)) changes.push({ incident, event: 'opened' });
      const channels = await listAllChannels(transaction);
      const mutes = await listMutes(transaction, now);
      const notifications = await listIncidentNotifications(
        transaction,
        changes.map(({ incident }) => incident),
      );
      await insertNotifications(transaction, planNotifications(changes, { channels, mutes, notifications, now }), now);
      if (channels.some(({ escalateToId }) => escalateToId !== null)) {
        const waiting: Incident[] = await listUnacknowledged(transaction);
        const notificationsOfWaiting = await listIncidentNotifications(transaction, waiting);
        const planned = planEscalations(waiting, { channels, mutes, notifications: notificationsOfWaiting, now });
        await insertNotifications(transaction, { planned, skip: [] }, now);
      }
      return { opened: open.length, closed: close.length };
    },
    { timeout: TRANSACTION_TIMEOUT_MS },
  );
  // An incident without a chart is still found and announced.
  await drawIncidentCharts(context).catch((error: unknown) => context.onError(error, 'drawing the charts of incidents'));
  return counts;
}

function accountsOf(incident: Incident) {
  return accountsOfIncident({ ...incident, incidentId: incident.id, facts: readFacts(incident.facts) });
}

/**
 * Gives the workspace an e-mail channel to its first owner while it has never had a channel, so that alerts are sent from the
 * beginning. Does nothing before there is an owner. Called by one process at a time.
 */
async function ensureDefaultChannel(context: ChannelsContext): Promise<void> {
  const { prisma } = context.resources.database;
  if ((await prisma.notificationChannel.count({ where: { merchantId: NIL_ID } })) > 0) return;
  const grants = await listGrants(context, { merchantId: null });
  const [owner] = grants
    .filter(({ role }) => role === 'owner')
    .toSorted((left, right) => left.grantedAt.getTime() - right.grantedAt.getTime());
  if (owner === undefined) return;
  await createChannel(context, {
    merchantId: NIL_ID,
    target: { kind: 'email', to: [owner.email] },
    settings: { name: 'First owner', modes: ['live'] },
    actor: 'system:alerts',
  });
}
