import { NIL_ID } from '@switchyard/db';
import { countOverdueJobs } from '@switchyard/db/process';
import { countOverduePayments } from '@switchyard/payments/sweeping';
import type { HealthContext } from '@switchyard/provider-health';
import { listFailedReports } from '@switchyard/scheduled-reports/failures';
import { listNewSignInPlaces } from '@switchyard/staff/sessions';
import { countOverdueDeliveries } from '@switchyard/webhooks/deliveries';
import type { FactsOf } from './facts.ts';
import type { Condition, ConditionQuery } from './finding.ts';
import { KINDS } from './kinds.ts';

/** Waiting time without a process beginning the work, beyond which it is a backlog. */
export const BACKLOG_MS = 5 * 60_000;
/** For how long a sign-in from a new location is shown as open. */
const SIGN_IN_SHOWN_MS = 24 * 3_600_000;

/** A condition of no mode is recorded as live. */
const WORKSPACE = { merchantId: NIL_ID, mode: 'live', opens: true } as const;

/** Payments, jobs and deliveries that are overdue because the workers are falling behind. */
export async function backlogConditions({ resources }: HealthContext, { workspace, now }: ConditionQuery): Promise<Condition[]> {
  if (!workspace) return [];
  const { database } = resources;
  const dueBefore = new Date(now.getTime() - BACKLOG_MS);
  const [payments, jobs, deliveries] = await Promise.all([
    countOverduePayments(database, dueBefore),
    countOverdueJobs(database, BACKLOG_MS),
    countOverdueDeliveries(database, dueBefore),
  ]);
  return [
    ...backlogCondition('payments', payments),
    ...backlogCondition('jobs', jobs),
    ...backlogCondition('deliveries', deliveries),
  ];
}

function backlogCondition(
  what: FactsOf<'backlog'>['what'],
  { count, oldestAt }: { readonly count: number; readonly oldestAt: Date | null },
): Condition[] {
  if (oldestAt === null) return [];
  const facts = { of: 'backlog', what, count, oldestAt: oldestAt.toISOString() } as const;
  return [{ ...WORKSPACE, kind: 'backlog', subject: what, severity: KINDS.backlog.severity, since: oldestAt, facts }];
}

/** Sign-ins of the last day from addresses that the person had not used before. */
export async function signInConditions({ resources }: HealthContext, { workspace, now }: ConditionQuery): Promise<Condition[]> {
  if (!workspace) return [];
  const found = await listNewSignInPlaces(resources.database, new Date(now.getTime() - SIGN_IN_SHOWN_MS));
  return found.map(({ staffId, name, address, with: way, at }) => ({
    ...WORKSPACE,
    kind: 'sign_in_from_new_place',
    subject: `${staffId} ${address}`,
    severity: KINDS.sign_in_from_new_place.severity,
    since: at,
    facts: { of: 'sign_in', name, address, with: way, at: at.toISOString() },
  }));
}

/** Scheduled reports whose last try failed, and schedules that are paused because their owner lost rights: a condition each. */
export async function reportConditions(
  { resources }: HealthContext,
  { merchantIds, workspace }: ConditionQuery,
): Promise<Condition[]> {
  const scoped = merchantIds === null ? null : [...merchantIds, ...(workspace ? [NIL_ID] : [])];
  const failed = await listFailedReports(resources.database, scoped);
  return failed.map(({ merchantId, scheduleId, mode, name, error, since }) => ({
    merchantId,
    mode,
    kind: 'report_failed',
    subject: scheduleId,
    severity: KINDS.report_failed.severity,
    since,
    facts: { of: 'report', scheduleId, name, error },
    opens: true,
  }));
}
