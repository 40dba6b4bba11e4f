import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { claimFile, holderOf } from '../bootstrap/claim.mjs';
import { errorCode, Problem } from '../bootstrap/problem.mjs';
import { startPostgres } from './postgres.ts';
import type { Environment } from './programs.ts';
import { alreadyRunning, type Project } from './project.ts';

const NO_SUCH_DATABASE = '3D000';
const NO_SUCH_TABLE = '42P01';
const WRONG_PASSWORD = '28P01';
const NOT_LET_IN = '28000';
const CONNECT_LIMIT_MS = 10_000;
const ENGINE_VARIABLE = 'PRISMA_SCHEMA_ENGINE_BINARY';
/** The database of the embedded server. */
export const DATABASE = 'switchyard';

/** Runs something on a connection of its own. */
export async function withConnection<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  client.on('error', () => undefined); // the running query reports it too
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The address of another database on the same server. */
export function inDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Makes sure that the database can be reached and exists. Throws a Problem that names what is wrong with `DATABASE_URL`. */
export async function ensureDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  try {
    await withConnection(url, async () => undefined);
  } catch (error) {
    if (errorCode(error) !== NO_SUCH_DATABASE) throw unreachable(url, error);
    await withConnection(inDatabase(url, 'postgres'), (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`));
  }
}

function unreachable(url: string, error: unknown): Problem {
  const { host, username } = new URL(url);
  const hints = ['Correct DATABASE_URL, or leave it out for the embedded PostgreSQL.'];
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = errorCode(first);
  if (code === WRONG_PASSWORD || code === NOT_LET_IN) {
    return new Problem(`PostgreSQL at ${host} does not let "${username}" in.`, hints, error);
  }
  const reason = code ?? (first instanceof Error ? first.message : String(first));
  return new Problem(`PostgreSQL at ${host} does not answer (${reason}).`, hints, error);
}

/** Names of the migrations below a folder, in the order they are applied. */
export function migrationNames(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** The pending migrations, from the database's own record: milliseconds where the CLI takes seconds. */
export async function pendingMigrations(folder: string, url: string): Promise<string[]> {
  const statement = 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
  const applied = await withConnection(url, async (client) => {
    try {
      const { rows } = await client.query<{ migration_name: string }>(statement);
      return rows.map((row) => row.migration_name);
    } catch (error) {
      if (errorCode(error) === NO_SUCH_TABLE) return [];
      throw error;
    }
  });
  return migrationNames(folder).filter((name) => !applied.includes(name));
}

interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
}

/**
 * Makes sure that the migrations of a database are those of the folder: each under its name has the text that it was applied with, and where
 * some are pending, none is unknown here. Throws a Problem that names what else can be done, and changes nothing.
 */
export async function requireOwnMigrations(folder: string, url: string): Promise<void> {
  const recorded = await withConnection(url, async (client) => {
    const { rows } = await client.query<RecordedMigration>(
      'SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL',
    );
    return rows;
  }).catch((error: unknown): RecordedMigration[] => {
    if (errorCode(error) === NO_SUCH_TABLE) return [];
    throw error;
  });
  const own = new Set(migrationNames(folder));
  const names = new Set(recorded.map(({ name }) => name));
  const isPending = [...own].some((name) => !names.has(name));
  const foreign = recorded.filter(({ name, checksum }) =>
    own.has(name) ? checksum !== checksumOf(join(folder, name, 'migration.sql')) : isPending,
  );
  if (foreign.length === 0) return;
  throw new Problem('An older checkout made this database: its migrations are not the ones here.', [
    `${foreign.length} of them are unknown here, ${foreign[0]?.name} for example.`,
    'Keep its data aside and start anew: npm run admin -- database set-aside',
    'Or go on with it in the checkout that made it.',
  ]);
}

function checksumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * How to run the Prisma CLI of this project.
 *
 * Its schema engine is the WebAssembly one of this project, so that nothing is downloaded, unless `PRISMA_SCHEMA_ENGINE_BINARY` is
 * set: to a path, for another engine; to the empty string, for the one that Prisma downloads where the internet can be reached.
 */
export function prismaCommand(root: string, args: readonly string[], env: Environment) {
  const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
  const { [ENGINE_VARIABLE]: wanted = join(root, 'scripts', 'schema-engine.ts'), ...rest } = env;
  // Generators are commands of packages of ours, and run on our Node.
  const path = [join(root, 'node_modules', '.bin'), dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter);
  const quiet = { CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  return {
    command: process.execPath,
    args: [join(dirname(manifest), 'build', 'index.js'), ...args],
    env: { ...rest, ...quiet, PATH: path, ...(wanted && { [ENGINE_VARIABLE]: wanted }) },
  };
}

/**
 * The database of a command: that of `DATABASE_URL`, else that of the running stack, else the embedded one, started until the
 * programs of this process are stopped. Throws a Problem when the embedded one is taken or cannot start.
 */
export async function resolveDatabase(project: Project): Promise<string> {
  const known = process.env.DATABASE_URL || holderOf(project.runFile)?.databaseUrl;
  if (known) return known;
  mkdirSync(project.local, { recursive: true });
  const claim = await claimFile(project.runFile);
  if (!claim) throw alreadyRunning(project);
  process.once('exit', claim.release);
  const server = await startPostgres({ directory: project.postgres, log: join(project.logs, 'postgres-of-commands.log') });
  claim.addProcess(server.process);
  return server.url(DATABASE);
}

/** A number of its own: Prisma takes another one beside it. */
const DEPLOYMENT_LOCK = 7_240_118;
const POLL_MS = 200;
const WAIT_LIMIT_MS = 600_000;

/**
 * Runs a deployment while no other one runs on this database. Asks for its turn again and again: one who waits for a lock has a
 * snapshot, for whose end `CREATE INDEX CONCURRENTLY` of the other would wait. Throws a Problem after ten minutes.
 */
export async function oneAtATime(url: string, deploy: () => Promise<void>): Promise<void> {
  await withConnection(url, async (client) => {
    const deadline = Date.now() + WAIT_LIMIT_MS;
    for (;;) {
      const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [DEPLOYMENT_LOCK]);
      if (rows[0]?.mine) break;
      if (Date.now() > deadline)
        throw new Problem('Another process has been migrating or distributing this database for ten minutes.', [
          'Try again later.',
        ]);
      await pause(POLL_MS);
    }
    await deploy();
  });
}
