/**
 * Makes `node_modules` match `package-lock.json`, or the part of it that a start needs. Runs before anything is installed: Node 20,
 * built-ins only.
 */
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { claimFile, holderOf } from './claim.mjs';
import { readText } from './files.mjs';
import { Problem } from './problem.mjs';
import { endProcess, identify } from './processes.mjs';
import { entriesOfStart, manifestOfStart } from './start-packages.mjs';

/**
 * Over the user's variables, which count more than `.npmrc` does. Development tools and optional packages are needed too: the latter
 * carry Node, PostgreSQL and the compilers for this machine.
 */
const ALL_KINDS = ['--include=dev', '--include=optional', '--include=peer'];
/** Makes everything anew. */
const CI = ['ci', ...ALL_KINDS];
/** Changes what differs from the lock file, so that a start that runs keeps what it loads. */
const ADD = ['install', '--no-save', ...ALL_KINDS];
/** Warnings are about packages for newer versions of Node, on which everything runs later. */
const ALWAYS = ['--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'];
/** Set by a surrounding npm or by the user, and each would make the inner npm do something else. */
const IN_THE_WAY =
  /^(NODE_ENV|npm_config_(workspaces?|include_workspace_root|omit|only|production|location|prefix|global_prefix|local_prefix))$/i;
const WAIT_POLL_MS = 500;
const KILL_LIMIT_MS = 2_000;
/** The Node that our programs need, where the packages have none for a machine. */
const OWN_NODE_MAJOR = 24;

/**
 * @typedef {import('./start-packages.mjs').LockEntry} LockEntry
 * @typedef {import('./start-packages.mjs').LockEntries} LockEntries
 * @typedef {'start' | 'everything'} Needed packages: those that a start needs, or all
 */

/**
 * @param {string} file
 * @returns {LockEntries | undefined}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readText(file) ?? '{}').packages;
  } catch {
    return undefined;
  }
}

/** @param {LockEntry} entry */
function isForThisMachine({ os = process.platform, cpu = process.arch, libc = ['glibc'] }) {
  // With another C library, its packages are left to npm and never counted as missing.
  const hasLibrary = process.platform !== 'linux' || libc.includes('glibc');
  return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch) && hasLibrary;
}

/**
 * Holds the lock file of the last installation that went through.
 *
 * @param {string} root
 * @param {Needed} needed
 */
function finishedMark(root, needed) {
  return join(root, 'node_modules', needed === 'start' ? '.switchyard-installed-for-start' : '.switchyard-installed');
}

/** @param {string} root */
function unfinishedMark(root) {
  return join(root, '.local', 'install.unfinished');
}

/**
 * The Node among the project's packages; the one that runs this where they have none for this machine and it is new enough.
 *
 * @param {string} root
 */
export function ownNode(root) {
  const [system, program] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  const own = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', program);
  const isNewEnough = Number.parseInt(process.versions.node, 10) >= OWN_NODE_MAJOR;
  return isNewEnough && !existsSync(own) ? process.execPath : own;
}

/**
 * npm leaves a list of what it installed in `node_modules`, written last. Comparing that with the lock file detects an
 * installation that was interrupted or belongs to an earlier state of the project. Of the optional
 * packages, those made for just this machine may be missing only when an installation of ours could not get them either.
 *
 * @param {string} root
 * @param {Needed} [needed]
 */
