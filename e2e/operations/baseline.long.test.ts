import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { releasedVersion, releaseOf } from './released.ts';
import { schemaCatalogue } from './schema-catalogue.ts';

/** The migration that makes the schema of 0.1.0, in place of those that 0.1.0 has. */
const BASELINE = '20261126000802_baseline';
const TIMEOUT_MS = 480_000;
const ROOT = join(import.meta.dirname, '..', '..');
const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** A database with the current schema. */
let current: TestDatabase;
/** A database that 0.1.0 has migrated and written its demo data to. */
let released: string;
let releasedSchema: string;

beforeAll(async () => {
  current = await createTestDatabase();
  const version = releasedVersion(releaseOf('0.1.0'));
  released = await createDatabase('template0');
  expect(await run(version, 'scripts/db-deploy.ts', released)).toMatchObject({ code: 0 });
  releasedSchema = await schemaOf(released);
  await writeDemoData(version);
}, TIMEOUT_MS);
afterAll(async () => {
  await current.pool.query(`DROP DATABASE ${released}`);
  await current.close();
}, TIMEOUT_MS);

/** Creates a database as a copy of another one. Returns its name. */
async function createDatabase(template: string): Promise<string> {
  const name = `baseline_${randomUUID().replaceAll('-', '')}`;
  await current.pool.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return name;
}

/** A copy of the database of 0.1.0 for one test. */
async function copyOfReleased(): Promise<string> {
  const name = await createDatabase(released);
  onTestFinished(async () => void (await current.pool.query(`DROP DATABASE ${name}`)));
  return name;
}

function addressOf(name: string): string {
  const url = new URL(current.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function within<T>(name: string, use: (pool: Database['pool']) => Promise<T>): Promise<T> {
  const database = openDatabase({ url: addressOf(name), maxConnections: 1 });
  return use(database.pool).finally(() => database.close());
}

/** The current schema as a database has it that had payments before: JSON is not packed there, as processes of 0.1.0 may read it. */
async function schemaAfterUpgrade(): Promise<string> {
  return (await schemaCatalogue(current.pool)).replace(/( public\.packs_texts\(\)[^$]+\$function\$SELECT) true/, '$1 false');
}

/** Indexes that processes of 0.1.0 find rows by: a database that had payments keeps them until the next release. */
const KEPT_INDEXES = [
  'attempt_by_transaction',
  'attempt_merchant_id_account_id_reference_key',
  'gateway_webhook_by_reference',
  'merchant_event_merchant_id_payment_id_idx',
  'webhook_delivery_due',
];

async function schemaOf(name: string): Promise<string> {
  return within(name, schemaCatalogue);
}

/** The schema of a database that was upgraded, without the indexes that it keeps. Throws where one of them is missing. */
async function upgradedSchemaOf(name: string): Promise<string> {
  return within(name, async (pool) => {
    await pool.query(`DROP INDEX ${KEPT_INDEXES.join(', ')}`);
    return schemaCatalogue(pool);
  });
}

/** Runs a program of a version on a database. The event loop stays free for the sandbox below. */
async function run(folder: string, program: string, name: string, more: Record<string, string> = {}): Promise<Outcome> {
  const env = { PATH, HOME, NODE_COMPILE_CACHE, DATABASE_URL: addressOf(name), ...more };
  return new Promise((done) => {
    execFile(process.execPath, [join(folder, program)], { cwd: folder, env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: `${stdout}${stderr}` });
    });
  });
}

async function deploy(name: string): Promise<Outcome> {
  return run(ROOT, 'scripts/db-deploy.ts', name);
}

/** Five weeks of payments of several merchants. The sandbox, where they are registered too, agrees to everything. */
async function writeDemoData(version: string): Promise<void> {
  const sandbox = createServer((request, response) => void request.resume().on('end', () => response.end('{}')));
  await once(sandbox.listen(0, '127.0.0.1'), 'listening');
  const address = sandbox.address();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-demo-'));
  const outcome = await run(version, 'prisma/seed.ts', released, {
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_AUTH_SECRET: randomBytes(32).toString('base64'),
    SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:3000',
    SWITCHYARD_SANDBOX_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SWITCHYARD_DEMO_FILE: join(folder, 'demo.json'),
  });
  sandbox.close();
  rmSync(folder, { recursive: true });
  expect(outcome).toMatchObject({ code: 0 });
}

