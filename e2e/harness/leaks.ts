import type { TestDatabase } from '@switchyard/db/testing';

/**
 * Searches all answers, the log and every row of every table for secrets, in clear, in base64 and in hexadecimal; returns a line
 * for each find.
 */
export async function findLeaks(
  database: TestDatabase,
  secrets: readonly string[],
  output: readonly string[],
): Promise<readonly string[]> {
  const needles = secrets.flatMap((secret) => {
    const bytes = Buffer.from(secret);
    return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')];
  });
  const find = (where: string, text: string) =>
    needles
      .filter((needle) => text.includes(needle))
      .map((needle) => `${needle.slice(0, 16)}… in ${where}: ${text.slice(0, 300)}`);
  const leaks = output.flatMap((text) => find('an answer or the log', text));
  for (const table of await tables(database)) {
    const { rows } = await database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} AS t`);
    leaks.push(...rows.flatMap(({ row }) => find(`table ${table}`, row)));
  }
  return leaks;
}

/** Every table, the job queue's included. */
export async function tables(database: TestDatabase): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
