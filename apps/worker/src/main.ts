import { type MerchantsContext, publishScheduledRules } from '@switchyard/merchants';
import {
  followUpWebhook,
  keepHealthCounts,
  openPayments,
  openResources,
  type ProbeDiary,
  probeAccounts,
  type Resources,
} from '@switchyard/payments';
import { run } from 'graphile-worker';
import { checkAttempt } from './check-attempt.ts';
import { type Recurring, recurringJob, recurringTask } from './recurring.ts';

/*
 * The same verbs as the doors call, from a queue and on a schedule. Any number of these processes may run.
 */

const CONCURRENCY = 8;
/** Once for all processes. */
const EVERY_MINUTE = '* * * * * keep-health-counts ?max=1';

function report(error: unknown, doing: string): void {
  process.stderr.write(`trouble while ${doing}: ${error instanceof Error ? error.message : 'not an error'}\n`);
}

const resources = open();
await resources.configuration.refresh();
const payments = openPayments(resources, { onError: report });

const merchants: MerchantsContext = { resources, now: payments.now, newId: payments.newId };
const diary: ProbeDiary = new Map();
const recurring: readonly Recurring[] = [
  { name: 'probe-accounts', everyMs: 10_000, work: () => probeAccounts(payments, diary) },
  { name: 'publish-due-rules', everyMs: 3_000, work: () => publishScheduledRules(merchants, merchants.now()) },
];
const runner = await run({
  pgPool: resources.database.pool,
  concurrency: CONCURRENCY,
  noHandleSignals: true,
  crontab: EVERY_MINUTE,
  taskList: {
    'check-attempt': (payload) => checkAttempt(payload, (job) => followUpWebhook(payments, job)),
    'keep-health-counts': () => keepHealthCounts(payments),
    ...Object.fromEntries(recurring.map((one) => [one.name, recurringTask(one, report)])),
  },
});
for (const one of recurring) await runner.addJob(one.name, {}, recurringJob(one));
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

function stop(): void {
  runner
    .stop()
    .then(() => payments.health.close())
    .then(() => resources.close())
    .finally(() => process.exit(0));
}

/** A process that was told wrong says what is wrong, and leaves. */
function open(): Resources {
  try {
    return openResources(process.env, report);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'The environment cannot be read.'}\n`);
    process.exit(1);
  }
}