/** For each table, how many rows it has and a digest of what they hold in the columns that 0.1.0 has. */
async function contentsOf(name: string, columns: readonly { readonly table: string; readonly list: string }[]) {
  return within(name, async (pool) => {
    const contents: Record<string, unknown> = {};
    for (const { table, list } of columns) {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS rows, md5(string_agg(row::text, E'\\n' ORDER BY row::text)) AS digest
         FROM (SELECT ${list} FROM "${table}") AS row`,
      );
      contents[table] = rows[0];
    }
    return contents;
  });
}

async function columnsOf(name: string) {
  return within(name, async (pool) => {
    const { rows } = await pool.query<{ table: string; list: string }>(
      `SELECT table_name AS table, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS list
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' GROUP BY table_name`,
    );
    return rows;
  });
}

test('the baseline makes the schema of 0.1.0, to the line of the catalogue', { timeout: TIMEOUT_MS }, async () => {
  const name = await createDatabase('template0');
  onTestFinished(async () => void (await current.pool.query(`DROP DATABASE ${name}`)));
  await within(name, (pool) => pool.query(readFileSync(join(ROOT, 'prisma/migrations', BASELINE, 'migration.sql'), 'utf8')));
  expect(releasedSchema.split('\n').length).toBeGreaterThan(1_000);
  expect(await schemaOf(name)).toBe(releasedSchema);
});

describe('database deploy', { timeout: TIMEOUT_MS }, () => {
  test('brings a database of 0.1.0 to the current schema and changes none of its data, three at once', async () => {
    const name = await copyOfReleased();
    const columns = await columnsOf(name);
    const before = await contentsOf(name, columns);
    expect(before).toMatchObject({ payment: { rows: expect.toSatisfy((rows: number) => rows > 1_000) } });

    const outcomes = await Promise.all([deploy(name), deploy(name), deploy(name)]);
    expect(
      outcomes.map(({ code }) => code),
      outcomes.map(({ output }) => output).join('\n'),
    ).toEqual([0, 0, 0]);
    expect(outcomes.filter(({ output }) => output.includes(`Recorded ${BASELINE}`)).length).toBe(1);
    expect(await upgradedSchemaOf(name)).toBe(await schemaAfterUpgrade());
    expect(await contentsOf(name, columns)).toEqual(before);

    const again = await deploy(name);
    expect(again).toEqual({ code: 0, output: 'The database is up to date.\n' });
  });

  test('goes on from a database that has some of the later migrations too', async () => {
    const name = await copyOfReleased();
    const later = '20261126000900_process_heartbeat';
    await within(name, async (pool) => {
      await pool.query(readFileSync(join(ROOT, 'prisma/migrations', later, 'migration.sql'), 'utf8'));
      await pool.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
         VALUES ('later', '', $1, now(), now(), 1)`,
        [later],
      );
    });
    const { code, output } = await deploy(name);
    expect(code, output).toBe(0);
    expect(output).not.toContain(`Applied ${later}`);
    expect(await upgradedSchemaOf(name)).toBe(await schemaAfterUpgrade());
  });

  test.each([
    [
      'lacks some of the migrations of 0.1.0',
      "DELETE FROM _prisma_migrations WHERE migration_name > '20261126000104'",
      'has 49 of the 61 migrations',
    ],
    [
      'has one that was not finished',
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '20261126000200_staff_time_zone'",
      '20261126000200_staff_time_zone was begun in this database and not finished',
    ],
    [
      'was made by other migrations of these names',
      "UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name = '20261126000200_staff_time_zone'",
      'are not those of 0.1.0',
    ],
  ])('refuses a database that %s, says where to read on, and changes nothing', async (_, change, message) => {
    const name = await copyOfReleased();
    const records = async () =>
      within(name, async (pool) => (await pool.query('SELECT * FROM _prisma_migrations ORDER BY id')).rows);
    await within(name, (pool) => pool.query(change));
    const before = await records();
    const { code, output } = await deploy(name);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
    expect(output).toContain('docs/upgrades.md');
    expect(await records()).toEqual(before);
    expect(await schemaOf(name)).toBe(releasedSchema);
  });
});
