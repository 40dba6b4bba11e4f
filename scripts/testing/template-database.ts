import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** The database that each suite's own is a copy of. */
export const TEMPLATE_DATABASE = 'switchyard_template';

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** Names of the migrations of a project, in the order they are applied. */
export function migrationNames(migrations: string): string[] {
  const entries = readdirSync(migrations, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Makes the template anew on the server that `adminUrl` leads to, with every migration below `migrations` applied.
 * The files are run as they are, which takes a tenth of the time the Prisma CLI needs; that the CLI applies the same files is
 * a test of its own.
 */
export async function createTemplateDatabase(adminUrl: string, migrations: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  });
  const url = new URL(adminUrl);
  url.pathname = `/${TEMPLATE_DATABASE}`;
  await withClient(url.href, async (client) => {
    for (const name of migrationNames(migrations)) {
      await client.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'));
    }
  });
}
