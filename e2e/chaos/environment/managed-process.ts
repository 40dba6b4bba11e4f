import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A program of the run in a process of its own. It ends when the channel to it closes, so that none outlives the run. */
export interface Child {
  readonly process: ChildProcess;
  /** The next message it sends. Rejects when it ends first, or after a minute. */
  answer(): Promise<unknown>;
  readonly ended: Promise<void>;
}

const ANSWER_TIMEOUT_MS = 60_000;

export function startChild(program: string, env: NodeJS.ProcessEnv, log: string): Child {
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', output, output, 'ipc'] });
  closeSync(output);
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', () => done());
  });
  return {
    process: child,
    ended,
    answer() {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const timer = setTimeout(() => reject(new Error(`${program} sends no message; its output: ${log}`)), ANSWER_TIMEOUT_MS);
      child.once('message', resolve);
      void ended.then(() => reject(new Error(`${program} ended; its output: ${log}`)));
      return promise.finally(() => clearTimeout(timer));
    },
  };
}

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

interface ManagedProcessOptions {
  readonly name: string;
  readonly program: 'web-main.ts' | 'worker-main.ts';
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
}

const readySchema = z.object({ ready: z.literal(true), port: z.int().optional() });
const RESTART_DELAY_MS = 200;
const POLL_MS = 20;
const READY_TIMEOUT_MS = 60_000;

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
      end();
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