export function isInstalled(root, needed = 'everything') {
  const all = packagesIn(join(root, 'package-lock.json'));
  if (!all) throw new Problem('package-lock.json is missing or damaged.', ['Restore it: git checkout package-lock.json']);
  const expected = needed === 'start' ? entriesOfStart(all) : all;
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (!installed || existsSync(unfinishedMark(root)) || !existsSync(ownNode(root))) return false;
  /** @type {Needed[]} */
  const enough = needed === 'start' ? ['start', 'everything'] : ['everything'];
  const lock = readText(join(root, 'package-lock.json'));
  const triedAll = enough.some((each) => readText(finishedMark(root, each)) === lock);
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
 * Runs npm in a folder, with its output on the terminal. Throws a Problem when it fails. A signal to this process kills it
 * and all that it started: it would first finish what it is doing, which can take a minute.
 *
 * @param {string} root of the project
 * @param {readonly string[]} args
 * @param {import('./claim.mjs').Claim} claim takes note of it
 * @param {string} [folder] the project's own when left out
 * @returns {Promise<void>}
 */
function runNpm(root, args, claim, folder = root) {
  const { npm_execpath: cli } = process.env;
  const [command, first] = cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli]] : ['npm', []];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !IN_THE_WAY.test(name)));
  const child = spawn(command, [...first, ...args, ...ALWAYS, ...cacheArguments(root)], {
    cwd: folder,
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
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return;
  for (const [path, { link, resolved }] of Object.entries(packagesIn(join(root, 'package-lock.json')) ?? {})) {
    const at = join(root, path);
    if (!link || !resolved || existsSync(at) || !existsSync(join(root, resolved))) continue;
    rmSync(at, { force: true });
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(relative(dirname(at), join(root, resolved)), at, 'junction');
  }
}

/**
 * Installs the packages that a start needs: npm gets a project with these alone, beside ours, and what it has installed is moved here.
 *
 * @param {string} root
 * @param {import('./claim.mjs').Claim} claim
 */
async function installForStart(root, claim) {
  const beside = join(root, '.local', 'packages.unfinished');
  rmSync(beside, { recursive: true, force: true });
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entries = entriesOfStart(lock.packages);
  const workspaces = Object.keys(entries).filter((path) => !path.includes('node_modules/'));
  for (const path of workspaces) {
    const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    mkdirSync(join(beside, path), { recursive: true });
    writeFileSync(join(beside, path, 'package.json'), JSON.stringify(manifestOfStart(path, manifest)));
  }
  writeFileSync(join(beside, 'package-lock.json'), JSON.stringify({ ...lock, packages: entries }));
  copyFileSync(join(root, '.npmrc'), join(beside, '.npmrc'));
  await runNpm(root, CI, claim, beside);
  copyFileSync(join(root, 'package-lock.json'), finishedMark(beside, 'start'));
  for (const path of workspaces) {
    const [from, to] = [join(beside, path, 'node_modules'), join(root, path, 'node_modules')];
    rmSync(to, { recursive: true, force: true });
    if (existsSync(from)) renameSync(from, to);
  }
  rmSync(beside, { recursive: true });
}

/**
 * Installs the packages when they differ from the lock file, an interrupted installation included. Where a start needs them and nothing is
 * installed but what an earlier start needed, only those that it needs; what is there is left there otherwise.
 *
 * @param {string} root
 * @param {Needed} [needed]
 * @returns {Promise<void>}
 */
export async function ensureInstalled(root, needed = 'everything') {
  linkOwnPackages(root);
  if (isInstalled(root, needed)) return;
  mkdirSync(join(root, '.local'), { recursive: true });
  // npm takes a package for whole that it was interrupted in.
  const isWhole = existsSync(join(root, 'node_modules', '.package-lock.json')) && !existsSync(unfinishedMark(root));
  const claim = await claimFile(unfinishedMark(root));
  if (!claim) {
    console.log('  Another process is installing the packages; waiting for it.');
    while (holderOf(unfinishedMark(root))) await pause(WAIT_POLL_MS);
    return ensureInstalled(root, needed);
  }
  const isFresh = !existsSync(join(root, 'node_modules'));
  const kind = needed === 'start' && (isFresh || existsSync(finishedMark(root, 'start'))) ? 'start' : 'everything';
  console.log(`  Installing packages, which takes ${kind === 'start' ? 'half a minute' : 'a minute or two'} …`);
  if (kind === 'start') await installForStart(root, claim);
  else await runNpm(root, isWhole ? ADD : CI, claim);
  if (!existsSync(ownNode(root))) {
    throw new Problem(`The packages have no Node for ${process.platform} on ${process.arch}.`, [
      `Run this by Node ${OWN_NODE_MAJOR} or newer.`,
    ]);
  }
  if (kind === 'everything') rmSync(finishedMark(root, 'start'), { force: true });
  copyFileSync(join(root, 'package-lock.json'), finishedMark(root, kind));
  claim.release();
}
