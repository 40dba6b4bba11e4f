import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that runs merchants' code of another language. */
export interface Interpreter {
  readonly command: string;
  /** Arguments before those of the program. */
  readonly args: readonly string[];
  /** Variables beside the others. */
  readonly env: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, '..', '..');
const UNPACK = join(ROOT, 'scripts', 'testing', 'debian-package.ts');
const ANSWER_LIMIT_MS = 20_000;
const PHP_EXTENSIONS = ['curl', 'pdo_sqlite'];

/** The machine's Python, from 3.9 on. Null where there is none; with `CI` set it throws instead, so that no test is left out there. */
export function findPython(): Interpreter | null {
  // Its own path: a version manager in front of it takes longer than most programs.
  const read = 'import sys; print(sys.executable if sys.version_info >= (3, 9) else "")';
  const { stdout } = spawnSync('python3', ['-c', read], { timeout: ANSWER_LIMIT_MS, encoding: 'utf8' });
  const command = stdout?.trim() ?? '';
  if (command === '') return missing('Python 3.9', "Debian's package `python3`");
  return { command, args: [], env: { PYTHONDONTWRITEBYTECODE: '1' } };
}

/**
 * The machine's PHP with curl and SQLite, else that of Debian's packages, unpacked into `.local` without installing them. Null where there is
 * none and none can be had; with `CI` set it throws instead.
 */
export function findPhp(): Interpreter | null {
  const own: Interpreter = { command: 'php', args: [], env: {} };
  if (hasExtensions(own)) return own;
  const folder = join(ROOT, '.local', 'php');
  const unpacked = () => [unpackedPhp(folder)].find((php) => php !== null && hasExtensions(php)) ?? null;
  const found = unpacked();
  if (found !== null) return found;
  spawnSync(process.execPath, [UNPACK, folder, 'php-cli', 'php-curl', 'php-sqlite3'], { stdio: 'ignore' });
  return unpacked() ?? missing('PHP with curl and SQLite', "Debian's packages `php-cli`, `php-curl` and `php-sqlite3`");
}

function unpackedPhp(folder: string): Interpreter | null {
  const [command] = globSync('usr/bin/php8.*', { cwd: folder });
  const extensions = globSync('usr/lib/php/*/{ctype,curl,pdo,pdo_sqlite}.so', { cwd: folder }).toSorted();
  if (extensions.length === 0) return null;
  const libraries = globSync('usr/lib/*-linux-gnu*', { cwd: folder }).map((path) => join(folder, path));
  return {
    // Packages that the machine has are not unpacked: its own PHP then loads the extensions that it lacks.
    command: command === undefined ? 'php' : join(folder, command),
    // Without the machine's own settings, which name extensions that are elsewhere.
    args: [...(command === undefined ? [] : ['-n']), ...extensions.flatMap((path) => ['-d', `extension=${join(folder, path)}`])],
    env: libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {},
  };
}

function hasExtensions(php: Interpreter): boolean {
  const loaded = PHP_EXTENSIONS.map((name) => `extension_loaded('${name}')`).join(' && ');
  return answers(php, ['-r', `exit(PHP_VERSION_ID >= 80100 && ${loaded} ? 0 : 1);`]);
}

function answers({ command, args, env }: Interpreter, more: readonly string[]): boolean {
  const options = { env: { ...process.env, ...env }, timeout: ANSWER_LIMIT_MS, stdio: 'ignore' } as const;
  return spawnSync(command, [...args, ...more], options).status === 0;
}

function missing(what: string, how: string): null {
  if (process.env.CI) throw new Error(`There is no ${what}, which tests of what merchants install need. Install ${how}.`);
  console.warn(`LEFT OUT: there is no ${what} on this machine, and tests that need it do not run. Install ${how}.`);
  return null;
}

const LOCAL = join(import.meta.dirname, '..', '..', '.local');
const INSTALL_LIMIT_MS = 180_000;

/**
 * The path of a Node of a major version that merchants' code may run on: the machine's own where it has one, else the npm package `node` of
 * that version, installed in `.local`. Throws when neither is to be had, so that no test passes without it.
 */
export function findNode(major: number): string {
  const isOfMajor = (path: string) =>
    existsSync(path) && spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.startsWith(`v${major}.`);
  const folders = ['/usr/local/bin', '/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const folder = join(LOCAL, `node-${major}`);
  const installed = join(folder, 'node_modules', 'node', 'bin', 'node');
  const own = [process.execPath, ...folders.map((each) => join(each, 'node')), installed].find(isOfMajor);
  if (own !== undefined) return own;
  mkdirSync(LOCAL, { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  const npm = spawnSync('npm', ['install', '--prefix', unfinished, '--no-audit', '--no-fund', `node@${major}`], {
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another suite was faster.
    rmSync(unfinished, { recursive: true, force: true });
  }
  if (!isOfMajor(installed)) throw new Error(`no Node ${major} is here, and npm has none: ${npm.stderr}`);
  return installed;
}
