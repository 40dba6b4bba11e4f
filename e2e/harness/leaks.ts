import type { TestDatabase } from '@switchyard/db/testing';

/**
 * Looks for secrets in everything that was answered or logged and in every row of every table; gives a line for each find. A
 * secret counts as found in clear, in base64 and in hexadecimal.
 */
export async function findLeaks(
  database: TestDatabase,
  secrets: readonly string[],
  heard: readonly string[],
): Promise<readonly string[]> {
  const needles = secrets.flatMap((secret) => {
    const bytes = Buffer.from(secret);
    return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')];
  });
  const find = (where: string, text: string) =>
    needles
      .filter((needle) => text.includes(needle))
      .map((needle) => `${needle.slice(0, 16)}… in ${where}: ${text.slice(0, 300)}`);
  const leaks = heard.flatMap((text) => find('an answer or the log', text));
  for (const table of await tables(database)) {
    const { rows } = await database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} AS t`);
    leaks.push(...rows.flatMap(({ row }) => find(`table ${table}`, row)));
  }
  return leaks;
}

/** Every table there is, the job queue's too. */
export async function tables(database: TestDatabase): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
