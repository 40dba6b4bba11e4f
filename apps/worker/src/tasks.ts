import { publishScheduledRules } from '@switchyard/merchants';
import { followUpWebhook, keepHealthCounts, type ProbeDiary, probeAccounts, settleOverdue } from '@switchyard/payments';
import type { TaskList } from 'graphile-worker';
import { checkAttempt } from './check-attempt.ts';
import type { Recurring } from './recurring.ts';
import type { WorkerContext } from './start-worker.ts';

/** Once for all processes. */
export const crontab = '* * * * * keep-health-counts ?max=1';

/** What is done when a job asks for it, by the job's name. */
export function tasks({ payments }: WorkerContext): TaskList {
  return {
    'check-attempt': (payload) => checkAttempt(payload, (job) => followUpWebhook(payments, job)),
    'keep-health-counts': () => keepHealthCounts(payments),
  };
}

/** What is done again and again. */
export function recurringWork({ payments, merchants, report }: WorkerContext): readonly Recurring[] {
  const diary: ProbeDiary = new Map();
  return [
    { name: 'settle-overdue', everyMs: 2_000, work: () => settleOverdue(payments, report) },
    { name: 'probe-accounts', everyMs: 10_000, work: () => probeAccounts(payments, diary) },
    { name: 'publish-due-rules', everyMs: 3_000, work: () => publishScheduledRules(merchants, merchants.now()) },
  ];
}
