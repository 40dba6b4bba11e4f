import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Problem } from './problem.mjs';
import { endProcess, identify } from './processes.mjs';

/** The exit code of an npm that was ended by a signal. */
export const INTERRUPTED = 130;

/** Set by a surrounding npm or by the user, and each would make the inner npm do something else. */
const IN_THE_WAY =
  /^(NODE_ENV|npm_config_(workspaces?|include_workspace_root|omit|only|production|location|prefix|global_prefix|local_prefix))$/i;

/**
 * The npm settings this project needs, overriding the user's configuration. As environment variables they also reach the npm that
 * the package `node` runs to fetch the binary for this machine.
 */
const SETTINGS = {
  npm_config_ignore_scripts: 'false',
  npm_config_dry_run: 'false',
  npm_config_global: 'false',
  npm_config_workspaces: 'null',
  npm_config_engine_strict: 'false',
  npm_config_package_lock: 'true',
  npm_config_bin_links: 'true',
  npm_config_install_links: 'false',
  npm_config_install_strategy: 'hoisted',
  npm_config_legacy_peer_deps: 'false',
  npm_config_strict_peer_deps: 'false',
  npm_config_foreground_scripts: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_progress: 'false',
  npm_config_loglevel: 'error',
};

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

/** npm would finish what it is doing before it heeds a signal, which can take a minute. */
const STOP_GRACE_MS = 2_000;

/**
 * Runs npm in the project's folder and resolves with its exit code. A signal to this process ends it, and all that it started.
 *
 * @param {string} root
 * @param {readonly string[]} args
 * @param {string} log file that takes its output
 * @param {(npm: import('./processes.mjs').ProcessIdentity) => void} started
 * @returns {Promise<number>}
 */
export function runNpm(root, args, log, started) {
  const { npm_execpath: cli } = process.env;
  const [command, first] = cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli]] : ['npm', []];
  const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !IN_THE_WAY.test(name))), ...SETTINGS };
  const output = openSync(log, 'a', 0o600);
  const all = [...first, ...args, ...cacheArguments(root)];
  const child = spawn(command, all, { cwd: root, env, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  const npm = identify(child.pid);
  if (npm) started(npm);
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    if (npm) void endProcess(npm, ['SIGINT', 'SIGKILL'], STOP_GRACE_MS);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, interrupt);
  return new Promise((done, fail) => {
    child.once('error', () => fail(new Problem('npm was not found.', ['Install Node.js with npm, then start again.'])));
    child.once('exit', (code, signal) => {
      for (const each of signals) process.off(each, interrupt);
      done(isInterrupted || signal ? INTERRUPTED : (code ?? 1));
    });
  });
}
