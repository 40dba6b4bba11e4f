import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ProcessIdentity } from './processes.ts';

/** A process to be ended, and how. */
export interface Ending {
  readonly process: ProcessIdentity;
  /** Tried one after the other. */
  readonly signals: readonly NodeJS.Signals[];
  /** How long to wait after each signal. */
  readonly graceMs: number;
}

let guard: ChildProcess | undefined;

function startGuard(): ChildProcess {
  const program = fileURLToPath(new URL('./guard-process.ts', import.meta.url));
  // In a session of its own, so that neither Ctrl-C nor a closed terminal reaches it before its work is done.
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  child.stdin?.on('error', () => undefined); // it died: there is nothing left to tell it
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}

/**
 * Has a process ended should this one go without doing so itself, killed outright included: a small guard process holds the
 * other end of a pipe, and when that closes it ends everything it was told of, the last first.
 */
export function leaveNothingBehind(ending: Ending): void {
  guard ??= startGuard();
  guard.stdin?.write(`${JSON.stringify(ending)}\n`);
}

/** Lets the guard go when everything it was told of has been ended; resolves when it has gone. */
export async function dismissGuard(): Promise<void> {
  const leaving = guard;
  guard = undefined;
  if (!leaving || leaving.exitCode !== null || leaving.signalCode !== null) return;
  leaving.ref();
  const gone = new Promise((done) => leaving.once('exit', done));
  leaving.stdin?.end();
  await gone;
}
