import { detectIncidents } from '@switchyard/alerts/detect';
import { findLostFollowUps, followUpWebhook } from '@switchyard/payments/gateway-webhooks';
import { followRefunds } from '@switchyard/payments/refunds';
import { settleOverdue } from '@switchyard/payments/sweeping';
import { verifyAttempt } from '@switchyard/payments/verify';
import { ageOut } from '@switchyard/privacy';
import { compactHealthCounts } from '@switchyard/provider-health';
import { type ProbeState, probeAccounts } from '@switchyard/provider-health/console';
import { reconcileDay, scheduleReconciliations } from '@switchyard/reconciliation/runs';
import { updateRollups } from '@switchyard/reporting/rollups';
import { recordShadowDecisions } from '@switchyard/rule-sets/shadow';
import { publishScheduledRules } from '@switchyard/rule-sets/versions';
import type { TaskList } from 'graphile-worker';
import { checkAttempt } from './check-attempt.ts';
import { reconcileDayTask } from './reconcile-day.ts';
import type { Recurring } from './recurring.ts';
import { refundTasks } from './refund-tasks.ts';
import type { WorkerContext } from './worker-context.ts';

/** Tasks of the queue, by name. */
export function tasks({ payments }: WorkerContext): TaskList {
  return {
    'check-attempt': (payload) =>
      checkAttempt(payload, {
        followUp: (job) => followUpWebhook(payments, job),
        verify: (job) => verifyAttempt(payments, job),
      }),
    'reconcile-day': (payload) => reconcileDayTask(payload, (key) => reconcileDay(payments, key)),
    ...refundTasks(payments),
    ...retiredTasks,
  };
}

/** Earlier names of recurring jobs: one left in the queue does nothing and is not queued again. */
const retiredTasks: TaskList = {
  'keep-sums': () => undefined,
  'keep-health-counts': () => undefined,
  'delete-expired-idempotency-records': () => undefined,
};

/** Recurring work of every process: due rows are claimed one by one. */
export function sweeps({ payments, report }: WorkerContext): readonly Recurring[] {
  return [
    { name: 'settle-overdue', intervalMs: 2_000, work: () => settleOverdue(payments, report) },
    { name: 'follow-refunds', intervalMs: 2_000, work: () => followRefunds(payments, report) },
    { name: 'find-lost-follow-ups', intervalMs: 2_000, work: () => findLostFollowUps(payments) },
  ];
}

/** Recurring work of one process at a time. */
export function recurringWork(context: WorkerContext): readonly Recurring[] {
  const { payments, resources } = context;
  const probeState: ProbeState = new Map();
  return [
    { name: 'update-rollups', intervalMs: 1_000, work: () => updateRollups(payments) },
    { name: 'probe-accounts', intervalMs: 10_000, work: () => probeAccounts(payments, probeState) },
    { name: 'detect-incidents', intervalMs: 10_000, work: () => detectIncidents({ ...payments, resources }) },
    { name: 'schedule-reconciliations', intervalMs: 300_000, work: () => scheduleReconciliations(payments) },
    { name: 'compact-health-counts', intervalMs: 60_000, work: () => compactHealthCounts(payments) },
    { name: 'age-out', intervalMs: 60_000, work: () => ageOut(context) },
    { name: 'publish-due-rules', intervalMs: 3_000, work: () => publishScheduledRules(context, context.now()) },
    { name: 'record-shadow-decisions', intervalMs: 5_000, work: () => recordShadowDecisions(context) },
  ];
}
