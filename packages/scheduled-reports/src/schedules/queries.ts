import type { JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, ReportSchedule } from '@switchyard/db/client';
import type { SchedulesContext } from '../context.ts';

/** Identifies a schedule. */
export interface ScheduleKey {
  /** The nil UUID for all merchants. */
  readonly merchantId: string;
  readonly scheduleId: string;
}

/** Locks a schedule; null when there is none that was not removed. */
export async function lockSchedule(
  transaction: Prisma.TransactionClient,
  { merchantId, scheduleId }: ScheduleKey,
): Promise<ReportSchedule | null> {
  await transaction.$queryRaw`
    SELECT FROM report_schedule WHERE merchant_id = ${merchantId}::uuid AND id = ${scheduleId}::uuid FOR UPDATE`;
  const found = await transaction.reportSchedule.findUnique({ where: { merchantId_id: { merchantId, id: scheduleId } } });
  return found?.removedAt === null ? found : null;
}

/** A schedule as the audit log shows it. Of recipients their number and of filters their names: either may hold a customer's address. */
function forAudit({
  mode,
  name,
  list,
  filter,
  format,
  frequency,
  hour,
  timeZone,
  recipients,
  pause,
  ownerId,
}: ReportSchedule): JsonValue {
  const what = { mode, name, list, filters: namesIn(filter), format };
  return { ...what, frequency, hour, timeZone, recipients: recipients.length, pause, owner: ownerId };
}

function namesIn(filter: unknown): string[] {
  return typeof filter === 'object' && filter !== null ? Object.keys(filter) : [];
}

/** Records a change of a schedule in its merchant's chain, or the workspace's. */
export async function auditSchedule(
  { resources, newId, now }: SchedulesContext,
  transaction: Prisma.TransactionClient,
  change: {
    readonly action: string;
    readonly actor: string;
    readonly before: ReportSchedule | null;
    readonly after: ReportSchedule;
  },
): Promise<void> {
  const { before, after } = change;
  const entry = {
    tenantId: after.merchantId,
    entryId: newId(),
    actor: change.actor,
    action: `report_schedule.${change.action}`,
    objectType: 'report_schedule',
    objectId: after.id,
    before: before && forAudit(before),
    after: forAudit(after),
  };
  await appendAuditEntry(transaction, resources.auditKeys, entry, now());
}

/** Schedules of one merchant, or of the workspace. */
export const SCHEDULES_OF_MERCHANT_MAX = 50;
