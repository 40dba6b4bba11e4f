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
  child.stdin?.on('error', () => undefined); // it has exited already
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}

/**
 * Has a process ended if this one exits without doing so, also by SIGKILL: a guard process holds the other end of a pipe, and when
 * that closes it ends every registered process, the last first.
 */
export function endOnExit(ending: Ending): void {
  guard ??= startGuard();
  guard.stdin?.write(`${JSON.stringify(ending)}\n`);
}

/** Stops the guard once every registered process has ended. */
export async function dismissGuard(): Promise<void> {
  const stopping = guard;
  guard = undefined;
  if (!stopping || stopping.exitCode !== null || stopping.signalCode !== null) return;
  stopping.ref();
  const exited = new Promise((done) => stopping.once('exit', done));
  stopping.stdin?.end();
  await exited;
}
