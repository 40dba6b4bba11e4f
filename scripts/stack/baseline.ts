import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { errorCode, Problem } from '../bootstrap/problem.mjs';
import { NO_SUCH_TABLE, withConnection } from './database.ts';

/** The migration that makes the whole schema of 0.1.0. */
export const BASELINE = '20261126000802_baseline';
/** The migrations of 0.1.0, which it replaces; the digest is of their names and checksums, in their order. */
const REPLACED = {
  count: 61,
  last: '20261126000801_drop_payment_by_phone',
  digest: '9555a9a4e6d0ab51b6d212df381bfe0649a508d8321471f7d81d2e9a4cdd4e3f',
} as const;
const SEE = 'How to go on: docs/upgrades.md, "From 0.1.0".';

interface Recorded {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/**
 * Records the baseline as applied in a database that has the migrations of 0.1.0, whose schema it is, and runs nothing. Their records
 * stay, as programs of 0.1.0 look for them. False in an empty database, where it is to be applied, and where that failed. Throws a
 * Problem where the records are neither none nor those of 0.1.0 whole; nothing is changed then. Nothing else may migrate meanwhile.
 */
export async function recordBaseline(migrations: string, url: string): Promise<boolean> {
  return withConnection(url, async (client) => {
    const recorded = await recordedMigrations(client);
    if (recorded.length === 0 || recorded.some(({ name }) => name === BASELINE)) return false;
    requireRelease(recorded);
    const checksum = sha256(readFileSync(join(migrations, BASELINE, 'migration.sql')));
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), now(), 0)`,
      [randomUUID(), checksum, BASELINE],
    );
    return true;
  });
}

async function recordedMigrations(client: pg.Client): Promise<Recorded[]> {
  try {
    const { rows } = await client.query<Recorded>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations
       WHERE rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
    );
    return rows;
  } catch (error) {
    if (errorCode(error) === NO_SUCH_TABLE) return [];
    throw error;
  }
}

/** Throws a Problem unless these begin with all migrations of 0.1.0, each finished. */
function requireRelease(recorded: readonly Recorded[]): void {
  const failed = recorded.find(({ finished }) => !finished);
  if (failed !== undefined) throw new Problem(`The migration ${failed.name} was begun in this database and not finished.`, [SEE]);
  const replaced = recorded.filter(({ name }) => name <= REPLACED.last);
  if (replaced.length < REPLACED.count) {
    throw new Problem(`This database has ${replaced.length} of the ${REPLACED.count} migrations of 0.1.0.`, [SEE]);
  }
  const digest = sha256(replaced.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'));
  if (digest !== REPLACED.digest) throw new Problem('The migrations of this database are not those of 0.1.0.', [SEE]);
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
