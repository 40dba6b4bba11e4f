import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Child, startChild } from './child.ts';

/** A process that is started again whenever it ends. */
export interface Member {
  readonly name: string;
  /** Where it listens; empty for a worker. */
  readonly url: string;
  readonly starts: number;
  /** How often it ended though nobody ended it, after it had been ready. */
  readonly deaths: number;
  /** Ends it as the kernel would: nothing of it runs any more. */
  kill(): void;
  /** Stops it where it is and lets it go on later. */
  pause(milliseconds: number): Promise<void>;
  /** Resolves when it is there and ready; rejects when it is not within a minute. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const readySchema = z.object({ ready: z.literal(true), port: z.int().optional() });
const AGAIN_MS = 200;
const LOOK_MS = 20;
const READY_LIMIT_MS = 60_000;

interface MemberPlan {
  readonly name: string;
  readonly program: 'web-main.ts' | 'worker-main.ts';
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
}

export async function startMember({ name, program, env, log }: MemberPlan): Promise<Member> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  let [starts, deaths, closing, up, port] = [0, 0, false, false, 0];
  let child: Child = begin();
  // One that is held up would not notice that the run is gone.
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
      // It ended before it was ready, and is begun again like any other that ends.
      () => undefined,
    );
    void next.ended.then(async () => {
      if (up && !closing) deaths += 1;
      up = false;
      await pause(AGAIN_MS);
      if (!closing) child = begin();
    });
    return next;
  }

  const member: Member = {
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
      const deadline = performance.now() + READY_LIMIT_MS;
      while (!up) {
        if (performance.now() > deadline) throw new Error(`${name} does not become ready; its output: ${log}`);
        await pause(LOOK_MS);
      }
    },
    async close() {
      closing = true;
      process.off('exit', end);
      end();
      await child.ended;
    },
  };
  await member.ready();
  return member;
}
