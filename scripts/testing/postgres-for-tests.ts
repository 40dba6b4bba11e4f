import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateJobs } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';
import type { TestProject } from 'vitest/node';
import { inDatabase, migrationNames, withConnection } from '../stack/database.ts';
import { type PostgresServer, startPostgres } from '../stack/postgres.ts';
import { thisProject } from '../stack/project.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with the right to create databases, to the server that holds `switchyard_template`. */
    adminDatabaseUrl: string;
  }
}

/** The database that each suite's own is a copy of. */
const TEMPLATE_DATABASE = 'switchyard_template';
/** Nothing here outlives the run, so nothing has to survive a power cut. */
const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** A new folder for servers' files; as root, they run under another account, which has to get in. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `switchyard-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes a folder with servers that were stopped, whose files may lie elsewhere. */
export function removeServers(folder: string, servers: readonly (PostgresServer | undefined)[]): void {
  for (const each of [folder, ...servers.map((server) => server?.movedTo)]) {
    if (each) rmSync(each, { recursive: true, force: true });
  }
}

/** A PostgreSQL server in a folder that goes away with it; `TEST_DATABASE_URL` set means that server instead. */
export async function startThrowawayPostgres(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, stop: async () => undefined };
  const folder = temporaryFolder('test');
  const log = join(folder, 'postgres.log');
  const server = await startPostgres({ directory: join(folder, 'postgres'), log, settings: THROWAWAY_SETTINGS });
  const stop = async (): Promise<void> => {
    await server.stop();
    removeServers(folder, [server]);
  };
  return { adminUrl: server.url('postgres'), stop };
}

/**
 * Recreates the template on the server that `adminUrl` leads to, with every migration applied and the tables of the job queue. The
 * files are run as they are, which takes a tenth of the time the Prisma CLI needs; that the CLI applies the same files is a test of
 * its own.
 */
export async function createTemplateDatabase(adminUrl: string): Promise<void> {
  const { migrations } = thisProject();
  const url = inDatabase(adminUrl, TEMPLATE_DATABASE);
  await recreateDatabase(adminUrl, TEMPLATE_DATABASE, '');
  await applyMigrations(url, migrationNames(migrations));
  const database = openDatabase({ url, maxConnections: 1 });
  await migrateJobs(database).finally(() => database.close());
}

/** Runs the files of these migrations on a database, in their order. */
export async function applyMigrations(databaseUrl: string, names: readonly string[]): Promise<void> {
  const { migrations } = thisProject();
  await withConnection(databaseUrl, async (client) => {
    for (const name of names) await client.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'));
  });
}

/** Creates a database with every migration applied, in place of one of the same name. Returns its address. */
export async function createMigratedDatabase(adminUrl: string, name: string): Promise<string> {
  await createTemplateDatabase(adminUrl);
  await recreateDatabase(adminUrl, name, `TEMPLATE ${TEMPLATE_DATABASE}`);
  return inDatabase(adminUrl, name);
}

async function recreateDatabase(adminUrl: string, name: string, options: string): Promise<void> {
  await withConnection(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} ${options}`);
  });
}

/** Vitest calls this once before all suites, and what it returns after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, stop } = await startThrowawayPostgres();
  try {
    await createTemplateDatabase(adminUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('adminDatabaseUrl', adminUrl);
  return stop;
}
