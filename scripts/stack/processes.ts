import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from './problem.ts';

/** Identifies a process, also against a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in whatever form this system reports it. */
  readonly startedAt: string;
}

/** Identifies a running process; undefined when there is none with that id (a zombie counts as none). */
export function identify(pid: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux') return identifyByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name is in parentheses and may hold spaces: fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    const startedAt = fields[19];
    return state === 'Z' || state === 'X' || startedAt === undefined ? undefined : { pid, startedAt };
  } catch {
    return undefined;
  }
}

function identifyByPs(pid: number): ProcessIdentity | undefined {
  try {
    const startedAt = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return startedAt === '' ? undefined : { pid, startedAt };
  } catch {
    return undefined;
  }
}

/** Whether that very process, and not a later one with its id, is still running. */
export function isRunning(process: ProcessIdentity): boolean {
  return identify(process.pid)?.startedAt === process.startedAt;
}

/** The command line of a process, shortened for display; undefined when it cannot be read. */
export function commandOf(pid: number): string | undefined {
  try {
    const words =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return words.trim().slice(0, 80) || undefined;
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Resolves true once the process has ended, false when it still runs after the given time. */
export async function waitUntilGone(target: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(target)) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}

/** Ends a process: sends the signals one after the other, waiting the grace time after each, until it has gone. */
export async function endProcess(target: ProcessIdentity, signals: readonly NodeJS.Signals[], graceMs: number): Promise<void> {
  for (const name of signals) {
    if (!isRunning(target)) return;
    signal(target.pid, name);
    if (await waitUntilGone(target, graceMs)) return;
  }
}
