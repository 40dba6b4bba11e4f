import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BEGIN_FIRST_EPOCH } from '@switchyard/db/first-epoch';
import { migrateJobs, openDatabase } from '@switchyard/db/process';
import type { TestProject } from 'vitest/node';
import { fingerprint } from '../stack/builds.ts';
import { inDatabase, migrationNames, withConnection } from '../stack/database.ts';
import { type PostgresOptions, type PostgresServer, startPostgres } from '../stack/postgres.ts';
import { thisProject } from '../stack/project.ts';
import { isInMemory, removeServers, THROWAWAY_SETTINGS, temporaryFolder } from './server-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with the right to create databases, to the server that holds `switchyard_template`. */
    adminDatabaseUrl: string;
    /** The same for the worker nodes of a cluster whose coordinator it is; none without a cluster. */
    nodeDatabaseUrls: readonly string[];
  }
}

/** The database that each suite's own is a copy of. */
export const TEMPLATE_DATABASE = 'switchyard_template';
/** Everything that the files of a migrated server are made from. */
const TEMPLATE_SOURCES = [
  'prisma/migrations',
  'packages/db/src/jobs.ts',
  'scripts/stack/postgres.ts',
  'scripts/testing/postgres-for-tests.ts',
  'scripts/testing/server-folder.ts',
  'package-lock.json',
];
/** A server that goes away. */
interface ThrowawayPostgres {
  readonly adminUrl: string;
  /** The same through the server's socket, over which a statement costs a seventh less than over TCP. It names host and port as well. */
  readonly socketUrl: string;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL server with the template, in a folder that goes away with it; `TEST_DATABASE_URL` set means that server instead, on
 * which the template is made anew.
 */
export async function startThrowawayPostgres(): Promise<ThrowawayPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    await createTemplateDatabase(given);
    return { adminUrl: given, socketUrl: given, stop: async () => undefined };
  }
  const folder = temporaryFolder('test');
  const directory = join(folder, 'postgres');
  // A folder of the server's own account. Elsewhere its files may be moved, or its address be too long for a socket.
  const sockets = isInMemory(folder) ? join(directory, 'data') : '';
  const settings = { ...THROWAWAY_SETTINGS, unix_socket_directories: sockets };
  const server = await startMigratedPostgres({ directory, log: join(folder, 'postgres.log'), settings });
  const stop = async (): Promise<void> => {
    await server.stop();
    removeServers(folder, [server]);
  };
  const adminUrl = server.url('postgres');
  const socketUrl = new URL(adminUrl);
  if (sockets !== '') socketUrl.searchParams.set('host', sockets);
  return { adminUrl, socketUrl: socketUrl.href, stop };
}

/**
 * Starts a server with the template in an empty folder. The files are a copy of those that the first such start of this schema left:
 * a copy takes a twentieth of the time of setting up a server and migrating it.
 */
export async function startMigratedPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const project = thisProject();
  const kept = join(project.local, 'migrated-postgres', fingerprint(project, { sources: TEMPLATE_SOURCES }));
  if (!existsSync(kept)) await keepMigratedFiles(kept);
  copyServerFiles(kept, options.directory);
  return startPostgres(options);
}

async function keepMigratedFiles(kept: string): Promise<void> {
  const folder = temporaryFolder('template');
  const options = { directory: join(folder, 'postgres'), log: join(folder, 'postgres.log'), settings: THROWAWAY_SETTINGS };
  // To check a password costs each of thousands of connections thousands of hashes.
  const server = await startPostgres({ ...options, trusting: true });
  try {
    await createTemplateDatabase(server.url('postgres'));
    await server.stop();
    rmSync(dirname(kept), { recursive: true, force: true }); // of other schemas
    const unfinished = `${kept}.${process.pid}.unfinished`;
    copyServerFiles(server.movedTo ?? options.directory, unfinished);
    renameSync(unfinished, kept);
  } finally {
    await server.stop();
    removeServers(folder, [server]);
  }
}

/** Copies what is a server's own: its data, and the password and port. */
function copyServerFiles(from: string, to: string): void {
  for (const name of ['data', 'access.json']) cpSync(join(from, name), join(to, name), { recursive: true });
  chmodSync(join(to, 'data'), 0o700);
}

/**
 * Recreates the template on the server that `adminUrl` leads to, with every migration applied and the tables of the job queue. The
 * files are run as they are, which takes a tenth of the time the Prisma CLI needs; that the CLI applies the same files is a test of
 * its own.
 */
async function createTemplateDatabase(adminUrl: string): Promise<void> {
  const { migrations } = thisProject();
  await recreateDatabase(adminUrl, TEMPLATE_DATABASE, '');
  await migrateDatabase(inDatabase(adminUrl, TEMPLATE_DATABASE), migrations);
}

/** Far beyond what the product allows: the machine may be busy with other suites. */
const CONNECT_TIMEOUT_MS = 60_000;

/** Gives an empty database every migration and the tables of the job queue. */
export async function migrateDatabase(url: string, migrations: string): Promise<void> {
  await applyMigrations(url, migrationNames(migrations));
  const database = openDatabase({ url, maxConnections: 1, acquireTimeoutMs: CONNECT_TIMEOUT_MS });
  await migrateJobs(database).finally(() => database.close());
}

/** Runs the files of these migrations on a database, in their order. */
export async function applyMigrations(databaseUrl: string, names: readonly string[]): Promise<void> {
  const { migrations } = thisProject();
  await withConnection(databaseUrl, async (client) => {
    for (const name of names) await client.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'));
  });
}

/** Creates a copy of the template, in place of a database of the same name. Returns its address. */
export async function createMigratedDatabase(adminUrl: string, name: string): Promise<string> {
  await recreateDatabase(adminUrl, name, `TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`);
  const url = inDatabase(adminUrl, name);
  await withConnection(url, (client) => client.query(BEGIN_FIRST_EPOCH));
  return url;
}

async function recreateDatabase(adminUrl: string, name: string, options: string): Promise<void> {
  await withConnection(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} ${options}`);
  });
}

/** Vitest calls this once before all suites, and what it returns after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { socketUrl, stop } = await startThrowawayPostgres();
  project.provide('adminDatabaseUrl', socketUrl);
  project.provide('nodeDatabaseUrls', []);
  return stop;
}
