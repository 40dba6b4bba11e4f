/* Exports for the dashboard's API. */

export { revokeLink } from './links/revoke-link.ts';
export { nextPeriods, type Timing } from './periods.ts';
export { reachedMerchants } from './reach.ts';
export { periodText } from './runs/period-text.ts';
export {
  createSchedule,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  retryRun,
  sendNow,
  updateSchedule,
} from './schedules/change-schedules.ts';
export { listIssuedReports } from './schedules/list-issued-reports.ts';
export {
  findScheduleOwner,
  listRuns,
  listSchedules,
  type RunInList,
  type ScheduleInList,
  type ScheduleScope,
} from './schedules/list-schedules.ts';
