import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { DISTRIBUTION } from '../../prisma/distribution.ts';
import { withConnection } from '../stack/database.ts';
import { createClusterDatabase } from '../testing/citus/cluster.ts';
import { findRemaining, refuseUnfit } from './cluster.ts';
import { checkDistribution, distribute } from './distribute.ts';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'prisma', 'migrations');
const TABLES = DISTRIBUTION.reference.length + Object.keys(DISTRIBUTION.distributed).length;

/** Applies pending migrations in a process of its own, as the engine can be loaded once in each. Returns their names. */
async function applyMigrations(folder: string, url: string): Promise<unknown> {
  const program = join(import.meta.dirname, 'testing', 'apply-migrations.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder, url], { timeout: 120_000 });
  return JSON.parse(stdout);
}

/** A client of a database, which is closed after the test. */
async function connect(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...options });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A new database on every server of the cluster, joined to one, without tables; dropped after the test. Returns its address. */
async function clusterDatabase(): Promise<string> {
  const name = `plain_${randomUUID().replaceAll('-', '')}`;
  const addresses = { coordinator: inject('adminDatabaseUrl'), workers: inject('nodeDatabaseUrls') };
  onTestFinished(async () => {
    for (const server of [addresses.coordinator, ...addresses.workers]) {
      await withConnection(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    }
  });
  return createClusterDatabase(addresses, name);
}

/** A migrated database with merchants that have payments, and are on different parts. */
async function databaseWithPayments(): Promise<{ url: string; client: pg.Client }> {
  const url = await clusterDatabase();
  await applyMigrations(MIGRATIONS, url);
  const client = await connect(url);
  await client.query(
    `WITH made AS (
       INSERT INTO merchant (id, merchant_number, name, created_at, updated_at)
       SELECT gen_random_uuid(), number, 'Merchant ' || number, now(), now() FROM generate_series(1, 20) AS number RETURNING id),
     tenants AS (INSERT INTO tenant SELECT id FROM made ON CONFLICT DO NOTHING)
     INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
       smart_routing_bypassed, rule_set_version, packed_decision, packed_session, recommended_gateway, expires_at, version,
       status_event_id, status_changed_at, created_at, updated_at)
     SELECT made.id, gen_random_uuid(), 'test', 'order-' || number, 'PENDING', 2500, 'NGN', 'ada@example.com', 'SMART', false, 1, '', '',
       'paystack', now(), 1, gen_random_uuid(), now(), now(), now() FROM made CROSS JOIN generate_series(1, 5) AS number`,
  );
  return { url, client };
}

/** Payments that the change records of the roll-ups add up to. */
async function recordedPayments(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ sum: number }>('SELECT sum(payments)::int AS sum FROM payment_rollup_change');
  return rows[0]?.sum ?? 0;
}

const told = (lines: string[]) => ({ shardCount: 4, tell: (line: string) => void lines.push(line) });

test('a database with payments keeps them, and distributing it again does nothing', async () => {
  const { client } = await databaseWithPayments();
  const before = await client.query('SELECT * FROM payment ORDER BY id');
  const first: string[] = [];
  await distribute(client, told(first));
  expect(first).toHaveLength(TABLES);
  expect(first.find((line) => line.startsWith('payment '))).toMatch(/^payment is split by merchant_id: 100 rows, /);
  expect((await client.query('SELECT * FROM payment ORDER BY id')).rows).toEqual(before.rows);
  expect(await recordedPayments(client)).toBe(100);
  await client.query("UPDATE payment SET status = 'FAILED', failure_reason = 'declined' WHERE merchant_order_id = 'order-1'");
  expect(await recordedPayments(client)).toBe(100);
  const parts = await client.query(
    "SELECT count(DISTINCT nodeport)::int AS nodes FROM citus_shards WHERE table_name = 'payment'::regclass",
  );
  expect(parts.rows).toEqual([{ nodes: 2 }]);
  expect(await checkDistribution(client)).toEqual([]);
  const again: string[] = [];
  await distribute(client, told(again));
  expect(again).toEqual([]);
});

test('no server keeps plans, and a cluster of which one does is started on by nothing', async () => {
  const { url, client } = await databaseWithPayments();
  await refuseUnfit(client);
  await distribute(client, told([]));
  const later = await connect(url);
  const keeps = "SELECT DISTINCT result FROM run_command_on_all_nodes('SELECT current_setting(''plan_cache_mode'')')";
  expect((await later.query(keeps)).rows).toEqual([{ result: 'force_custom_plan' }]);
  await refuseUnfit(later);
  const node = Object.assign(new URL(inject('nodeDatabaseUrls')[0] ?? ''), { pathname: new URL(url).pathname }).href;
  const keep = `DO $$ BEGIN EXECUTE format('ALTER ROLE %I IN DATABASE %I SET plan_cache_mode TO auto', current_user, current_database()); END $$`;
  await withConnection(node, (direct) => direct.query(`SET citus.enable_alter_role_set_propagation TO off; ${keep}`));
  expect(await checkDistribution(later)).toEqual([
    'plan_cache_mode is not set on some server: npm run admin -- database distribute',
  ]);
  await expect(refuseUnfit(later)).rejects.toThrow('Some server of the cluster is without plan_cache_mode.');
  await distribute(later, told([]));
  await refuseUnfit(later);
  expect(await checkDistribution(later)).toEqual([]);
});

