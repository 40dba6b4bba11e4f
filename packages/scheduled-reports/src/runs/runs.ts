import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, ReportSchedule } from '@switchyard/db/client';
import { dateOf, dayText } from '@switchyard/runtime/calendar-days';
import type { SchedulesContext } from '../context.ts';
import { duePeriods } from '../periods.ts';
import { queueRun } from './queue-run.ts';

export type { RunsContext } from '../context.ts';
export { makeReport } from './make-report.ts';

const SCHEDULES_MAX = 50;
const RUNS_MAX = 100;

/**
 * Plans a run for each period that is over and due, of each schedule that is not paused: a row that no other process plans again. Of the
 * periods that were missed the latest seven. Then queues the runs that are due and have no job, such as those of a worker that died.
 */
export async function planRuns(context: SchedulesContext): Promise<void> {
  for (let planned = SCHEDULES_MAX; planned === SCHEDULES_MAX; ) planned = await planSome(context);
  const { prisma } = context.resources.database;
  const now = context.now();
  const due = await prisma.reportRun.findMany({
    where: { nextAttemptAt: { lte: now } },
    orderBy: { nextAttemptAt: 'asc' },
    select: { merchantId: true, id: true },
    take: RUNS_MAX,
  });
  for (const { merchantId, id: runId } of due) await queueRun(prisma, { merchantId, runId });
}

/** Plans the runs of some schedules in one transaction; returns of how many. */
function planSome(context: SchedulesContext): Promise<number> {
  const now = context.now();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const locked = await transaction.$queryRaw<{ merchantId: string; id: string }[]>`
      SELECT merchant_id AS "merchantId", id FROM report_schedule
      WHERE next_due_at <= ${now}::timestamptz AND paused_at IS NULL AND removed_at IS NULL
      ORDER BY next_due_at LIMIT ${SCHEDULES_MAX} FOR UPDATE SKIP LOCKED`;
    for (const { merchantId, id } of locked) {
      const schedule = await transaction.reportSchedule.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id } } });
      await planSchedule(context, transaction, schedule, now);
    }
    return locked.length;
  });
}

async function planSchedule(
  { resources, newId }: SchedulesContext,
  transaction: Prisma.TransactionClient,
  schedule: ReportSchedule,
  now: Date,
): Promise<void> {
  const { merchantId, id: scheduleId } = schedule;
  const { due, skipped, next } = duePeriods(dayText(schedule.nextDay), now, schedule);
  for (const { firstDay, lastDay } of due) {
    const run = { merchantId, id: newId(), scheduleId, firstDay: dateOf(firstDay), lastDay: dateOf(lastDay), requestId: NIL_ID };
    const times = { nextAttemptAt: now, createdAt: now, updatedAt: now };
    const { count } = await transaction.reportRun.createMany({
      data: [{ ...run, ...times, state: 'PENDING' }],
      skipDuplicates: true,
    });
    if (count === 1) await queueRun(transaction, { merchantId, runId: run.id });
  }
  await transaction.reportSchedule.update({
    where: { merchantId_id: { merchantId, id: scheduleId } },
    data: { nextDay: dateOf(next.firstDay), nextDueAt: next.dueAt },
  });
  if (skipped === 0) return;
  const object = { objectType: 'report_schedule', objectId: scheduleId, before: null, after: { skipped } };
  const entry = {
    tenantId: merchantId,
    entryId: newId(),
    actor: 'system:reports',
    action: 'report_schedule.periods_skipped',
    ...object,
  };
  await appendAuditEntry(transaction, resources.auditKeys, entry, now);
}
