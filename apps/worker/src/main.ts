import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunningWorker } from './start-worker.ts';

/*
 * The same verbs as the doors call, from a queue and on a schedule. Any number of these processes may run. What is compiled is kept
 * for the next start, as the web process does.
 */

enableCompileCache(fileURLToPath(new URL('../../../.local/compile-cache', import.meta.url)));

function report(error: unknown, doing: string): void {
  process.stderr.write(`trouble while ${doing}: ${error instanceof Error ? error.message : 'not an error'}\n`);
}

const worker = await start();
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
// A process that is killed writes nothing at its end.
flushCompileCache();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

function stop(): void {
  const leave = () => process.exit(0);
  worker.stop().then(leave, leave);
}

/** A process that was told wrong says what is wrong, and leaves. */
async function start(): Promise<RunningWorker> {
  try {
    const { startWorker } = await import('./start-worker.ts');
    return await startWorker(process.env, { report });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'The environment cannot be read.'}\n`);
    process.exit(1);
  }
}
