import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A program of the run in a process of its own. It ends when the channel to it closes, so that none outlives the run. */
export interface Child {
  readonly process: ChildProcess;
  /** The next message it sends. Rejects when it ends first, or after a minute. */
  answer(): Promise<unknown>;
  readonly ended: Promise<unknown>;
}

const ANSWER_TIMEOUT_MS = 60_000;

function startChild(program: string, env: NodeJS.ProcessEnv, log: string): Child {
  const output = openSync(log, 'a');
  const child = fork(program, { env, execArgv: [], stdio: ['ignore', output, output, 'ipc'] });
  closeSync(output);
  const ended = once(child, 'exit');
  const end = ended.then(() => Promise.reject(new Error(`${program} ended; its output: ${log}`)));
  end.catch(() => undefined);
  return {
    process: child,
    ended,
    async answer() {
      const message = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
      const [answered] = await Promise.race([message, end]);
      return answered;
    },
  };
}

const readySchema = z.object({ ready: z.literal(true), port: z.int().default(0) });
const RESTART_DELAY_MS = 200;
const POLL_MS = 20;
/** Against processes that hang: a busy machine may take a minute to load one. */
const READY_TIMEOUT_MS = 180_000;

/** A process that is started again whenever it ends. */
export class ManagedProcess {
  readonly name: string;
  starts = 0;
  /** How often it ended by itself after it had been ready. */
  deaths = 0;
  #isUp = false;
  #isClosing = false;
  #port = 0;
  #child: Child;
  readonly #begin: () => Child;
  // A suspended process would not notice that the run has ended.
  readonly #end = (): void => void this.#child.process.kill('SIGKILL');

  /** `environment` is asked at each start. */
  constructor(name: string, program: 'web-main.ts' | 'worker-main.ts', environment: () => NodeJS.ProcessEnv, log: string) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    this.name = name;
    this.#begin = () => startChild(path, { ...environment(), PORT: String(this.#port) }, log);
    this.#child = this.#start();
    process.once('exit', this.#end);
  }

  #start(): Child {
    this.starts += 1;
    const child = this.#begin();
    child.answer().then(
      (message) => {
        this.#port = readySchema.parse(message).port;
        this.#isUp = true;
      },
      // It ended before it was ready, and is restarted like any other.
      () => undefined,
    );
    void child.ended.then(async () => {
      if (this.#isUp && !this.#isClosing) this.deaths += 1;
      this.#isUp = false;
      await pause(RESTART_DELAY_MS);
      if (!this.#isClosing) this.#child = this.#start();
    });
    return child;
  }

  /** Where it listens, once it has been ready; a worker listens nowhere. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Kills it with SIGKILL. */
  kill(): void {
    this.#isUp = false;
    this.#end();
  }

  /** Suspends it; what it gives resumes it. */
  suspend(): () => void {
    const { process } = this.#child;
    process.kill('SIGSTOP');
    return () => void process.kill('SIGCONT');
  }

  /** Sends it a message, if it runs. */
  send(message: object): void {
    if (this.#child.process.connected) this.#child.process.send(message);
  }

  /** Resolves when it is ready; rejects when it is not within three minutes. */
  async ready(): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!this.#isUp) {
      if (performance.now() > deadline) throw new Error(`${this.name} does not become ready`);
      await pause(POLL_MS);
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    process.off('exit', this.#end);
    this.#end();
    await this.#child.ended;
  }
}

/** A database server that can be restarted. */
export interface RestartablePostgres {
  readonly url: string;
  /** Restarts it, after any restart that is under way. `immediate` ends it as a crash would: it recovers from its log. */
  restart(how: 'fast' | 'immediate', awayMs: number): Promise<void>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../../scripts/testing/restartable-postgres.ts', import.meta.url));
const startedSchema = z.object({ url: z.string() });
const CLOSE_MS = 20_000;

export async function startRestartablePostgres(log: string): Promise<RestartablePostgres> {
  const child = startChild(PROGRAM, process.env, log);
  const { url } = startedSchema.parse(await child.answer());
  let restarted: Promise<void> = Promise.resolve();
  const restart = async (how: 'fast' | 'immediate', awayMs: number): Promise<void> => {
    const answer = child.answer();
    child.process.send({ restart: how, awayMs });
    const { url: moved } = startedSchema.parse(await answer);
    if (moved !== url) throw new Error('the database came back at another address: another program took its port');
  };
  return {
    url,
    restart(how, awayMs) {
      restarted = restarted.then(() => restart(how, awayMs));
      return restarted;
    },
    async close() {
      child.process.disconnect();
      await Promise.race([child.ended, pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
