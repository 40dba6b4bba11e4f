import { flushCompileCache } from 'node:module';
import { startWorker } from '@switchyard/worker';
import { readClock } from './clock.ts';

/* A worker as the production entry starts one, on the run's clock. */

const { CHAOS_CLOCK = '', CHAOS_NAME = '' } = process.env;

process.once('disconnect', () => process.exit());
await startWorker(process.env, {
  now: readClock(CHAOS_CLOCK, CHAOS_NAME),
  report: (error, doing) => process.stderr.write(`error while ${doing}: ${error instanceof Error ? error.message : error}\n`),
});
process.send?.({ ready: true });
flushCompileCache();
