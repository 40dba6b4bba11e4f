import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readText, writeWhole } from './files.mjs';
import { errorCode } from './problem.mjs';
import { endProcess, identify, isRunning } from './processes.mjs';

/**
 * Contents of a claim file: the process that made it, the processes that it started, in order, and its addresses once they are known.
 *
 * @typedef {import('./processes.mjs').ProcessIdentity} ProcessIdentity
 * @typedef {{ owner: ProcessIdentity, processes: ProcessIdentity[], webUrl?: string, databaseUrl?: string }} Holder
 * @typedef {{ update: (change: Partial<Holder>) => void, addProcess: (each: ProcessIdentity) => void, release: () => void }} Claim
 */

const STOP_GRACE_MS = 10_000;

/**
 * @param {string} file
 * @returns {Holder | undefined}
 */
function readHolder(file) {
  try {
    const holder = JSON.parse(readText(file) ?? 'null');
    return holder?.owner && Array.isArray(holder.processes) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The running process that holds a claim, undefined when there is none.
 *
 * @param {string} file
 */
export function holderOf(file) {
  const holder = readHolder(file);
  return holder && isRunning(holder.owner) ? holder : undefined;
}

/**
 * Claims a file for this process, so that two never work on the same data. Undefined when a running process holds it. What a
 * process that was killed has left running is ended first.
 *
 * @param {string} file
 * @returns {Promise<Claim | undefined>}
 */
export async function claimFile(file) {
  const owner = identify(process.pid);
  if (!owner) throw new Error('This process cannot be found in the list of processes');
  /** @type {Holder} */
  let holder = { owner, processes: [] };
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if (holderOf(file)) return undefined;
    const stale = `${file}.${process.pid}.stale`;
    renameSync(file, stale);
    const left = readHolder(stale)?.processes ?? [];
    for (const each of left.reverse()) await endProcess(each, ['SIGTERM', 'SIGKILL'], STOP_GRACE_MS);
    rmSync(stale);
    return claimFile(file);
  }
  /** @param {Partial<Holder>} change */
  const update = (change) => {
    holder = { ...holder, ...change };
    writeWhole(file, JSON.stringify(holder));
  };
  return {
    update,
    addProcess: (each) => update({ processes: [...holder.processes, each] }),
    release: () => rmSync(file, { force: true }),
  };
}
