import type { TestDatabase } from './database.ts';

/**
 * Searches output (answers, lines of the log) and every row of every table for secrets: in clear, in JSON, percent-encoded, in hexadecimal,
 * and within base64 of anything around them. Returns a line for each find.
 */
export async function findLeaks(
  database: Pick<TestDatabase, 'pool'>,
  secrets: readonly string[],
  output: readonly string[],
): Promise<readonly string[]> {
  const needles = [...new Set(secrets.flatMap(formsOf))];
  const findIn = (text: string, among: readonly string[]) => {
    const lower = text.toLowerCase();
    return among.filter((needle) => text.includes(needle) || lower.includes(needle));
  };
  const find = (where: string, texts: readonly string[]) => {
    // First in all texts as one, which a needle passes over in steps of its own length.
    const found = findIn(texts.join('\n'), needles);
    if (found.length === 0) return [];
    return texts.flatMap((text) =>
      findIn(text, found).map((needle) => `${needle.slice(0, 16)}… in ${where}: ${around(text, needle)}`),
    );
  };
  const leaks = find('an answer or the log', output);
  for (const table of await tables(database)) {
    // Binary columns are text in hexadecimal.
    const { rows } = await database.pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} AS t`);
    const texts = rows.map(({ row }) => row);
    leaks.push(...find(`table ${table}`, texts));
  }
  return leaks;
}

const AROUND = 150;

function around(text: string, needle: string): string {
  const at = Math.max(0, text.indexOf(needle));
  return text.slice(Math.max(0, at - AROUND), at + needle.length + AROUND);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex')];
  // Within base64 the first and last characters depend on what is around, and all on the offset.
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    forms.push(core, core.replaceAll('-', '+').replaceAll('_', '/'));
  }
  return forms;
}

/** Every table, the job queue's included. */
export async function tables(database: Pick<TestDatabase, 'pool'>): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
