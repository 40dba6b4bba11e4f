import { isUuid } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Incident, IncidentKind, Prisma } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { listAllChannels } from '../channels/queries.ts';
import type { AlertsContext } from '../context.ts';
import { type Mute, planNotifications } from '../notifications/plan-notifications.ts';
import { insertNotifications, listIncidentNotifications, listMutes } from '../notifications/queries.ts';

export { countNotifications, listNotifications, type NotificationInList } from '../notifications/queries.ts';
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

const NOTES_MAX = 500;

/** An incident, by its merchant: the nil UUID for the workspace's. */
interface IncidentKey {
  readonly merchantId: string;
  readonly incidentId: string;
}

export interface IncidentNote {
  readonly noteId: string;
  readonly text: string;
  /** Null where the author no longer exists. */
  readonly authorName: string | null;
  readonly createdAt: Date;
}

/** Conclusions from an incident: its cause, and the measures taken. */
export interface PostMortem {
  readonly text: string;
  /** Raised by every change, so that a concurrent one is noticed. */
  readonly revision: number;
  readonly updatedByName: string | null;
  readonly updatedAt: Date;
}

/** Notes and post-mortem of an incident. */
export interface IncidentWriting {
  /** The first 500, in the order in which they were written. */
  readonly notes: readonly IncidentNote[];
  /** Null before one was written. */
  readonly postMortem: PostMortem | null;
}

/** The notes on an incident and its post-mortem. */
export async function readIncidentWriting(
  { resources }: AlertsContext,
  { merchantId, incidentId }: IncidentKey,
): Promise<IncidentWriting> {
  const { database } = resources;
  const [rows, written] = await Promise.all([
    database.prisma.incidentNote.findMany({
      where: { merchantId, incidentId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: NOTES_MAX,
    }),
    database.prisma.incidentPostMortem.findUnique({ where: { merchantId_incidentId: { merchantId, incidentId } } }),
  ]);
  const actors = [...rows.map(({ author }) => author), ...(written === null ? [] : [written.updatedBy])];
  const names = await readStaffNames(database, actors.map(staffIdOf));
  const nameOf = (actor: string) => names.get(staffIdOf(actor)) ?? null;
  return {
    notes: rows.map(({ id, text, author, createdAt }) => ({ noteId: id, text, authorName: nameOf(author), createdAt })),
    postMortem:
      written === null
        ? null
        : {
            text: written.text,
            revision: written.revision,
            updatedByName: nameOf(written.updatedBy),
            updatedAt: written.updatedAt,
          },
  };
}

/** A note to add to an incident: 1 to 2,000 characters. */
export interface AddIncidentNoteCommand extends IncidentKey {
  readonly text: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** `not_found` where the merchant has no such incident. */
export type AddIncidentNoteOutcome = { readonly kind: 'added'; readonly noteId: string } | { readonly kind: 'not_found' };

/** Adds a note to an incident. Notes are never changed. */
export async function addIncidentNote(
  context: AlertsContext,
  { merchantId, incidentId, text, actor }: AddIncidentNoteCommand,
): Promise<AddIncidentNoteOutcome> {
  const noteId = context.newId();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    if (!(await hasIncident(transaction, { merchantId, incidentId }))) return { kind: 'not_found' };
    const now = context.now();
    await transaction.incidentNote.create({ data: { merchantId, id: noteId, incidentId, text, author: actor, createdAt: now } });
    const object = { objectType: 'incident', objectId: incidentId, before: null, after: { noteId } };
    const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'incident.noted', ...object };
    await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
    return { kind: 'added', noteId };
  });
}

/** A change of the post-mortem of an incident. */
export interface WritePostMortemCommand extends IncidentKey {
  /** At most 20,000 characters. */
  readonly text: string;
  /** The revision that the change is based on; 0 where there was none. */
  readonly revision: number;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** `changed_meanwhile`: another person changed it since the revision. */
export type WritePostMortemOutcome =
  | { readonly kind: 'written'; readonly revision: number }
  | { readonly kind: 'changed_meanwhile' | 'not_found' };

/** Writes the post-mortem of an incident in place of the one before, which the audit log keeps. */
export async function writePostMortem(
  context: AlertsContext,
  { merchantId, incidentId, text, revision, actor }: WritePostMortemCommand,
): Promise<WritePostMortemOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    // The incident is locked, so that of two who write the first one wins.
    if (!(await hasIncident(transaction, { merchantId, incidentId }))) return { kind: 'not_found' };
    const now = context.now();
    const key = { merchantId_incidentId: { merchantId, incidentId } };
    const before = await transaction.incidentPostMortem.findUnique({ where: key });
    if ((before?.revision ?? 0) !== revision) return { kind: 'changed_meanwhile' };
    const data = { text, revision: revision + 1, updatedBy: actor, updatedAt: now };
    if (before === null) await transaction.incidentPostMortem.create({ data: { merchantId, incidentId, ...data } });
    else await transaction.incidentPostMortem.update({ where: key, data });
    const states = { before: before === null ? null : { text: before.text }, after: { text } };
    const what = { action: 'incident.post_mortem_changed', objectType: 'incident', objectId: incidentId };
    const entry = { tenantId: merchantId, entryId: context.newId(), actor, ...what, ...states };
    await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
    return { kind: 'written', revision: revision + 1 };
  });
}

/** True if the merchant has the incident, which is then locked until the end of the transaction. */
async function hasIncident(transaction: Prisma.TransactionClient, { merchantId, incidentId }: IncidentKey): Promise<boolean> {
  if (!isUuid(merchantId) || !isUuid(incidentId)) return false;
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM incident WHERE merchant_id = ${merchantId}::uuid AND id = ${incidentId}::uuid FOR UPDATE`;
  return rows.length > 0;
}

function staffIdOf(actor: string): string {
  return actor.startsWith('staff:') ? actor.slice('staff:'.length) : '';
}
