import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../../apps/worker/src/main.ts', import.meta.url));
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** A worker process of its own, as the operating system sees it. */
export interface SpawnedWorker {
  /** Its standard output so far. */
  readonly output: readonly string[];
  /** Tells it to stop; resolves with its exit code, null when a signal ended it. */
  terminate(): Promise<number | null>;
  /** Ends it as a crash would. */
  kill(): void;
}

/**
 * Starts a worker process, of this version unless given, for the test that runs. It ends with the test at the latest: one that a failed test leaves would keep
 * the output of the whole run open, and so the run from ending.
 */
export function spawnWorker(environment: Readonly<Record<string, string>>, main: string = MAIN): SpawnedWorker {
  const child = spawn(process.execPath, [main], {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const ended = new Promise<number | null>((exited) => child.once('exit', exited));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    output,
    kill: () => void child.kill('SIGKILL'),
    terminate() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
