import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Child, startChild } from './child.ts';

/** A process that is started again whenever it ends. */
export interface ManagedProcess {
  readonly name: string;
  /** Where it listens; empty for a worker. */
  readonly url: string;
  readonly starts: number;
  /** How often it ended by itself after it had been ready. */
  readonly deaths: number;
  /** Kills it with SIGKILL. */
  kill(): void;
  /** Suspends it and resumes it later. */
  pause(milliseconds: number): Promise<void>;
  /** Resolves when it is ready; rejects when it is not within a minute. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const readySchema = z.object({ ready: z.literal(true), port: z.int().optional() });
const RESTART_DELAY_MS = 200;
const POLL_MS = 20;
const READY_TIMEOUT_MS = 60_000;

interface ManagedProcessOptions {
  readonly name: string;
  readonly program: 'web-main.ts' | 'worker-main.ts';
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
}

export async function startManagedProcess({ name, program, env, log }: ManagedProcessOptions): Promise<ManagedProcess> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  let starts = 0;
  let deaths = 0;
  let closing = false;
  let up = false;
  let port = 0;
  let child: Child = begin();
  // A suspended process would not notice that the run has ended.
  const end = (): void => void child.process.kill('SIGKILL');
  process.once('exit', end);

  function begin(): Child {
    starts += 1;
    const next = startChild(path, { ...env, CHAOS_NAME: name, PORT: String(port) }, log);
    next.answer().then(
      (message) => {
        port = readySchema.parse(message).port ?? 0;
        up = true;
      },
      // It ended before it was ready, and is restarted like any other.
      () => undefined,
    );
    void next.ended.then(async () => {
      if (up && !closing) deaths += 1;
      up = false;
      await pause(RESTART_DELAY_MS);
      if (!closing) child = begin();
    });
    return next;
  }

  const managed: ManagedProcess = {
    name,
    get url() {
      return port === 0 ? '' : `http://127.0.0.1:${port}`;
    },
    get starts() {
      return starts;
    },
    get deaths() {
      return deaths;
    },
    kill() {
      up = false;
      child.process.kill('SIGKILL');
    },
    async pause(milliseconds) {
      const { process } = child;
      process.kill('SIGSTOP');
      await pause(milliseconds);
      process.kill('SIGCONT');
    },
    async ready() {
      const deadline = performance.now() + READY_TIMEOUT_MS;
      while (!up) {
        if (performance.now() > deadline) throw new Error(`${name} does not become ready; its output: ${log}`);
        await pause(POLL_MS);
      }
    },
    async close() {
      closing = true;
      process.off('exit', end);
      end();
      await child.ended;
    },
  };
  await managed.ready();
  return managed;
}
