import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from './problem.mjs';

/**
 * Identifies a process by its id and its start time, in whatever form this system reports it: a later process may get the same id.
 *
 * @typedef {{ readonly pid: number, readonly startedAt: string }} ProcessIdentity
 */

const POLL_MS = 20;
const COMMAND_LENGTH = 80;
const HAS_PROC = existsSync('/proc/self/stat');

/**
 * @param {number} pid
 * @param {string} field of `ps`
 */
function askPs(pid, field) {
  return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/**
 * The kernel's facts of a process, from its state on; none of a zombie.
 *
 * @param {number | string} pid
 */
function statOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command's name is in parentheses and may hold spaces: fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields;
}

/** @param {number} pid */
function startTime(pid) {
  return HAS_PROC ? statOf(pid)?.[19] : askPs(pid, 'lstart');
}

/**
 * True if processes of a group run whose leader has ended, such as the workers of a build that was killed. No other process can have the
 * leader's id as long as they do.
 *
 * @param {number} pid
 */
function hasOrphans(pid) {
  if (!HAS_PROC || identify(pid)) return false;
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && statOf(name)?.[2] === String(pid);
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

/**
 * Identifies a running process; undefined when there is none with that id (a zombie counts as none).
 *
 * @param {number | undefined} pid
 * @returns {ProcessIdentity | undefined}
 */
export function identify(pid) {
  if (!pid) return undefined;
  try {
    const startedAt = startTime(pid);
    return startedAt ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True if that very process, and not a later one with its id, is still running.
 *
 * @param {ProcessIdentity} target
 */
export function isRunning(target) {
  return identify(target.pid)?.startedAt === target.startedAt;
}

/**
 * The command line of a process, shortened for display; undefined when it cannot be read.
 *
 * @param {number} pid
 */
export function commandOf(pid) {
  try {
    const words = HAS_PROC ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ') : askPs(pid, 'command');
    return words.trim().slice(0, COMMAND_LENGTH) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Signals a process and, when it leads a process group, all of the group.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function sendSignal(pid, signal) {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
}

/**
 * Resolves true once the process has ended, false when it still runs after the given time.
 *
 * @param {ProcessIdentity} target
 * @param {number} timeoutMs
 */
export async function waitUntilGone(target, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(target) || hasOrphans(target.pid)) {
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

/**
 * Ends a process and its group, also what is left of the group once the process itself has ended: sends the signals one after the other, waiting the grace time after each, until it has gone.
 *
 * @param {ProcessIdentity} target
 * @param {readonly NodeJS.Signals[]} signals
 * @param {number} graceMs
 */
export async function endProcess(target, signals, graceMs) {
  for (const signal of signals) {
    if (!isRunning(target) && !hasOrphans(target.pid)) return;
    sendSignal(target.pid, signal);
    if (await waitUntilGone(target, graceMs)) return;
  }
}
