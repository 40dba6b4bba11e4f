import { followUpWebhook, openPayments, openResources } from '@switchyard/payments';
import { run } from 'graphile-worker';
import { checkAttempt } from './check-attempt.ts';

/*
 * The same verbs as the doors call, from a queue and on a schedule. Any number of these processes may run.
 */

const CONCURRENCY = 8;

const resources = openResources(process.env, (error, doing) => {
  process.stderr.write(`trouble while ${doing}: ${error instanceof Error ? error.message : 'not an error'}\n`);
});
await resources.configuration.refresh();
const payments = openPayments(resources);

const runner = await run({
  pgPool: resources.database.pool,
  concurrency: CONCURRENCY,
  noHandleSignals: true,
  taskList: { 'check-attempt': (payload) => checkAttempt(payload, (job) => followUpWebhook(payments, job)) },
});
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

function stop(): void {
  runner
    .stop()
    .then(() => resources.close())
    .finally(() => process.exit(0));
}
