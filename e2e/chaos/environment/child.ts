import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

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
    answer: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${program} sends no message; its output: ${log}`)), ANSWER_TIMEOUT_MS);
        child.once('message', (message) => {
          clearTimeout(timer);
          resolve(message);
        });
        void ended.then(() => {
          clearTimeout(timer);
          reject(new Error(`${program} ended; its output: ${log}`));
        });
      }),
  };
}
