import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runCommand } from './command.ts';
import type { Environment } from './environment.ts';
import { prismaCommand } from './prisma.ts';
import { errorCode, Problem } from './problem.ts';
import type { Project } from './project.ts';
import type { Teardown } from './teardown.ts';

const NO_SUCH_DATABASE = '3D000';
const NO_SUCH_TABLE = '42P01';
const CONNECT_LIMIT_MS = 10_000;

/** Names of the migrations below a folder, in the order they are applied. */
export function migrationNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

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

function inDatabase(url: string, database: string): string {
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
  const hint = 'Correct DATABASE_URL, or leave it out for the embedded PostgreSQL.';
  switch (errorCode(error)) {
    case '28P01':
    case '28000':
      return new Problem(`PostgreSQL at ${host} does not let "${username}" in.`, [hint], error);
    default: {
      const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
      const reason = errorCode(first) ?? (first instanceof Error ? first.message : '');
      return new Problem(`PostgreSQL at ${host} does not answer${reason ? ` (${reason})` : ''}.`, [hint], error);
    }
  }
}

/** The pending migrations, from the database's own record: milliseconds where the CLI takes seconds. */
export async function pendingMigrations(project: Project, url: string): Promise<string[]> {
  const names = migrationNames(join(project.root, 'prisma/migrations'));
  const statement = 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
  const applied = await withConnection(url, async (client) => {
    try {
      const { rows } = await client.query<{ migration_name: string }>(statement);
      return new Set(rows.map((row) => row.migration_name));
    } catch (error) {
      if (errorCode(error) === NO_SUCH_TABLE) return new Set<string>();
      throw error;
    }
  });
  return names.filter((name) => !applied.has(name));
}

/** Applies pending migrations by the Prisma CLI, which records them under a lock. */
export async function applyMigrations(project: Project, env: Environment, teardown: Teardown): Promise<void> {
  const command = prismaCommand(project.root, ['migrate', 'deploy'], env);
  const log = join(project.logs, 'migrate.log');
  await runCommand({ ...command, failure: 'The migrations could not be applied', cwd: project.root, log }, teardown);
}
