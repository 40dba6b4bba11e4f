import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program of the benchmark, in a process of its own, that answers each message with one. It ends with the benchmark. */
export interface Child {
  readonly pid: number;
  /** The program's first message, sent when it is ready. */
  readonly greeting: unknown;
  /** Sends a message and resolves with the answer. One at a time. Throws when the program ends. */
  ask(message: object): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a program beside this file; resolves when it is ready. */
export async function startChild(file: string, env: Readonly<Record<string, string>> = {}): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: { ...process.env, ...env } });
  const greeting = await nextMessage(child, file);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} has no process`);
  return {
    pid,
    greeting,
    ask(message) {
      const answer = nextMessage(child, file);
      child.send(message);
      return answer;
    },
    async close() {
      const ended = new Promise((done) => child.once('exit', done));
      if (!child.connected) return;
      child.disconnect();
      await ended;
    },
  };
}

function nextMessage(child: ChildProcess, file: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit);
      resolve(message);
    };
    const onExit = (code: number | null): void => {
      child.off('message', onMessage);
      reject(new Error(`${file} has ended (${code})`));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}
