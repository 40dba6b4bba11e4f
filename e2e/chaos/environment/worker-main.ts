import { flushCompileCache } from 'node:module';
import { startWorker } from '@switchyard/worker';
import { followClock } from './clock.ts';

/* A worker as the production entry starts one, on the run's clock. */

process.once('disconnect', () => process.exit());
// Its parent may have ended while this program was being loaded.
if (!process.connected) process.exit();
await startWorker(process.env, {
  now: followClock(process.env),
  report: (error, doing) => process.stderr.write(`error while ${doing}: ${error instanceof Error ? error.message : error}\n`),
});
process.send?.({ ready: true });
flushCompileCache();
