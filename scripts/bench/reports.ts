import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrationNames } from '../stack/database.ts';
import { startPostgres } from '../stack/postgres.ts';
import { runOnTerminal } from '../stack/programs.ts';
import { thisProject } from '../stack/project.ts';
import { applyMigrations, createMigratedDatabase, startMigratedPostgres } from '../testing/postgres-for-tests.ts';
import { removeServers } from '../testing/server-folder.ts';

/** Settings of a server for this much data; nothing has to survive a power cut. */
const SETTINGS = {
  shared_buffers: '2GB',
  effective_cache_size: '12GB',
  work_mem: '32MB',
  maintenance_work_mem: '512MB',
  max_parallel_maintenance_workers: '0',
  random_page_cost: '1.1',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  autovacuum: 'off',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

const OPTIONS = {
  payments: { type: 'string', default: '1000000,10000000' },
  events: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  folder: { type: 'string', default: '/var/tmp/switchyard-bench-reports' },
} as const;
const { root, migrations } = thisProject();

/**
 * Measures reports on a large database of its own: an embedded PostgreSQL below /var/tmp, loaded with a year of payments and thrown
 * away afterwards.
 *
 *   npm run bench -- reports [--payments 1000000,10000000] [--events] [--keep] [--folder /var/tmp/switchyard-bench-reports]
 *
 * `--events` loads the payments' timelines as well, which no query reads. `--keep` leaves the files, so that the next run of as
 * many payments finds them loaded, and applies migrations that came since. Ten million take some 30 GB.
 */
export async function measureReports(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const sizes = values.payments.split(',').map(Number);
  if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 1_000)) {
    console.error('--payments takes numbers of at least 1000, separated by commas');
    return 2;
  }
  for (const size of sizes) {
    const code = await measure(size, values);
    if (code !== 0) return code;
  }
  return 0;
}

interface Given {
  readonly folder: string;
  readonly events: boolean;
  readonly keep: boolean;
}

async function measure(payments: number, given: Given): Promise<number> {
  const folder = join(given.folder, String(payments));
  mkdirSync(folder, { recursive: true });
  for (const each of [given.folder, folder]) chmodSync(each, 0o755); // as root, the server runs under another account
  const loaded = join(folder, 'loaded');
  if (!existsSync(loaded)) rmSync(join(folder, 'postgres'), { recursive: true, force: true });
  const start = existsSync(loaded) ? startPostgres : startMigratedPostgres;
  const server = await start({
    directory: join(folder, 'postgres'),
    log: join(folder, 'postgres.log'),
    settings: SETTINGS,
  });
  try {
    const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
    console.log(`\nPostgreSQL ${server.version}: ${settings.join(', ')}`);
    if (!existsSync(loaded)) {
      await createMigratedDatabase(server.url('postgres'), 'bench');
      const code = await run(['--load', String(payments), ...(given.events ? ['--events'] : [])], server.url('bench'));
      if (code !== 0) return code;
    } else {
      const applied = readFileSync(loaded, 'utf8').split('\n');
      await applyMigrations(
        server.url('bench'),
        migrationNames(migrations).filter((name) => !applied.includes(name)),
      );
    }
    writeFileSync(loaded, migrationNames(migrations).join('\n'));
    return await run(['--ask'], server.url('bench'));
  } finally {
    await server.stop();
    if (!given.keep) removeServers(folder, [server]);
  }
}

function run(args: readonly string[], url: string): Promise<number> {
  const program = join(root, 'bench', 'src', 'reports.ts');
  const env = { ...process.env, DATABASE_URL: url, GRAPHILE_ENV: 'production' };
  return runOnTerminal({ command: process.execPath, args: [program, ...args], cwd: join(root, 'bench'), env });
}
