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

/** Where data may be kept that must outlive a restart of the machine, best first. */
const KEEPING_PLACES = ['/var/lib', '/var/tmp', tmpdir()];

function writablePlace(account: Account): string {
  const place = KEEPING_PLACES.find((candidate) => {
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

/** A folder of root's own; anything else by that name was put there by somebody else and is not to be trusted. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Problem(`${folder} belongs to somebody else.`);
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

/** A copy belongs to whoever made it; the server insists on owning its files. */
function keepOwners(from: string, to: string): void {
  const { uid, gid } = lstatSync(from);
  lchownSync(to, uid, gid);
  if (!lstatSync(from).isDirectory()) return;
  for (const name of readdirSync(from)) keepOwners(join(from, name), join(to, name));
}

/**
 * Gives back the real folder to keep the server's files in.
 *
 * When root lends the server another account and the folder lies in a private home (`/root`), that account cannot get at it:
 * then the files live in a public place under a name made from the folder's path, and a symbolic link stands where the folder
 * would be. `moved` says so. Data that is already there moves along.
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

/** Hands a file, or a folder with all that is in it, to the account, when there is one to hand it to. */
export function handOver(path: string, account: Account | undefined): void {
  if (!account) return;
  lchownSync(path, account.uid, account.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) handOver(join(path, name), account);
}
