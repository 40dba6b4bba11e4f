import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Account, isReachable } from './account.ts';
import { errorCode, Problem } from './problem.ts';

/** Folders for data that must survive a restart of the machine, best first. */
const DATA_FOLDERS = ['/var/lib', '/var/tmp', tmpdir()];

function writablePlace(account: Account): string {
  const place = DATA_FOLDERS.find((candidate) => {
    try {
      accessSync(candidate, constants.W_OK);
      return isReachable(candidate, account);
    } catch {
      return false;
    }
  });
  if (place) return place;
  throw new Problem('PostgreSQL cannot run as root here, and there is no folder that an unprivileged account could use.', [
    'Run this as an ordinary user, or set DATABASE_URL to a PostgreSQL server of yours.',
  ]);
}

/** Creates a folder owned by root; one of another owner is not trusted. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Problem(`${folder} belongs to another user.`);
  chmodSync(folder, 0o755);
}

function moveInto(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    try {
      renameSync(join(from, name), join(to, name));
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      cpSync(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      keepOwners(join(from, name), join(to, name));
    }
  }
  rmSync(from, { recursive: true });
}

/** Restores the owners of copied files: the server has to own its files. */
function keepOwners(from: string, to: string): void {
  const { uid, gid } = lstatSync(from);
  lchownSync(to, uid, gid);
  if (!lstatSync(from).isDirectory()) return;
  for (const name of readdirSync(from)) keepOwners(join(from, name), join(to, name));
}

/**
 * Returns the real folder of the server's files.
 *
 * When root runs the server under another account and the folder lies in a private home (`/root`), that account cannot read it:
 * then the files live in a public place under a name made from the folder's path, and a symbolic link replaces the
 * folder. `moved` is true then. Existing data is moved along.
 */
export function postgresDirectory(directory: string, account: Account | undefined): { folder: string; moved: boolean } {
  const wanted = resolve(directory);
  mkdirSync(dirname(wanted), { recursive: true });
  const existing = lstatSync(wanted, { throwIfNoEntry: false });
  if (existing?.isSymbolicLink()) removeIfBroken(wanted);
  mkdirSync(wanted, { recursive: true });
  const real = realpathSync(wanted);
  if (!account || isReachable(real, account)) return { folder: real, moved: real !== wanted };

  const name = `switchyard-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`;
  const folder = join(writablePlace(account), name);
  makeOwnFolder(folder);
  moveInto(real, folder);
  rmSync(wanted, { force: true });
  symlinkSync(folder, wanted);
  return { folder, moved: true };
}

function removeIfBroken(link: string): void {
  try {
    realpathSync(link);
  } catch {
    rmSync(link);
  }
}

/** Changes the owner of a file, or of a folder with its contents, to the account, if any. */
export function handOver(path: string, account: Account | undefined): void {
  if (!account) return;
  lchownSync(path, account.uid, account.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) handOver(join(path, name), account);
}