test('nodes that rows move to for the first time begin no epoch', async () => {
  const { client } = await databaseWithPayments();
  await distribute(client, told([]));
  const unknown = await client.query(
    `SELECT nodeid FROM run_command_on_all_nodes('SELECT database_identity()')
     WHERE result NOT IN (SELECT identity FROM database_epoch WHERE began_at = to_timestamp(0))`,
  );
  expect(unknown.rows).toEqual([]);
});

test('a run that was interrupted goes on where it was', async () => {
  const { client } = await databaseWithPayments();
  const lines: string[] = [];
  const stopAfter = 10;
  const stopping = distribute(client, {
    shardCount: 4,
    tell: (line) => {
      if (lines.push(line) === stopAfter) throw new Error('interrupted');
    },
  });
  await expect(stopping).rejects.toThrow('interrupted');
  const rest: string[] = [];
  await distribute(client, told(rest));
  expect([...lines, ...rest].map((line) => line.split(' ')[0]).toSorted()).toEqual(
    [...DISTRIBUTION.reference, ...Object.keys(DISTRIBUTION.distributed)].toSorted(),
  );
  expect(await checkDistribution(client)).toEqual([]);
});

test('a function that a later version makes runs beside the rows of its merchant once it is distributed', async () => {
  const { client } = await databaseWithPayments();
  await distribute(client, told([]));
  expect((await client.query('SELECT rows_share_a_node() AS share')).rows).toEqual([{ share: false }]);
  const { rows } = await client.query("SELECT pg_get_functiondef('reserve_payments'::regproc) AS definition");
  await client.query('DROP FUNCTION reserve_payments');
  await client.query(rows[0].definition);
  expect(await checkDistribution(client)).toEqual([
    'reserve_payments(uuid,json,json) does not run beside its rows: npm run admin -- database distribute',
  ]);
  expect(await findRemaining(client)).toBe('empty tables');
  await distribute(client, told([]));
  expect(await checkDistribution(client)).toEqual([]);
});

test('while a process of the product is connected nothing is moved', async () => {
  const { url, client } = await databaseWithPayments();
  expect(await findRemaining(client)).toBe('rows');
  await connect(url, { application_name: 'switchyard' });
  await expect(distribute(client, told([]))).rejects.toThrow(
    'Web, worker or reporting are connected to this database (1 connections).',
  );
  const [fault] = (await checkDistribution(client)).filter((line) => line.startsWith('payment '));
  expect(fault).toBe('payment is local, and should be distributed: npm run admin -- database distribute');
});

test('a database without Citus, without a node or without tables is refused with what to do', async () => {
  const bare = await clusterDatabase();
  const client = await connect(bare);
  expect(await findRemaining(client)).toBe('empty tables');
  await expect(distribute(client, told([]))).rejects.toThrow(/^Tables are missing: merchant, /);
  await client.query('SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid <> 0');
  await expect(distribute(client, told([]))).rejects.toMatchObject({ hints: ['No node takes rows: SELECT citus_add_node(…)'] });
  expect(await findRemaining(client)).toBe('none');
  await client.query('DROP EXTENSION citus');
  await expect(distribute(client, told([]))).rejects.toThrow('This database has no Citus.');
  expect(await checkDistribution(client)).toEqual(['This database has no Citus.']);
});

test('a later version adds columns, indexes and tables, which are placed beside processes that run once they are listed', async () => {
  const { url, client } = await databaseWithPayments();
  await distribute(client, told([]));
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(MIGRATIONS, folder, { recursive: true });
  const name = '20991231000000_later';
  mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, name, 'migration.sql'),
    `ALTER TABLE "payment" ADD COLUMN "note" TEXT NOT NULL DEFAULT 'none';
     CREATE INDEX "payment_by_note" ON "payment" ("merchant_id", "note");
     CREATE TABLE "later" ("id" UUID NOT NULL PRIMARY KEY);`,
  );
  expect(await applyMigrations(folder, url)).toEqual([name]);
  const later = await connect(url);
  expect((await later.query("SELECT count(*)::int AS count FROM payment WHERE note = 'none'")).rows).toEqual([{ count: 100 }]);
  const indexes = await later.query(
    `SELECT DISTINCT result FROM run_command_on_shards('payment', $$SELECT count(*) FROM pg_indexes WHERE tablename = '%s'
       AND indexname LIKE 'payment_by_note%%'$$)`,
  );
  expect(indexes.rows).toEqual([{ result: '1' }]);
  expect(await checkDistribution(later)).toEqual([]);
  await connect(url, { application_name: 'switchyard' });
  await later.query("SELECT undistribute_table('payment_note')");
  expect(await findRemaining(later)).toBe('empty tables');
  const lines: string[] = [];
  await distribute(later, told(lines));
  expect(lines).toEqual([expect.stringMatching(/^payment_note is split by merchant_id: 0 rows, /)]);
});
