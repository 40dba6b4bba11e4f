import type { Database } from '@switchyard/db';
import type { Row, Week } from './plan.ts';

const BATCH = 1_500;
const STATEMENT_MS = 60_000;

/** True if generated history has been loaded for this merchant. */
export async function isWeekLoaded({ pool }: Database, merchantId: string): Promise<boolean> {
  return (await pool.query('SELECT 1 FROM payment WHERE merchant_id = $1 LIMIT 1', [merchantId])).rows.length === 1;
}

/** Writes all rows in one transaction, and has the planner know of them before anything is read. */
export async function loadWeek({ pool }: Database, week: Week): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = ${String(STATEMENT_MS)}`);
    for (const [table, rows] of Object.entries(week)) {
      for (let from = 0; from < rows.length; from += BATCH) await client.query(statement(table, rows.slice(from, from + BATCH)));
    }
    await client.query('COMMIT');
    // Without statistics the tables are taken for empty, and joining them takes seconds to minutes.
    await client.query(`ANALYZE ${Object.keys(week).join(', ')}`);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Column names come from our own rows, never from data; missing columns keep their defaults. */
function statement(table: string, rows: readonly Row[]): { readonly text: string; readonly values: string[] } {
  const columns = Object.keys(rows[0] ?? {}).map((field) => ({ field, column: columnOf(field), isTime: field.endsWith('At') }));
  const names = columns.map(({ column }) => `"${column}"`).join(', ');
  const text = `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", $1) ON CONFLICT DO NOTHING`;
  const values = rows.map((row) =>
    columns.map(({ field, column, isTime }) => {
      const value = row[field];
      return [column, isTime && typeof value === 'number' ? new Date(value) : value] as const;
    }),
  );
  return { text, values: [JSON.stringify(values.map((cells) => Object.fromEntries(cells)))] };
}

function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
