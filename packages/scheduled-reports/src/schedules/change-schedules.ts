import { NIL_ID } from '@switchyard/db';
import type { Mode, ReportSchedule } from '@switchyard/db/client';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { dateOf, dayText } from '@switchyard/runtime/calendar-days';
import { z } from 'zod';
import type { SchedulesContext } from '../context.ts';
import { PAUSED } from '../failures.ts';
import { LINK_LIFE_MS } from '../links/links.ts';
import { LISTS } from '../lists.ts';
import { lastFinished, nextPeriod, periodOf } from '../periods.ts';
import { queueRun, type RunKey } from '../runs/queue-run.ts';
import { scheduleFields } from '../schedule-fields.ts';
import { auditSchedule, lockSchedule, SCHEDULES_OF_MERCHANT_MAX, type ScheduleKey } from './queries.ts';

const scheduleSchema = z.object(scheduleFields);

/** The person who changes a schedule: from then on it may see what they may see. */
interface Person {
  readonly staffId: string;
}

/** Asks to add a schedule. The caller may export the list of the merchant, or of any with the nil UUID. */
export interface CreateScheduleCommand extends Person {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly list: string;
  /** The filter of the list's page. Merchants, mode and times in it are left out. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly fields: unknown;
}

/** The schedule, or why it was not added. */
export type CreateScheduleOutcome =
  | { readonly kind: 'created'; readonly scheduleId: string }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many'; readonly limit: number };

/** Adds a schedule. Its first period is the one that lasts, or one that is over and due later today. */
export async function createSchedule(context: SchedulesContext, command: CreateScheduleCommand): Promise<CreateScheduleOutcome> {
  const { merchantId, mode, list, staffId } = command;
  const parsed = scheduleSchema.safeParse(command.fields);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const filter = storedFilter(command);
  if ('problem' in filter) return { kind: 'invalid', problems: [{ field: 'filter', message: filter.problem }] };
  const fields = parsed.data;
  return context.resources.database.prisma.$transaction(async (transaction): Promise<CreateScheduleOutcome> => {
    const now = context.now();
    const count = await transaction.reportSchedule.count({ where: { merchantId, removedAt: null } });
    if (count >= SCHEDULES_OF_MERCHANT_MAX) return { kind: 'too_many', limit: SCHEDULES_OF_MERCHANT_MAX };
    const next = nextPeriod(now, fields);
    const actor = `staff:${staffId}`;
    const after = await transaction.reportSchedule.create({
      data: {
        ...fields,
        merchantId,
        id: context.newId(),
        mode,
        list,
        filter: filter.json,
        ownerId: staffId,
        nextDay: dateOf(next.firstDay),
        nextDueAt: next.dueAt,
        createdBy: actor,
        createdAt: now,
        updatedAt: now,
      },
    });
    await auditSchedule(context, transaction, { action: 'created', actor, before: null, after });
    return { kind: 'created', scheduleId: after.id };
  });
}

/** The filter without what the schedule says itself, or what is wrong with it. */
function storedFilter({ list, mode, filter }: Pick<CreateScheduleCommand, 'list' | 'mode' | 'filter'>) {
  const known = Object.hasOwn(LISTS, list) ? LISTS[list] : undefined;
  if (known === undefined) return { problem: 'must be of a known list' };
  const left = new Set(['merchantIds', 'mode', ...known.periodFields]);
  const own = Object.fromEntries(Object.entries(filter).filter(([name]) => !left.has(name)));
  const requested = known.read({ ...own, mode, merchantIds: [] });
  return 'problem' in requested ? { problem: requested.problem } : { json: JSON.parse(JSON.stringify(own)) };
}

/** Result of changing a schedule, or the reason why it was refused. */
export type ChangeScheduleOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/**
 * Changes a schedule. At another hour or in another zone it goes on with the same period; with another frequency it begins with the period
 * that lasts.
 */
export async function updateSchedule(
  context: SchedulesContext,
  { fields, ...command }: ScheduleKey & Person & { readonly fields: unknown },
): Promise<ChangeScheduleOutcome> {
  const parsed = scheduleSchema.safeParse(fields);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  return change(context, command, 'updated', (before, now) => {
    const next =
      parsed.data.frequency === before.frequency ? periodOf(dayText(before.nextDay), parsed.data) : nextPeriod(now, parsed.data);
    return { ...parsed.data, nextDay: dateOf(next.firstDay), nextDueAt: next.dueAt };
  });
}

/** Makes no reports of a schedule until it is resumed, and sends none that waits for another try. Those that people request are made. */
export function pauseSchedule(context: SchedulesContext, command: ScheduleKey & Person): Promise<ChangeScheduleOutcome> {
  const { merchantId, scheduleId } = command;
  return change(context, command, 'paused', (before, now) => ({ pausedAt: before.pausedAt ?? now, pause: 'person' as const }), {
    keepsOwner: true,
    async also(transaction, now) {
      await transaction.reportRun.updateMany({
        where: { merchantId, scheduleId, requestId: NIL_ID, nextAttemptAt: { not: null } },
        data: { state: 'FAILED', error: PAUSED, nextAttemptAt: null, updatedAt: now },
      });
    },
  });
}

/** Makes reports again, from the period on that lasts. */
export function resumeSchedule(context: SchedulesContext, command: ScheduleKey & Person): Promise<ChangeScheduleOutcome> {
  return change(context, command, 'resumed', (before, now) => {
    const next = nextPeriod(now, before);
    return { pausedAt: null, pause: null, nextDay: dateOf(next.firstDay), nextDueAt: next.dueAt };
  });
}

/** Removes a schedule, with its files and links. Its runs stay in the audit log. */
export async function removeSchedule(context: SchedulesContext, command: ScheduleKey & Person): Promise<ChangeScheduleOutcome> {
  const { merchantId, scheduleId } = command;
  return change(context, command, 'removed', (_, now) => ({ removedAt: now }), {
    keepsOwner: true,
    async also(transaction) {
      const runs = await transaction.reportRun.findMany({ where: { merchantId, scheduleId }, select: { id: true } });
      await transaction.reportFile.deleteMany({ where: { merchantId, runId: { in: runs.map(({ id }) => id) } } });
    },
  });
}

type Transaction = Parameters<Parameters<SchedulesContext['resources']['database']['prisma']['$transaction']>[0]>[0];

async function change(
  context: SchedulesContext,
  { staffId, ...key }: ScheduleKey & Person,
  action: string,
  changesOf: (before: ReportSchedule, now: Date) => Partial<Omit<ReportSchedule, 'filter'>>,
  {
    keepsOwner = false,
    also,
  }: { readonly keepsOwner?: boolean; readonly also?: (transaction: Transaction, now: Date) => Promise<void> } = {},
): Promise<ChangeScheduleOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction): Promise<ChangeScheduleOutcome> => {
    const now = context.now();
    const before = await lockSchedule(transaction, key);
    if (before === null) return { kind: 'not_found' };
    const after = await transaction.reportSchedule.update({
      where: { merchantId_id: { merchantId: key.merchantId, id: key.scheduleId } },
      data: { ...changesOf(before, now), ...(!keepsOwner && { ownerId: staffId }), updatedAt: now },
    });
    await also?.(transaction, now);
    await auditSchedule(context, transaction, { action, actor: `staff:${staffId}`, before, after });
    return { kind: 'changed' };
  });
}

