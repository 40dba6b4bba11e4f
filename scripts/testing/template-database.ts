import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationNames, withConnection } from '../stack/migrations.ts';

/** The database that each suite's own is a copy of. */
const TEMPLATE_DATABASE = 'switchyard_template';

/**
 * Recreates the template on the server that `adminUrl` leads to, with every migration below `migrations` applied.
 * The files are run as they are, which takes a tenth of the time the Prisma CLI needs; that the CLI applies the same files is
 * a test of its own.
 */
export async function createTemplateDatabase(adminUrl: string, migrations: string): Promise<void> {
  await withConnection(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  });
  const url = new URL(adminUrl);
  url.pathname = `/${TEMPLATE_DATABASE}`;
  await withConnection(url.href, async (client) => {
    for (const name of migrationNames(migrations)) {
      await client.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'));
    }
  });
}
