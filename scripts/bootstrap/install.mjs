/**
 * Makes `node_modules` match `package-lock.json`. Runs before anything is installed: Node 20, built-ins only.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { claimFile, holderOf } from './claim.mjs';
import { readText } from './files.mjs';
import { Problem } from './problem.mjs';
import { endProcess, identify } from './processes.mjs';

/**
 * Over the user's variables, which count more than `.npmrc` does. Development tools and optional packages are needed too: the latter
 * carry PostgreSQL and the compilers for this machine. Scripts fetch Node.
 */
const CI = ['ci', '--include=dev', '--include=optional', '--include=peer'];
/** Warnings are about packages for newer versions of Node, on which everything runs later. */
const ALWAYS = ['--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'];
/** Set by a surrounding npm or by the user, and each would make the inner npm do something else. */
const IN_THE_WAY =
  /^(NODE_ENV|npm_config_(workspaces?|include_workspace_root|omit|only|production|location|prefix|global_prefix|local_prefix))$/i;
const WAIT_POLL_MS = 500;
const KILL_LIMIT_MS = 2_000;

/**
 * @typedef {{ version?: string, link?: boolean, resolved?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockEntry
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

/** @param {LockEntry} entry */
function isForThisMachine({ os = [process.platform], cpu = [process.arch], libc = ['glibc'] }) {
  // With another C library, its packages are left to npm and never counted as missing.
  return os.includes(process.platform) && cpu.includes(process.arch) && (process.platform !== 'linux' || libc.includes('glibc'));
}

/**
 * Holds the lock file of the last installation that went through.
 *
 * @param {string} root
 */
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
  const expected = packagesIn(join(root, 'package-lock.json'));
  if (!expected) throw new Problem('package-lock.json is missing or damaged.', ['Restore it: git checkout package-lock.json']);
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (!installed || existsSync(unfinishedMark(root)) || !existsSync(ownNode(root))) return false;
  const triedAll = readText(finishedMark(root)) === readText(join(root, 'package-lock.json'));
  return Object.entries(expected).every(([path, entry]) => {
    if (entry.link) return existsSync(join(root, path));
    if (!path.includes('node_modules/') || !isForThisMachine(entry)) return true;
    const found = installed[path];
    if (found) return found.version === entry.version;
    return entry.optional === true && (triedAll || entry.os === undefined || entry.cpu === undefined);
  });
}

/**
 * npm cannot work without a folder for its downloads, and the user's may not be writable: an account without a home, or files
 * left there by root.
 *
 * @param {string} root
 */
function cacheArguments(root) {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(cache, { recursive: true });
    for (const folder of [cache, join(cache, '_cacache')]) if (existsSync(folder)) accessSync(folder, constants.W_OK);
    return [];
  } catch {
    return [`--cache=${join(root, '.local', 'npm-cache')}`];
  }
}

/**
 * Runs npm in the project's folder, with its output on the terminal. Throws a Problem when it fails. A signal to this process kills it
 * and all that it started: it would first finish what it is doing, which can take a minute.
 *
 * @param {string} root
 * @param {readonly string[]} args
 * @param {import('./claim.mjs').Claim} claim takes note of it
 * @returns {Promise<void>}
 */
function runNpm(root, args, claim) {
  const { npm_execpath: cli } = process.env;
  const [command, first] = cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli]] : ['npm', []];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !IN_THE_WAY.test(name)));
  const child = spawn(command, [...first, ...args, ...ALWAYS, ...cacheArguments(root)], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const npm = identify(child.pid);
  if (npm) claim.addProcess(npm);
  const kill = () => void (npm && endProcess(npm, ['SIGKILL'], KILL_LIMIT_MS));
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, kill);
  return new Promise((done, fail) => {
    child.once('error', () => fail(new Problem('npm was not found.', ['Install Node.js with npm, then start again.'])));
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, kill);
      const failure = code === null ? 'Interrupted.' : 'The packages could not be installed; npm says above why.';
      if (code === 0) done();
      else fail(new Problem(failure, ['The next start begins the installation again.']));
    });
  });
}

/**
 * Links packages of the project's own that are new since the installation: nothing else has to be installed for them.
 *
 * @param {string} root
 */
function linkOwnPackages(root) {
  if (!existsSync(ownNode(root))) return;
  for (const [path, { link, resolved }] of Object.entries(packagesIn(join(root, 'package-lock.json')) ?? {})) {
    const at = join(root, path);
    if (!link || !resolved || existsSync(at) || !existsSync(join(root, resolved))) continue;
    rmSync(at, { force: true });
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(relative(dirname(at), join(root, resolved)), at, 'junction');
  }
}

/**
 * Installs the packages when they differ from the lock file, an interrupted installation included.
 *
 * @param {string} root
 * @returns {Promise<void>}
 */
export async function ensureInstalled(root) {
  linkOwnPackages(root);
  if (isInstalled(root)) return;
  mkdirSync(join(root, '.local'), { recursive: true });
  const claim = await claimFile(unfinishedMark(root));
  if (!claim) {
    console.log('  Another process is installing the packages; waiting for it.');
    while (holderOf(unfinishedMark(root))) await pause(WAIT_POLL_MS);
    return ensureInstalled(root);
  }
  console.log('  Installing packages, which takes a minute or two …');
  await runNpm(root, CI, claim);
  // Where install scripts are blocked by policy, these are run when they are asked for.
  if (!existsSync(ownNode(root))) await runNpm(root, ['rebuild'], claim);
  copyFileSync(join(root, 'package-lock.json'), finishedMark(root));
  claim.release();
}
