import { followUpWebhook } from '@switchyard/payments/gateway-webhooks';
import { followRefunds } from '@switchyard/payments/refunds';
import { deleteExpiredIdempotencyRecords, settleOverdue } from '@switchyard/payments/sweeping';
import { verifyAttempt } from '@switchyard/payments/verify';
import { compactHealthCounts } from '@switchyard/provider-health';
import { type ProbeState, probeAccounts } from '@switchyard/provider-health/console';
import { reconcileDay, scheduleReconciliations } from '@switchyard/reconciliation';
import { updateRollups } from '@switchyard/reporting';
import { publishScheduledRules } from '@switchyard/rule-sets';
import type { TaskList } from 'graphile-worker';
import { checkAttempt } from './check-attempt.ts';
import { reconcileDayTask } from './reconcile-day.ts';
import type { Recurring } from './recurring.ts';
import { refundTasks } from './refund-tasks.ts';
import type { WorkerContext } from './worker-context.ts';

/** What is done when a job asks for it, by the job's name. */
export function tasks({ payments }: WorkerContext): TaskList {
  return {
    'check-attempt': (payload) =>
      checkAttempt(payload, {
        followUp: (job) => followUpWebhook(payments, job),
        ask: (job) => verifyAttempt(payments, job),
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
};

/** What every process does again and again, because what is due is claimed row by row. */
export function sweeps({ payments, report }: WorkerContext): readonly Recurring[] {
  return [
    { name: 'settle-overdue', everyMs: 2_000, work: () => settleOverdue(payments, report) },
    { name: 'follow-refunds', everyMs: 2_000, work: () => followRefunds(payments, report) },
  ];
}

/** What is done again and again by one process at a time. */
export function recurringWork({ payments, merchants }: WorkerContext): readonly Recurring[] {
  const diary: ProbeState = new Map();
  return [
    { name: 'update-rollups', everyMs: 1_000, work: () => updateRollups(payments) },
    { name: 'probe-accounts', everyMs: 10_000, work: () => probeAccounts(payments, diary) },
    { name: 'schedule-reconciliations', everyMs: 300_000, work: () => scheduleReconciliations(payments) },
    { name: 'compact-health-counts', everyMs: 60_000, work: () => compactHealthCounts(payments) },
    {
      name: 'delete-expired-idempotency-records',
      everyMs: 60_000,
      work: () => deleteExpiredIdempotencyRecords(payments),
    },
    { name: 'publish-due-rules', everyMs: 3_000, work: () => publishScheduledRules(merchants, merchants.now()) },
  ];
}
