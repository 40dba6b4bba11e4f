import { isUuid } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Incident, IncidentKind, Prisma } from '@switchyard/db/client';
import { listAllChannels } from '../channels/queries.ts';
import type { AlertsContext } from '../context.ts';
import { type Mute, planNotifications } from '../notifications/plan-notifications.ts';
import { insertNotifications, listIncidentNotifications, listMutes } from '../notifications/queries.ts';

export { countNotifications, listNotifications, type NotificationInList } from '../notifications/list-notifications.ts';
export { addIncidentNote, readIncidentWriting, writePostMortem } from './incident-notes.ts';
export { CLOSED_ORDERS, countClosed, findIncident, type IncidentInList, listClosed } from './list-incidents.ts';
export { type CurrentOutage, type OutageAccount, readCurrentOutage } from './read-current-outage.ts';

/** Most hours that something is muted at once. */
export const MUTE_HOURS_MAX = 24 * 14;

interface IncidentCommand {
  /** The nil UUID for the workspace's. */
  readonly merchantId: string;
  readonly incidentId: string;
  readonly actor: string;
}

/** Result of changing an incident. `unchanged`: it is closed, or it was so already. */
type ChangeIncidentOutcome = { readonly kind: 'changed' | 'unchanged' | 'not_found' };

/** Acknowledges an open incident: it does not escalate any more. */
export function acknowledgeIncident(context: AlertsContext, command: IncidentCommand): Promise<ChangeIncidentOutcome> {
  return changeIncident(context, command, async (transaction, incident, now) => {
    if (incident.closedAt !== null || incident.acknowledgedAt !== null) return null;
    const after = await update(transaction, incident, { acknowledgedAt: now, acknowledgedBy: command.actor }, now);
    const channels = await listAllChannels(transaction);
    const notifications = await listIncidentNotifications(transaction, [incident]);
    const plan = planNotifications([{ incident: after, event: 'acknowledged' }], { channels, mutes: [], notifications, now });
    await insertNotifications(transaction, plan, now);
    return { action: 'incident.acknowledged', after: { kind: incident.kind, subject: incident.subject } };
  });
}

/** Sends no messages about an open incident for some hours; with 0, sends them again. */
export function muteIncident(
  context: AlertsContext,
  command: IncidentCommand & { readonly hours: number },
): Promise<ChangeIncidentOutcome> {
  return changeIncident(context, command, async (transaction, incident, now) => {
    if (incident.closedAt !== null) return null;
    const mutedUntil = untilOf(command.hours, now);
    await update(transaction, incident, { mutedUntil }, now);
    const action = mutedUntil === null ? 'incident.unmuted' : 'incident.muted';
    return { action, after: { kind: incident.kind, subject: incident.subject, until: mutedUntil?.toISOString() ?? null } };
  });
}

/** Sends no messages about incidents of a kind for some hours; with 0, sends them again. */
export async function muteKind(
  context: AlertsContext,
  command: { readonly merchantId: string; readonly kind: IncidentKind; readonly hours: number; readonly actor: string },
): Promise<void> {
  const { merchantId, kind, hours, actor } = command;
  await context.resources.database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const mutedUntil = untilOf(hours, now);
    if (mutedUntil === null) await transaction.incidentMute.deleteMany({ where: { merchantId, kind } });
    else {
      const data = { mutedUntil, createdAt: now };
      await transaction.incidentMute.upsert({
        where: { merchantId_kind: { merchantId, kind } },
        create: { merchantId, kind, ...data },
        update: data,
      });
    }
    const what = {
      action: mutedUntil === null ? 'incident_kind.unmuted' : 'incident_kind.muted',
      objectType: 'incident_kind',
      objectId: kind,
    };
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor,
      ...what,
      before: null,
      after: { until: mutedUntil?.toISOString() ?? null },
    };
    await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
  });
}

type Done = { readonly action: string; readonly after: Readonly<Record<string, string | null>> } | null;

async function changeIncident(
  context: AlertsContext,
  { merchantId, incidentId, actor }: IncidentCommand,
  change: (transaction: Prisma.TransactionClient, incident: Incident, now: Date) => Promise<Done>,
): Promise<ChangeIncidentOutcome> {
  if (!isUuid(merchantId) || !isUuid(incidentId)) return { kind: 'not_found' };
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    await transaction.$queryRaw`
      SELECT id FROM incident WHERE merchant_id = ${merchantId}::uuid AND id = ${incidentId}::uuid FOR UPDATE`;
    const incident = await transaction.incident.findUnique({ where: { merchantId_id: { merchantId, id: incidentId } } });
    if (incident === null) return { kind: 'not_found' };
    const done = await change(transaction, incident, now);
    if (done === null) return { kind: 'unchanged' };
    const what = { action: done.action, objectType: 'incident', objectId: incidentId, before: null, after: done.after };
    await appendAuditEntry(
      transaction,
      context.resources.auditKeys,
      { tenantId: merchantId, entryId: context.newId(), actor, ...what },
      now,
    );
    return { kind: 'changed' };
  });
}

function update(
  transaction: Prisma.TransactionClient,
  { merchantId, id }: Incident,
  data: Prisma.IncidentUpdateInput,
  now: Date,
): Promise<Incident> {
  return transaction.incident.update({ where: { merchantId_id: { merchantId, id } }, data: { ...data, updatedAt: now } });
}

function untilOf(hours: number, now: Date): Date | null {
  return hours <= 0 ? null : new Date(now.getTime() + Math.min(hours, MUTE_HOURS_MAX) * 3_600_000);
}

/** Kinds that are muted now for these merchants; those muted for all have the nil UUID. */
export async function listMutedKinds(context: AlertsContext, merchantIds: readonly string[]): Promise<Mute[]> {
  const mutes = await listMutes(context.resources.database.prisma, context.now());
  return mutes.filter(({ merchantId }) => merchantIds.includes(merchantId));
}
