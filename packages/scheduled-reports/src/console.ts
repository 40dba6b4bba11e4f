/* Exports for the dashboard's API. */
import { appendAuditEntry } from '@switchyard/db/audit';
import type { SchedulesContext } from './context.ts';
import type { RunKey } from './runs/queue-run.ts';

export { reachedMerchants } from './lists.ts';
export { nextPeriods, periodText, type Timing } from './periods.ts';
export {
  createSchedule,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  retryRun,
  sendNow,
  updateSchedule,
} from './schedules/change-schedules.ts';
export {
  findScheduleOwner,
  listIssuedReports,
  listRuns,
  listSchedules,
  type RunInList,
  type ScheduleInList,
  type ScheduleScope,
} from './schedules/list-schedules.ts';

/** Ends the link to a run's file for good. */
export async function revokeLink(
  { resources, now, newId }: SchedulesContext,
  { merchantId, runId, actor }: RunKey & { readonly actor: string },
): Promise<{ readonly kind: 'revoked' | 'not_found' }> {
  return resources.database.prisma.$transaction(async (transaction) => {
    const at = now();
    const where = { merchantId, id: runId, linkHash: { not: null }, linkRevokedAt: null };
    const [run] = await transaction.reportRun.updateManyAndReturn({ where, data: { linkRevokedAt: at, updatedAt: at } });
    if (run === undefined) return { kind: 'not_found' };
    const object = { objectType: 'report_schedule', objectId: run.scheduleId, before: null, after: { runId } };
    const entry = { tenantId: merchantId, entryId: newId(), actor, action: 'report.link_revoked', ...object };
    await appendAuditEntry(transaction, resources.auditKeys, entry, at);
    return { kind: 'revoked' };
  });
}