/** Makes and sends the report of the last period that is over, beside the one of the schedule. */
export async function sendNow(
  context: SchedulesContext,
  { staffId, ...key }: ScheduleKey & Person,
): Promise<{ readonly kind: 'queued'; readonly runId: string } | { readonly kind: 'not_found' }> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const schedule = await lockSchedule(transaction, key);
    if (schedule === null) return { kind: 'not_found' };
    const { merchantId, scheduleId } = key;
    const { firstDay, lastDay } = lastFinished(now, schedule);
    const actor = `staff:${staffId}`;
    const run = { merchantId, id: context.newId(), scheduleId, requestId: context.newId(), requestedBy: actor };
    await transaction.reportRun.create({
      data: {
        ...run,
        firstDay: dateOf(firstDay),
        lastDay: dateOf(lastDay),
        state: 'PENDING',
        nextAttemptAt: now,
        createdAt: now,
        updatedAt: now,
      },
    });
    await queueRun(transaction, { merchantId, runId: run.id });
    await auditSchedule(context, transaction, { action: 'sent_now', actor, before: schedule, after: schedule });
    return { kind: 'queued', runId: run.id };
  });
}

/** Tries a run again that failed for good. The link to its file works as long as a new one. */
export async function retryRun(
  context: SchedulesContext,
  { merchantId, runId, staffId }: RunKey & Person,
): Promise<{ readonly kind: 'queued' } | { readonly kind: 'not_found' }> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const run = await transaction.reportRun.findUnique({ where: { merchantId_id: { merchantId, id: runId } } });
    const schedule = run && (await lockSchedule(transaction, { merchantId, scheduleId: run.scheduleId }));
    if (run === null || schedule === null) return { kind: 'not_found' };
    const file = await transaction.reportFile.count({ where: { merchantId, runId } });
    const { count } = await transaction.reportRun.updateMany({
      where: { merchantId, id: runId, state: 'FAILED' },
      data: {
        state: file === 0 ? 'PENDING' : 'MADE',
        attempts: 0,
        error: null,
        nextAttemptAt: now,
        updatedAt: now,
        ...(run.linkHash !== null && { linkExpiresAt: new Date(now.getTime() + LINK_LIFE_MS) }),
      },
    });
    if (count === 0) return { kind: 'not_found' };
    await queueRun(transaction, { merchantId, runId });
    await auditSchedule(context, transaction, {
      action: 'retried',
      actor: `staff:${staffId}`,
      before: schedule,
      after: schedule,
    });
    return { kind: 'queued' };
  });
}
