import { followUpWebhook, openPayments, openResources } from '@switchyard/payments';
import { run } from 'graphile-worker';
import { checkAttempt } from './check-attempt.ts';

/*
 * The same verbs as the doors call, from a queue and on a schedule. Any number of these processes may run.
 */

const CONCURRENCY = 8;

function report(error: unknown, doing: string): void {
  process.stderr.write(`trouble while ${doing}: ${error instanceof Error ? error.message : 'not an error'}\n`);
}

const resources = openResources(process.env, report);
await resources.configuration.refresh();
const payments = openPayments(resources, { onError: report });

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
    .then(() => payments.health.close())
    .then(() => resources.close())
    .finally(() => process.exit(0));
}
