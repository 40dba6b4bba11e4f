import { BEGIN_FIRST_EPOCH } from '@switchyard/db/first-epoch';
import { migrateJobs, openDatabase } from '@switchyard/db/process';
import { Problem } from '../bootstrap/problem.mjs';
import { findRemaining, ROWS_REMAIN } from '../distribute/cluster.ts';
import { checkDistribution, distribute } from '../distribute/distribute.ts';
import {
  ensureDatabase,
  oneAtATime,
  pendingMigrations,
  requireOwnMigrations,
  resolveDatabase,
  withConnection,
} from '../stack/database.ts';
import { thisProject } from '../stack/project.ts';
import { setDatabaseAside } from '../stack/set-aside.ts';

async function migrate(migrations: string, url: string): Promise<void> {
  await requireOwnMigrations(migrations, url);
  const pending = await pendingMigrations(migrations, url);
  if (pending.length > 0) {
    // Loaded on demand: the engine is large.
    const { applyMigrations } = await import('../schema-engine/wasm-engine.ts');
    for (const name of await applyMigrations(migrations, url)) console.log(`Applied ${name}`);
  }
  const database = openDatabase({ url, maxConnections: 2 });
  await migrateJobs(database).finally(() => database.close());
  await distributeEmptyTables(url);
  await withConnection(url, (client) => client.query(BEGIN_FIRST_EPOCH));
}

async function distributeEmptyTables(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    const remaining = await findRemaining(client);
    if (remaining === 'empty tables') await distribute(client, { tell: console.log });
    if (remaining === 'rows') console.log(ROWS_REMAIN);
  });
}

/**
 * `database deploy`: creates the database when missing, applies the pending migrations, and creates or updates the tables of the job queue.
 * Safe to run at any time, and by several at once. On a Citus cluster it distributes the tables that have no rows yet.
 */
export async function deploy(): Promise<number> {
  const project = thisProject();
  const url = await resolveDatabase(project);
  await ensureDatabase(url);
  await oneAtATime(url, () => migrate(project.migrations, url));
  console.log('The database is up to date.');
  return 0;
}

/**
 * `database set-aside`: keeps the data of `DATABASE_URL`, else of the embedded server, under another name, and says under which. The next
 * `npm start` begins with empty data. Resolves with the exit code.
 */
export async function setAside(): Promise<number> {
  const project = thisProject(process.env.SWITCHYARD_LOCAL_DIR);
  const kept = await setDatabaseAside(project, process.env.DATABASE_URL, new Date());
  if (kept === null) console.log('There is no data to set aside.');
  else
    console.log(
      `The data is kept ${kept.kind === 'folder' ? `in ${kept.path}` : `in the database ${kept.name}`}. Start anew: npm start`,
    );
  return 0;
}

/**
 * `database distribute`: makes reference and distributed tables of the schema, on the cluster whose coordinator `DATABASE_URL` names. Web,
 * worker and reporting have to be stopped. May be run again at any time; what is done already stays. With `check` it resolves with 0 when
 * nothing is wrong with the cluster, else 1.
 */
export async function distributeRows({ shards, check }: { shards?: number | undefined; check: boolean }): Promise<number> {
  const url = process.env.DATABASE_URL;
  if (!url) {
    throw new Problem('DATABASE_URL is not set.', [
      "Set it to the coordinator's database: the embedded PostgreSQL has no Citus.",
    ]);
  }
  await ensureDatabase(url);
  return withConnection(url, async (client) => {
    if (check) {
      const faults = await checkDistribution(client);
      for (const fault of faults) console.log(fault);
      if (faults.length === 0) console.log('Every table is where it should be, and every node answers.');
      return faults.length === 0 ? 0 : 1;
    }
    await oneAtATime(url, () => distribute(client, { shardCount: shards, tell: console.log }));
    console.log('The database is distributed.');
    return 0;
  });
}
