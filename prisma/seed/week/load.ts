import type { Database } from '@switchyard/db';
import type { Row, Week } from './plan.ts';

const BATCH = 1_500;
const STATEMENT_MS = 60_000;
/** Compresses what is long in a third of the time, where the server can; rows are read as ever. */
const COMPRESS_FAST = `
SELECT set_config(name, 'lz4', true) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`;

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
    await client.query(COMPRESS_FAST);
    for (const [table, rows] of Object.entries(week)) {
      for (let from = 0; from < rows.length; from += BATCH) await client.query(statement(table, rows.slice(from, from + BATCH)));
    }
    // Without statistics the tables are taken for empty, and joining them takes seconds to minutes. A small sample says enough.
    await client.query('SET LOCAL default_statistics_target = 10');
    await client.query(`ANALYZE ${Object.keys(week).join(', ')}`);
    await client.query('COMMIT');
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
  const named = rows.map((row) => {
    const cells: Record<string, unknown> = {};
    for (const { field, column, isTime } of columns) {
      const value = row[field];
      cells[column] = isTime && typeof value === 'number' ? new Date(value) : value;
    }
    return cells;
  });
  return { text, values: [JSON.stringify(named)] };
}

function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
