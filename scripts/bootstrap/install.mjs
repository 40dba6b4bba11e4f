/**
 * Makes `node_modules` match `package-lock.json`. Runs before anything is installed: Node 20, built-ins only.
 */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { claimFile, holderOf } from './claim.mjs';
import { readText } from './files.mjs';
import { INTERRUPTED, runNpm } from './npm.mjs';
import { noWriteAccess, Problem } from './problem.mjs';

/** Development tools and optional packages are needed too: the latter carry PostgreSQL and the compilers for this machine. */
const CI_ARGUMENTS = ['ci', '--include=dev', '--include=optional', '--include=peer'];
const ERRORS_SHOWN = 8;
const WAIT_POLL_MS = 500;

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockEntry
 */

/**
 * @param {string} file
 * @returns {Record<string, LockEntry> | undefined}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readText(file) ?? '{}').packages;
  } catch {
    return undefined;
  }
}

/** @param {string} root */
function expectedPackages(root) {
  const packages = packagesIn(join(root, 'package-lock.json'));
  if (!packages) throw new Problem('package-lock.json is missing or damaged.', ['Restore it: git checkout package-lock.json']);
  return Object.entries(packages).filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link && isForThisMachine(entry),
  );
}

/** @param {LockEntry} entry */
function isForThisMachine({ os = [process.platform], cpu = [process.arch], libc = ['glibc'] }) {
  // With another C library, its packages are left to npm and never counted as missing.
  return os.includes(process.platform) && cpu.includes(process.arch) && (process.platform !== 'linux' || libc.includes('glibc'));
}

/** @param {string} root */
function lockFingerprint(root) {
  return createHash('sha256')
    .update(readText(join(root, 'package-lock.json')) ?? '')
    .digest('hex');
}

/** @param {string} root */
function finishedMark(root) {
  return join(root, 'node_modules', '.switchyard-installed');
}

/** @param {string} root */
function unfinishedMark(root) {
  return join(root, '.local', 'install.unfinished');
}

/**
 * The Node among the project's packages.
 *
 * @param {string} root
 */
export function ownNode(root) {
  return join(root, 'node_modules', 'node', 'bin', 'node');
}

/**
 * npm leaves a list of what it installed in `node_modules`, written last. Comparing that with the lock file detects an
 * installation that was interrupted or belongs to an earlier state of the project. Of the optional
 * packages, those made for just this machine may be missing only when an installation of ours could not get them either.
 *
 * @param {string} root
 */
export function isInstalled(root) {
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (!installed || existsSync(unfinishedMark(root)) || !existsSync(ownNode(root))) return false;
  const links = Object.entries(packagesIn(join(root, 'package-lock.json')) ?? {}).filter(([, { link }]) => link);
  if (!links.every(([path]) => existsSync(join(root, path)))) return false;
  const triedAll = readText(finishedMark(root)) === lockFingerprint(root);
  return expectedPackages(root).every(([path, entry]) => {
    const found = installed[path];
    if (found) return found.version === entry.version;
    return entry.optional === true && (triedAll || entry.os === undefined || entry.cpu === undefined);
  });
}

/** @param {string} root */
function assertWritable(root) {
  for (const folder of [root, join(root, '.local'), join(root, 'node_modules')]) {
    if (!existsSync(folder)) continue;
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw noWriteAccess(folder, error);
    }
  }
}

/** @param {string} log */
function failedInstall(log) {
  const errors = (readText(log) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('npm error'))
    .map((line) => line.replace(/^npm error ?/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('A complete log'));
  return new Problem('The packages could not be installed.', [...errors.slice(0, ERRORS_SHOWN), `npm's output: ${log}`]);
}

/**
 * Installs the packages when they differ from the lock file, an interrupted installation included.
 *
 * @param {string} root
 * @param {import('./progress.mjs').Progress} progress
 * @returns {Promise<void>}
 */
export async function ensureInstalled(root, progress) {
  if (isInstalled(root)) return;
  assertWritable(root);
  mkdirSync(join(root, '.local', 'logs'), { recursive: true });
  const claim = await claimFile(unfinishedMark(root));
  if (!claim) {
    progress.note('Another process is installing the packages; waiting for it.');
    while (holderOf(unfinishedMark(root))) await pause(WAIT_POLL_MS);
    return ensureInstalled(root, progress);
  }
  const log = join(root, '.local', 'logs', 'install.log');
  writeFileSync(log, '', { mode: 0o600 });
  const certain = expectedPackages(root).filter(([, { optional, os }]) => optional !== true || os !== undefined);
  const expected = certain.map(([path]) => join(root, path, 'package.json'));
  const step = progress.begin('Installing packages (one to two minutes)');
  const counting = setInterval(
    () => step.update(`${expected.filter((file) => existsSync(file)).length} of ${expected.length}`),
    1_000,
  );
  try {
    const code = await runNpm(root, CI_ARGUMENTS, log, claim.addProcess);
    if (code === INTERRUPTED) throw new Problem('Interrupted. The next start begins the installation again.');
    if (code !== 0) throw failedInstall(log);
    // Where install scripts are blocked by policy, run this one by name.
    if (!existsSync(ownNode(root))) await runNpm(root, ['rebuild', 'node'], log, claim.addProcess);
    writeFileSync(finishedMark(root), lockFingerprint(root));
    claim.release();
  } finally {
    clearInterval(counting);
    step.clear();
  }
  step.done('Packages installed');
}
