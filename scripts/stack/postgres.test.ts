import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endProcess, isRunning } from '../bootstrap/processes.mjs';
import { withConnection } from './database.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const LIMIT_MS = 240_000;
/** The tests are about files and processes, not about surviving a power cut. */
const settings = { fsync: 'off' };

let folder: string;
let server: PostgresServer | undefined;

async function start(directory = join(folder, 'postgres')): Promise<PostgresServer> {
  server = await startPostgres({ directory, log: join(folder, 'postgres.log'), settings });
  return server;
}

async function ask(running: PostgresServer, statement: string): Promise<unknown[]> {
  return withConnection(running.url('postgres'), async (client) => (await client.query(statement)).rows);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-postgres-'));
  chmodSync(folder, 0o755);
});

afterEach(async () => {
  await server?.stop();
  if (server?.movedTo) rmSync(server.movedTo, { recursive: true, force: true });
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', { timeout: LIMIT_MS }, () => {
  it('keeps its data and its port over a stop, and throws away what an interrupted set-up left', async () => {
    mkdirSync(join(folder, 'postgres/data.unfinished'), { recursive: true });
    writeFileSync(join(folder, 'postgres/data.unfinished/PG_VERSION'), 'half');
    const first = await start();
    expect(existsSync(join(folder, 'postgres/data.unfinished'))).toBe(false);
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS n');
    await first.stop();
    const second = await start();
    expect(second.url('x')).toBe(first.url('x'));
    expect(await ask(second, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('takes over from a server that was left running, and recovers from one that was killed', async () => {
    const left = await start();
    await ask(left, 'CREATE TABLE kept AS SELECT 42 AS n');
    const next = await start();
    expect([isRunning(left.process), isRunning(next.process)]).toEqual([false, true]);
    await endProcess(next.process, ['SIGKILL'], 5_000);
    expect(await ask(await start(), 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('starts beside a statement that a killed server has left working', async () => {
    const killed = await start();
    const client = new pg.Client({ connectionString: killed.url('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    const endless = client.query('SELECT count(*) FROM generate_series(1, 1000000000000) AS n').catch(() => undefined);
    const busy = `SELECT FROM pg_stat_activity WHERE query LIKE '%generate_series%' AND state = 'active' AND pid <> pg_backend_pid()`;
    await expect.poll(async () => (await ask(killed, busy)).length).toBe(1);
    process.kill(killed.process.pid, 'SIGKILL');
    const next = await start();
    expect(await ask(next, busy)).toEqual([]);
    await endless;
  });

  it('leaves a server of other data alone that has the process id of its own last one', async () => {
    const other = await startPostgres({ directory: join(folder, 'other'), log: join(folder, 'other.log'), settings });
    await (await start()).stop();
    writeFileSync(join(folder, 'postgres/data/postmaster.pid'), `${other.process.pid}\n`);
    await start();
    expect(isRunning(other.process)).toBe(true);
    await other.stop();
  });

  it('takes another port when another program has its own', async () => {
    const first = await start();
    await first.stop();
    const port = Number(new URL(first.url('x')).port);
    const other = createServer().listen(port, '127.0.0.1');
    await new Promise((done) => other.once('listening', done));
    expect(new URL((await start()).url('x')).port).not.toBe(String(port));
    other.close();
  });

  it('is durable and listens on this machine only by default', async () => {
    server = await startPostgres({ directory: join(folder, 'postgres'), log: join(folder, 'postgres.log') });
    const names = "'fsync', 'synchronous_commit', 'listen_addresses', 'unix_socket_directories', 'data_checksums'";
    expect(await ask(server, `SELECT name, setting FROM pg_settings WHERE name IN (${names}) ORDER BY name`)).toEqual([
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'unix_socket_directories', setting: '' },
    ]);
  });

  it('reports data of another major version', async () => {
    const first = await start();
    await first.stop();
    writeFileSync(join(folder, 'postgres/data/PG_VERSION'), '12\n');
    await expect(start()).rejects.toThrow(/is PostgreSQL 12's; this version brings PostgreSQL \d+/);
  });

  describe.runIf(process.getuid?.() === 0 && (lstatSync(homedir()).mode & 0o001) === 0)('of root in a private folder', () => {
    let home: string;

    beforeEach(() => {
      home = mkdtempSync(join(homedir(), 'switchyard-private-'));
    });

    afterEach(() => rmSync(home, { recursive: true }));

    it('keeps its files elsewhere, behind a link', async () => {
      const first = await start(join(home, 'postgres'));
      expect(realpathSync(join(home, 'postgres'))).toBe(first.movedTo);
      await ask(first, 'CREATE TABLE kept AS SELECT 42 AS n');
      await first.stop();
      expect(await ask(await start(join(home, 'postgres')), 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
      expect(readFileSync('/etc/passwd', 'utf8')).not.toContain('switchyard');
    });

    it('begins with empty data when the private folder was removed, and with it the secrets of the old data', async () => {
      const first = await start(join(home, 'postgres'));
      await ask(first, 'CREATE TABLE of_lost_secrets AS SELECT 42 AS n');
      await first.stop();
      rmSync(join(home, 'postgres'), { recursive: true });
      const next = await start(join(home, 'postgres'));
      rmSync(first.movedTo === next.movedTo ? '' : (first.movedTo ?? ''), { recursive: true, force: true });
      expect(await ask(next, "SELECT to_regclass('of_lost_secrets') AS found")).toEqual([{ found: null }]);
    });
  });
});
