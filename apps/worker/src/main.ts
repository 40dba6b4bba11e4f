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

/*
 * The same verbs as the doors call, from a queue and on a schedule. Any number of these processes may run.
 */

const CONCURRENCY = 8;
const PROBE_EVERY_MS = 10_000;
/** One for all processes, however many begin it. */
const PROBE_JOB = { jobKey: 'probe-accounts', maxAttempts: 1 };

/** Once for all processes. */
const EVERY_MINUTE = '* * * * * keep-health-counts ?max=1';

function report(error: unknown, doing: string): void {
  process.stderr.write(`trouble while ${doing}: ${error instanceof Error ? error.message : 'not an error'}\n`);
}

const resources = open();
await resources.configuration.refresh();
const payments = openPayments(resources, { onError: report });

const diary: ProbeDiary = new Map();
const runner = await run({
  pgPool: resources.database.pool,
  concurrency: CONCURRENCY,
  noHandleSignals: true,
  crontab: EVERY_MINUTE,
  taskList: {
    'check-attempt': (payload) => checkAttempt(payload, (job) => followUpWebhook(payments, job)),
    'keep-health-counts': () => keepHealthCounts(payments),
    'probe-accounts': async (_payload, { addJob }) => {
      await probeAccounts(payments, diary).catch((error: unknown) => report(error, 'probing accounts'));
      await addJob('probe-accounts', {}, { ...PROBE_JOB, runAt: new Date(Date.now() + PROBE_EVERY_MS) });
    },
  },
});
await runner.addJob('probe-accounts', {}, PROBE_JOB);
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
