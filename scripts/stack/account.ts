import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Problem } from './problem.ts';

/** An account to run a program as, by its numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** In this order: the account made for the job where there is one, else one that every system has. */
const UNPRIVILEGED = ['postgres', 'nobody', 'daemon'];

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
  throw new Problem('PostgreSQL refuses to run as root, and this system has no unprivileged account to lend it.', [
    'Run this as an ordinary user, or set DATABASE_URL to a PostgreSQL server of yours.',
  ]);
}

/** Whether every folder down to this path, itself included, lets the account through. */
export function isReachable(path: string, account: Account): boolean {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const { uid, gid, mode } = statSync(absolute);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & bit) !== 0 && (parent === absolute || isReachable(parent, account));
}
