import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The mark of a running or interrupted installation: the owning process, and its npm process.
 *
 * @typedef {{ owner: number, npm?: number }} Mark
 */

const POLL_MS = 500;

/**
 * @param {string} file
 * @returns {Mark}
 */
function readMark(file) {
  try {
    const { owner, npm } = JSON.parse(readFileSync(file, 'utf8'));
    return { owner: Number(owner), npm: Number(npm) };
  } catch {
    return { owner: 0 };
  }
}

/**
 * Whether the process runs and its command line contains this word: the id alone may belong to another process by now.
 *
 * @param {number | undefined} pid
 * @param {string} word
 */
function runs(pid, word) {
  if (!pid) return false;
  try {
    const command = existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes(word);
  } catch {
    return false;
  }
}

/**
 * Claims the installation for this process. Waits for another one that is installing, and resolves with undefined. An npm whose
 * owner was killed is ended first: two of them would undo each other's work.
 *
 * @param {string} file
 * @returns {Promise<{ nameNpm: (pid: number) => void, release: () => void } | undefined>}
 */
export async function claimInstallation(file) {
  try {
    writeFileSync(file, JSON.stringify({ owner: process.pid }), { flag: 'wx', mode: 0o600 });
  } catch {
    const { owner, npm } = readMark(file);
    if (owner !== process.pid && runs(owner, '.mjs')) {
      console.log(`  Another process is installing the packages (process ${owner}); waiting for it.`);
      while (existsSync(file) && runs(owner, '.mjs')) await pause(POLL_MS);
      return undefined;
    }
    if (npm && runs(npm, 'npm')) process.kill(-npm, 'SIGKILL');
    writeFileSync(file, JSON.stringify({ owner: process.pid }), { mode: 0o600 });
  }
  return {
    nameNpm: (npm) => writeFileSync(file, JSON.stringify({ owner: process.pid, npm }), { mode: 0o600 }),
    release: () => rmSync(file),
  };
}
