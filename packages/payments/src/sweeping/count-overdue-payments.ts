import type { Database } from '@switchyard/db';

/** Overdue payments of all merchants together. */
export interface Overdue {
  readonly count: number;
  /** When the oldest was due; null for none. */
  readonly oldestAt: Date | null;
}

/** Counting stops here. */
const COUNTED_MAX = 100_000;

const COUNT = `
SELECT count(*)::int AS count, min(next_check_at) AS "oldestAt" FROM (
  SELECT next_check_at FROM payment_check WHERE next_check_at < $1 ORDER BY next_check_at LIMIT ${COUNTED_MAX}) AS overdue`;

/** Payments that were due for verification before a moment and that no process has claimed. */
export async function countOverduePayments(database: Database, dueBefore: Date): Promise<Overdue> {
  const { rows } = await database.pool.query<Overdue>({ name: 'count-overdue-payments', text: COUNT, values: [dueBefore] });
  return rows[0] ?? { count: 0, oldestAt: null };
}
