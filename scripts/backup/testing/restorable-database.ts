import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withConnection } from '../../stack/database.ts';
import { type PostgresServer, startPostgres } from '../../stack/postgres.ts';
import { removeServers, temporaryFolder } from '../../testing/server-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SETTINGS = { fsync: 'off' };

/** A server of its own whose log is archived, so that it can be restored to any moment after {@link RestorableDatabase.backUp}. */
export interface RestorableDatabase {
  /** The address of the database in use now. */
  url(): string;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Has the log archived, and takes a base backup. */
  backUp(): Promise<void>;
  /** A moment after all that was committed and before all that will be. */
  moment(): Promise<string>;
  /** Stops the server, restores to a moment on its timeline, and starts the copy in its place. */
  restoreTo(moment: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts one with every migration, by the commands that an operator has. `keys` are the installation's secrets. */
export async function startRestorableDatabase(keys: Readonly<Record<string, string>>): Promise<RestorableDatabase> {
  const folder = temporaryFolder('restorable');
  const backup = join(folder, 'backup');
  mkdirSync(backup, { mode: 0o755 });
  const servers: PostgresServer[] = [];
  let name = 'server-0';
  let server = await start();

  async function start(): Promise<PostgresServer> {
    const started = await startPostgres({ directory: join(folder, name), log: join(folder, `${name}.log`), settings: SETTINGS });
    servers.push(started);
    return started;
  }

  function run(program: string, ...args: string[]): void {
    const { INIT_CWD: _, ...env } = process.env;
    const given = { ...env, ...keys, DATABASE_URL: server.url('app') };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      env: given,
    });
    expect(status, stdout + stderr).toBe(0);
  }

  function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return withConnection(server.url('app'), async (client) => (await client.query<Row>({ text, values })).rows);
  }

  async function archiveAll(): Promise<void> {
    await query("SELECT pg_logical_emit_message(true, 'test', 'a segment without anything is not switched')");
    const [row] = await query<{ segment: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS segment');
    const file = join(backup, 'wal', `${row?.segment}.gz`);
    await expect.poll(() => existsSync(file)).toBe(true);
  }

  run('scripts/admin/main.ts', 'database', 'deploy');
  return {
    url: () => server.url('app'),
    query,
    async backUp() {
      run('scripts/admin/main.ts', 'backups', 'archive', '--backup', backup);
      await server.stop();
      server = await start();
      run('scripts/admin/main.ts', 'backups', 'base', '--backup', backup);
    },
    async moment() {
      const [row] = await query<{ now: string }>('SELECT ceil(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now');
      await query("SELECT pg_sleep_until(to_timestamp($1::numeric / 1000) + interval '1 ms')", [row?.now]);
      return new Date(Number(row?.now)).toISOString();
    },
    async restoreTo(moment) {
      const [row] = await query<{ timeline: string }>(
        "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline",
      );
      await archiveAll();
      const next = `server-${servers.length}`;
      const into = ['--data', join(folder, next, 'data'), '--timeline', String(row?.timeline)];
      run('scripts/admin/main.ts', 'backups', 'restore', '--backup', backup, '--to', moment, ...into);
      await server.stop();
      const before = existsSync(join(folder, name, 'access.json')) ? join(folder, name) : (server.movedTo ?? '');
      copyFileSync(join(before, 'access.json'), join(folder, next, 'access.json'));
      name = next;
      server = await start();
    },
    async close() {
      for (const each of servers) await each.stop();
      removeServers(folder, servers);
    },
  };
}
