/**
 * Runs a program of this project, `node scripts/run.mjs e2e/chaos/main.ts …`, on the machine's own Node, before anything is installed:
 * installs the packages, and then runs the program on the installed Node with the rest of the arguments.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, ownNode } from './bootstrap/install.mjs';
import { asProblem, Problem, problemText } from './bootstrap/problem.mjs';

const OLDEST_NODE = 20;
const START = 'scripts/stack/main.ts';
/** How often the parent's exit is checked. */
const ORPHAN_CHECK_MS = 500;

/**
 * Runs a program of the project on its own Node and ends this process with the program's exit code. Signals are passed on; when
 * this process or the npm that started it is killed outright, the program's channel closes and ends it.
 *
 * @param {string} root
 * @param {string} program
 * @param {readonly string[]} args
 */
function run(root, program, args) {
  // Caches compiled code between starts, which saves a quarter of the start time.
  const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE ?? join(root, '.local', 'compile-cache');
  const env = {
    // These programs bring gateways and receivers of their own, on this machine.
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    ...process.env,
    NODE_COMPILE_CACHE,
    PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].filter(Boolean).join(delimiter),
  };
  const child = spawn(ownNode(root), [program, ...args], {
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), ORPHAN_CHECK_MS).unref();
  }
  child.once('error', (error) => {
    console.error(`\nThe Node that comes with the packages cannot be run here: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [program = '', ...args] = process.argv.slice(2);
process.env.SWITCHYARD_STARTED_AT ??= String(Date.now());
try {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new Problem(`Node ${process.versions.node} is too old: version ${OLDEST_NODE} or newer is needed to begin with.`);
  }
  if (!existsSync(join(root, '.local'))) mkdirSync(join(root, '.local'));
  // Everything else tries, measures or develops, with tools that a start has no use for.
  await ensureInstalled(root, program === START && !args.includes('--dev') ? 'start' : 'everything');
  run(root, join(root, program), args);
} catch (error) {
  console.error(`\n${problemText(asProblem(error, []))}`);
  process.exitCode = 1;
}
