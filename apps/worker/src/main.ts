import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { RunningWorker } from './start-worker.ts';

/*
 * Runs use cases from a queue and on a schedule. Any number of these processes may run. Compiled code is cached for the next start,
 * as in the web process.
 */

enableCompileCache(fileURLToPath(new URL('../../../.local/compile-cache', import.meta.url)));

// Old objects are collected once they are a quarter more than after the last collection, in place of several times as many: most of what is in
// use stays, and no request waits for a worker's pauses.
setFlagsFromString('--heap-growing-percent=25');

/** Longer than any job takes: a whole initiate that is resumed, or a delivery. */
const STOP_TIMEOUT_MS = 25_000;

const { checkSettings } = await import('@switchyard/runtime/settings');
const { openLog, logBackgroundErrors } = await import('@switchyard/telemetry');
const environment = checkedEnvironment();
const log = openLog(environment);
const stopping = new AbortController();
const starting = start();
// From the beginning: the first jobs may run before the last queue is there.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
if ((await starting) !== null) {
  log.info({ ready: true }, 'worker is ready');
  // A killed process writes nothing at its end.
  flushCompileCache();
}

function stop(): void {
  log.info('draining');
  stopping.abort();
  const abandon = (error?: unknown) => {
    // Another process takes over what is still locked once the heartbeats of this one are missing.
    log.warn({ error }, 'ended before all work had');
    process.exit(1);
  };
  setTimeout(abandon, STOP_TIMEOUT_MS).unref();
  starting.then((worker) => worker?.stop()).then(() => process.exit(0), abandon);
}

/** The environment of the process. Exits with a readable message when it is invalid. */
function checkedEnvironment(): NodeJS.ProcessEnv {
  try {
    checkSettings('worker', process.env);
    return process.env;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'The environment cannot be read.'}\n`);
    process.exit(1);
  }
}

/** Exits with a readable message when the process cannot start; null when it got a signal to stop before it had started. */
async function start(): Promise<RunningWorker | null> {
  const { signal } = stopping;
  try {
    const { startWorker } = await import('./start-worker.ts');
    return await startWorker(environment, { report: logBackgroundErrors(log, 'error'), log, signal });
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null;
    process.stderr.write(`${error instanceof Error ? error.message : 'The environment cannot be read.'}\n`);
    process.exit(1);
  }
}
