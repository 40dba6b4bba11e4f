import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunningWorker } from './start-worker.ts';

/*
 * Runs use cases from a queue and on a schedule. Any number of these processes may run. Compiled code is cached for the next start,
 * as in the web process.
 */

enableCompileCache(fileURLToPath(new URL('../../../.local/compile-cache', import.meta.url)));

function report(error: unknown, doing: string): void {
  process.stderr.write(`error while ${doing}: ${error instanceof Error ? error.message : 'not an error'}\n`);
}

const worker = await start();
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
// A killed process writes nothing at its end.
flushCompileCache();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

function stop(): void {
  const exit = () => process.exit(0);
  worker.stop().then(exit, exit);
}

/** Exits with a readable message when the environment is invalid. */
async function start(): Promise<RunningWorker> {
  try {
    const { startWorker } = await import('./start-worker.ts');
    return await startWorker(process.env, { report });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'The environment cannot be read.'}\n`);
    process.exit(1);
  }
}
