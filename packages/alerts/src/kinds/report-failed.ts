import { NIL_ID } from '@switchyard/db';
import { failureText, listFailedReports } from '@switchyard/scheduled-reports/failures';
import { z } from 'zod';
import { incidentKind } from './kind.ts';

/** Scheduled reports whose last try failed, and schedules that are paused because their owner lost rights: a condition each. */
export const reportFailed = incidentKind({
  title: 'Scheduled report failed',
  severity: 'warning',
  permission: 'report:export',
  sendsRecovery: true,
  /** A scheduled report; `error` is the code of its last failure. */
  facts: z.object({ of: z.literal('report'), scheduleId: z.string(), name: z.string(), error: z.string() }),
  async find({ resources }, { merchantIds, workspace }) {
    const scoped = merchantIds === null ? null : [...merchantIds, ...(workspace ? [NIL_ID] : [])];
    const failed = await listFailedReports(resources.database, scoped);
    return failed.map(({ merchantId, scheduleId, mode, name, error, since }) => ({
      merchantId,
      mode,
      kind: 'report_failed' as const,
      subject: scheduleId,
      since,
      facts: { of: 'report' as const, scheduleId, name, error },
    }));
  },
  describe: ({ scheduleId, name, error }, { ended }) => ({
    title: `Report "${name}" was not generated`,
    why: `${failureText(error)}${ended ? '' : ' It is not sent until someone acts.'}`,
    figures: [],
    action: { path: '/reports/scheduled', query: { schedule: scheduleId }, label: 'View report', needs: 'report:export' },
  }),
});
