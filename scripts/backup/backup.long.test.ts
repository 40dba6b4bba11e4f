import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openSwitchyard } from '@switchyard/api/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMerchant, ORIGIN, recordPayment } from '../../packages/api/src/testing/switchyard.ts';
import { withConnection } from '../stack/database.ts';
import { type PostgresServer, startPostgres } from '../stack/postgres.ts';
import { removeServers, temporaryFolder } from '../testing/server-folder.ts';
import { backupFolder } from './folder.ts';

/** Each command is a process of its own, and a restore starts a server and three more. */
const COMMANDS_MS = 480_000;
const ROOT = join(import.meta.dirname, '..', '..');
const SETTINGS = { fsync: 'off' };

let folder: string;
let backup: string;
let original: PostgresServer;
let merchantId: string;
const servers: PostgresServer[] = [];
const key = randomBytes(32).toString('base64');
const keys = { SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`, SWITCHYARD_KEY_PEPPER: key, SWITCHYARD_PUBLIC_URL: ORIGIN };

async function start(name: string): Promise<PostgresServer> {
  const server = await startPostgres({ directory: join(folder, name), log: join(folder, `${name}.log`), settings: SETTINGS });
  servers.push(server);
  return server;
}

function run(program: string, args: readonly string[], server: PostgresServer = original) {
  const { INIT_CWD: _, ...env } = process.env;
  const given = { ...env, ...keys, DATABASE_URL: server.url('app') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: ROOT, encoding: 'utf8', env: given });
  return { status, output: stdout + stderr };
}

const command = (what: string, args: readonly string[] = [], server = original) =>
  run('scripts/admin/main.ts', ['backups', what, '--backup', backup, ...args], server);

/** Runs a command that has to succeed. */
function succeed(result: { status: number | null; output: string }): string {
  expect(result.status, result.output).toBe(0);
  return result.output;
}

async function ask(server: PostgresServer, statement: string, values: unknown[] = []): Promise<string> {
  const rows = await withConnection(server.url('app'), async (client) => (await client.query({ text: statement, values })).rows);
  return String(Object.values(rows[0] ?? {})[0]);
}

async function pay(server: PostgresServer, orders: readonly number[]): Promise<void> {
  const switchyard = openSwitchyard({ ...keys, DATABASE_URL: server.url('app') }, { write: () => undefined });
  for (const order of orders) await recordPayment(switchyard, merchantId, `order-${order}`);
  await switchyard.close();
}

/** A moment after all that was committed and before all that will be. */
async function moment(server: PostgresServer): Promise<string> {
  const now = Number(await ask(server, 'SELECT ceil(extract(epoch FROM clock_timestamp()) * 1000)::bigint'));
  await ask(server, "SELECT pg_sleep_until(to_timestamp($1::numeric / 1000) + interval '1 ms')", [now]);
  return new Date(now).toISOString();
}

/** Archives what was written. */
async function archiveAll(server: PostgresServer): Promise<void> {
  await ask(server, "SELECT pg_logical_emit_message(true, 'test', 'a segment without anything is not switched')");
  const segment = await ask(server, 'SELECT pg_walfile_name(pg_switch_wal())');
  await expect.poll(() => existsSync(join(backup, 'wal', `${segment}.gz`))).toBe(true);
}

const archived = () => readdirSync(join(backup, 'wal')).sort();
const orders = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Restores into a folder of this name. */
function restoreInto(name: string, to: string, more: readonly string[] = []) {
  return command('restore', ['--to', to, '--data', join(folder, name, 'data'), ...more]);
}

/** Starts a server on a restored folder, as an installation that goes on from it does. */
async function goOn(name: string): Promise<PostgresServer> {
  const access = existsSync(join(folder, 'original', 'access.json')) ? join(folder, 'original') : (original.movedTo ?? '');
  copyFileSync(join(access, 'access.json'), join(folder, name, 'access.json'));
  return start(name);
}

/** Its payments, and the last of them. */
async function paymentsOf(name: string): Promise<string> {
  const server = await goOn(name);
  const found = await ask(
    server,
    `SELECT count(*) || ' payments, the last is ' || max(merchant_order_id COLLATE "C") FROM payment`,
  );
  await server.stop();
  return found;
}

beforeAll(async () => {
  folder = temporaryFolder('backup');
  backup = join(folder, 'backup');
  mkdirSync(backup, { mode: 0o755 });
  original = await start('original');
  succeed(run('scripts/admin/main.ts', ['database', 'deploy']));
  const switchyard = openSwitchyard({ ...keys, DATABASE_URL: original.url('app') }, { write: () => undefined });
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  await switchyard.close();
}, COMMANDS_MS);

afterAll(async () => {
  for (const server of servers) await server.stop();
  removeServers(folder, servers);
}, COMMANDS_MS);

test('a base backup is refused while the server archives nothing', { timeout: COMMANDS_MS }, () => {
  const { status, output } = command('base');
  expect(output).toContain('does not archive its log');
  expect(status).toBe(2);
  expect(readdirSync(join(backup, 'base'))).toEqual([]);
});

test('folders are made for the account that writes, and one that it cannot enter is refused at once', {
  timeout: COMMANDS_MS,
}, async () => {
  const made = join(folder, 'made', 'below');
  succeed(run('scripts/admin/main.ts', ['backups', 'archive', '--backup', made]));
  const { uid } = statSync(await ask(original, "SELECT current_setting('data_directory')"));
  expect(['base', 'wal'].map((name) => statSync(join(made, name)).uid)).toEqual([uid, uid]);
  await ask(original, `COPY (SELECT 1) TO PROGRAM 'cat > ${made}/wal/written'`);
  // No other account is let through; nor is an ordinary user, who is the server's account then, without the right to pass.
  chmodSync(made, process.getuid?.() === 0 ? 0o700 : 0o600);
  const { status, output } = run('scripts/admin/main.ts', ['backups', 'archive', '--backup', made]);
  chmodSync(made, 0o755);
  expect(output).toContain(process.getuid?.() === 0 ? `The server cannot write into ${made}/wal` : 'permission denied');
  expect(status).not.toBe(0);
});

test('a base backup is refused at once while the log cannot be archived', { timeout: COMMANDS_MS }, async () => {
  const server = await start('failing');
  await withConnection(server.url('postgres'), (client) => client.query('CREATE DATABASE app'));
  const own = ['--backup', join(folder, 'failing-backup')];
  succeed(run('scripts/admin/main.ts', ['backups', 'archive', ...own], server));
  await ask(server, "ALTER SYSTEM SET archive_command = 'false'");
  await server.stop();
  const failing = await start('failing');
  await ask(failing, "SELECT pg_logical_emit_message(true, 'test', 'a segment without anything is not switched')");
  await ask(failing, 'SELECT pg_switch_wal()');
  await expect.poll(() => ask(failing, 'SELECT failed_count > 0 FROM pg_stat_archiver')).toBe('true');
  const { status, output } = run('scripts/admin/main.ts', ['backups', 'base', ...own], failing);
  expect(output).toContain('The server fails to archive its log');
  expect(status).toBe(2);
  await failing.stop();
});

test('restores end at the moment asked for, on the timeline asked for, however often', { timeout: COMMANDS_MS }, async () => {
  succeed(command('archive'));
  await original.stop();
  original = await start('original');
  succeed(command('base'));
  await pay(original, orders(100, 109));
  const first = await moment(original);
  await pay(original, orders(110, 119));
  const second = await moment(original);
  await pay(original, orders(120, 129));
  await archiveAll(original);

  expect(succeed(restoreInto('first', first))).toContain('of 10');
  const before = archived();
  const copy = await goOn('first');
  expect(await ask(copy, 'SHOW archive_mode')).toBe('off');
  await pay(copy, [200]);
  await ask(copy, 'SELECT pg_switch_wal()');
  await copy.stop();
  expect(archived()).toEqual(before);

  succeed(restoreInto('second', second));
  expect(await paymentsOf('second')).toBe('20 payments, the last is order-119');
  const late = restoreInto('late', new Date(Date.now() + 3_600_000).toISOString());
  expect(late.output).toContain('The log of this timeline ends before');
  expect(late.status).toBe(2);
  const early = restoreInto('early', new Date(Date.now() - 86_400_000).toISOString());
  expect(early.output).toContain('No complete base backup was finished before that moment.');
  expect(early.status).toBe(2);

  // The first copy becomes the database: from here on two timelines are archived.
  const goesOn = await goOn('first');
  succeed(command('archive', [], goesOn));
  await goesOn.stop();
  const database = await goOn('first');
  await pay(database, [201]);
  await archiveAll(database);
  const refused = restoreInto('refused', second);
  expect(refused.output).toContain('Name the timeline by --timeline: the log goes on from the backup on 1, 2.');
  expect(refused.status).toBe(2);
  succeed(restoreInto('of-one', second, ['--timeline', '1']));
  expect(await paymentsOf('of-one')).toBe('20 payments, the last is order-119');

  // Log that the copy wrote before it archived is in no archive: PostgreSQL would go on along the first timeline instead.
  const withoutBackup = restoreInto('without-backup', 'latest', ['--timeline', '2']);
  expect(withoutBackup.output).toMatch(/The log of timeline 2 was not archived whole .+: 00000002\w+ is missing\./);
  expect(withoutBackup.status).toBe(2);
  succeed(command('base', [], database));
  await archiveAll(database);
  succeed(restoreInto('of-two', 'latest', ['--timeline', '2']));
  expect(await paymentsOf('of-two')).toBe('12 payments, the last is order-201');
  await database.stop();
});

test('a copy whose payments end long before the moment is not taken', { timeout: COMMANDS_MS }, async () => {
  await ask(original, "UPDATE payment SET created_at = created_at - interval '20 minutes' RETURNING 1");
  const to = await moment(original);
  await ask(original, 'CREATE TABLE later ()');
  await archiveAll(original);
  const quiet = restoreInto('quiet', to, ['--timeline', '1']);
  expect(quiet.output).toMatch(/The newest payment, of \S+, is from 2\d minutes before/);
  expect(quiet.status).toBe(1);
});

test('base backups beyond the newest are removed with the log that only they needed', { timeout: COMMANDS_MS }, async () => {
  succeed(command('base'));
  await archiveAll(original);
  const all = readdirSync(join(backup, 'base')).sort();
  expect(all).toHaveLength(3);
  succeed(command('prune', ['--keep', '1']));
  expect(readdirSync(join(backup, 'base'))).toEqual(all.slice(-1));
  succeed(restoreInto('pruned', 'latest', ['--timeline', '1', '--quiet-minutes', '60']));
  expect(await paymentsOf('pruned')).toBe('30 payments, the last is order-129');
});

test('the folder of backups is named without what a shell or PostgreSQL would read otherwise', () => {
  for (const path of ['backup', '/back up', "/backup'", '/backup/%f', '/backup;id']) {
    expect(() => backupFolder(path), path).toThrow('has to be absolute');
  }
});
