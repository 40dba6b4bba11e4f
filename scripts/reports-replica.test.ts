import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { applyRollupChanges } from '@switchyard/reporting/rollups';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { createStaffUser } from '@switchyard/staff/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendGraphql } from '../packages/api/src/testing/served.ts';
import { createTestMerchant, ORIGIN, recordPayment } from '../packages/api/src/testing/switchyard.ts';
import { withConnection } from './stack/database.ts';
import { type PostgresServer, startPostgres } from './stack/postgres.ts';
import { createMigratedDatabase, startMigratedPostgres } from './testing/postgres-for-tests.ts';
import { removeServers, temporaryFolder } from './testing/server-folder.ts';

const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '60', wal_level: 'replica', max_wal_senders: '4' };
const VOLUME = `query ($mode: Mode!, $from: DateTime!, $to: DateTime!) {
  volume(filter: { mode: $mode, from: $from, to: $to }, groupBy: [status]) {
    ... on VolumeReport { total { payments paid amount paidAmount fees } rows { status sums { payments amount } } }
  }
}`;
const ORDERS = 'query ($mode: Mode!) { payments(filter: { mode: $mode }, first: 50) { edges { node { merchantOrderId } } } }';

let folder: string;
let primary: PostgresServer;
let replica: PostgresServer;
/** Reads reports from the replica. */
let split: Switchyard;
/** Reads and writes the primary only. */
let whole: Switchyard;
let merchantId: string;
let token: string;

/** The replica begins as a copy of the primary's files while that is stopped, and follows it from there. */
beforeAll(async () => {
  folder = temporaryFolder('replica');
  const at = (name: string) => ({ directory: join(folder, name), log: join(folder, `${name}.log`), settings: SETTINGS });
  primary = await startMigratedPostgres(at('primary'));
  await createMigratedDatabase(primary.url('postgres'), 'app');
  await primary.stop();
  const from = primary.movedTo ?? join(folder, 'primary');
  const to = join(folder, 'replica');
  mkdirSync(to, { mode: 0o755 });
  cpSync(from, to, { recursive: true });
  chmodSync(join(to, 'data'), 0o700);
  writeFileSync(join(to, 'data', 'standby.signal'), '');
  primary = await startPostgres(at('primary'));
  const { hostname, port, username, password } = new URL(primary.url('app'));
  const follow = `host=${hostname} port=${port} user=${username} password=${password} application_name=replica`;
  replica = await startPostgres({ ...at('replica'), settings: { ...SETTINGS, primary_conninfo: follow } });
  await open();
}, 120_000);

async function open(): Promise<void> {
  const key = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: primary.url('app'),
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: ORIGIN,
  };
  const quiet = { write: () => undefined };
  split = openSwitchyard({ ...environment, SWITCHYARD_REPLICA_URL: replica.url('app') }, quiet);
  whole = openSwitchyard(environment, quiet);
  merchantId = await createTestMerchant(split, 'Balogun Books');
  const staffUser = await createStaffUser(split, {
    email: 'ada@example.com',
    name: 'Ada Obi',
    password: 'correct horse battery',
    grants: [{ merchantId, role: 'finance' }],
  });
  const issued = await issueToken(split, {
    scopes: ['reports'],
    name: 'Books',
    merchantIds: [merchantId],
    modes: ['test'],
    staffId: staffUser.staffId,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  ({ token } = issued);
}

afterAll(async () => {
  for (const each of [split, whole]) await each?.close();
  for (const each of [replica, primary]) await each?.stop();
  removeServers(folder, [primary, replica]);
}, 60_000);

async function ask(switchyard: Switchyard, query: string) {
  const variables = { mode: 'test', from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
  const body = JSON.stringify({ query, variables });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }))).json();
}

async function orders(switchyard: Switchyard): Promise<string[]> {
  const { data } = await ask(switchyard, ORDERS);
  return data.payments.edges.map(({ node }: { node: { merchantOrderId: string } }) => node.merchantOrderId).sort();
}

async function value(server: PostgresServer, sql: string, values: unknown[] = []): Promise<unknown> {
  const rows = await withConnection(server.url('app'), async (client) => (await client.query({ text: sql, values })).rows);
  return Object.values(rows[0] ?? {})[0];
}

/** Connections of a name on a server. */
async function connections(server: PostgresServer, name: string): Promise<number> {
  return Number(await value(server, 'SELECT count(*) FROM pg_stat_activity WHERE application_name = $1', [name]));
}

async function caughtUp(): Promise<void> {
  const place = await value(primary, 'SELECT pg_current_wal_lsn()::text');
  const there = () => value(replica, 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn', [place]);
  await expect.poll(there).toBe(true);
}

test('reports are read from the replica with the same results, everything else from the primary', async () => {
  for (const order of ['one', 'two', 'three']) await recordPayment(split, merchantId, order);
  const { database, reports } = split.resources;
  await database.pool.query(`UPDATE payment SET status = 'SUCCESS', fee_amount = 12.5 WHERE merchant_order_id <> 'three'`);
  await database.pool.query(`UPDATE payment SET status = 'PENDING' WHERE merchant_order_id = 'three'`);
  expect(await applyRollupChanges(database, 100)).toBeGreaterThan(0);
  await caughtUp();
  const volume = await ask(split, VOLUME);
  expect(volume.data.volume.total).toMatchObject({ payments: 3, paid: 2, fees: '25' });
  await database.pool.query('SELECT 1');
  expect(await connections(replica, 'switchyard reports')).toBeGreaterThan(0);
  expect(await connections(primary, 'switchyard reports')).toBe(0);
  expect(await connections(primary, 'switchyard')).toBeGreaterThan(0);
  expect(await connections(replica, 'switchyard')).toBe(0);
  const recovering = await reports.read(async (client) => (await client.query('SELECT pg_is_in_recovery() AS yes')).rows);
  expect(recovering).toEqual([{ yes: true }]);
  expect(volume).toEqual(await ask(whole, VOLUME));
});

test('a payment appears in reports once the replica has it', async () => {
  await withConnection(replica.url('postgres'), (client) => client.query('SELECT pg_wal_replay_pause()'));
  await recordPayment(split, merchantId, 'unseen');
  expect(await orders(whole)).toContain('unseen');
  expect(await orders(split)).not.toContain('unseen');
  await withConnection(replica.url('postgres'), (client) => client.query('SELECT pg_wal_replay_resume()'));
  await caughtUp();
  expect(await orders(split)).toEqual(await orders(whole));
});

test('without the replica reports are unavailable, and payments are accepted', async () => {
  await replica.stop();
  for (const query of [VOLUME, ORDERS]) {
    const { errors } = await ask(split, query);
    expect(errors[0].extensions.code).toBe('UNAVAILABLE');
  }
  await recordPayment(split, merchantId, 'still-taken');
  expect(await orders(whole)).toContain('still-taken');
});
