import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The mark of an installation that is under way or was broken off: who is at it, and the npm that does it for them.
 *
 * @typedef {{ owner: number, npm?: number }} Mark
 */

const LOOK_AGAIN_MS = 500;

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
 * Whether a process runs whose command line holds this word: its number alone may have gone to another one by now.
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
 * Claims the installation for this process. While another one is at it, waits for that and resolves with undefined. An npm whose
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
      while (existsSync(file) && runs(owner, '.mjs')) await pause(LOOK_AGAIN_MS);
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
