import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { claimFile } from '../bootstrap/claim.mjs';
import { errorCode, Problem } from '../bootstrap/problem.mjs';
import { inDatabase, withConnection } from './database.ts';
import { alreadyRunning, type Project } from './project.ts';

const NO_SUCH_DATABASE = '3D000';
const NAME_TAKEN = '42P04';
const IN_USE = '55006';
const NAMES_MAX = 100;

/** The data that was set aside: a folder of the embedded server, or a database under another name; null where there was none. */
export type SetAside =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'database'; readonly name: string }
  | null;

/**
 * Keeps the data of the database under another name, which ends in the day, so that the next start begins with empty data: the folder of the
 * embedded server, or the database of `databaseUrl`. Nothing is deleted, and the secrets stay for both. Throws a Problem while the stack runs
 * from this folder, or while programs are connected to the database.
 */
export async function setDatabaseAside(project: Project, databaseUrl: string | undefined, now: Date): Promise<SetAside> {
  mkdirSync(project.local, { recursive: true });
  const claim = await claimFile(project.runFile);
  if (!claim) throw alreadyRunning(project);
  const day = now.toISOString().slice(0, 10);
  try {
    return databaseUrl ? await renameDatabase(databaseUrl, day) : renameFolder(project.postgres, day);
  } finally {
    claim.release();
  }
}

function renameFolder(folder: string, day: string): SetAside {
  if (!existsSync(folder)) return null;
  const path = namesFor(basename(folder), day)
    .map((name) => join(dirname(folder), name))
    .find((free) => !existsSync(free));
  if (path === undefined) throw new Problem(`There are ${NAMES_MAX} folders of this day beside ${folder}.`, ['Move some away.']);
  renameSync(folder, path);
  return { kind: 'folder', path };
}

async function renameDatabase(url: string, day: string): Promise<SetAside> {
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  return withConnection(inDatabase(url, 'postgres'), async (client) => {
    for (const name of namesFor(database, day)) {
      try {
        await client.query(`ALTER DATABASE ${pg.escapeIdentifier(database)} RENAME TO ${pg.escapeIdentifier(name)}`);
        return { kind: 'database', name };
      } catch (error) {
        const code = errorCode(error);
        if (code === NO_SUCH_DATABASE) return null;
        if (code === IN_USE)
          throw new Problem(`Programs are connected to the database ${database}.`, ['Stop them first.'], error);
        if (code !== NAME_TAKEN) throw error;
      }
    }
    throw new Problem(`There are ${NAMES_MAX} databases of this day beside ${database}.`, ['Rename some.']);
  });
}

/** Names with the day, and a number from the second on. */
function namesFor(name: string, day: string): readonly string[] {
  return Array.from({ length: NAMES_MAX }, (_, at) => (at === 0 ? `${name}-${day}` : `${name}-${day}-${at + 1}`));
}
