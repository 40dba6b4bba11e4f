import type { Database } from '@switchyard/db';

/** Small tables of a team's size: read whole. */
const STATEMENTS = [
  'DELETE FROM staff_session WHERE id IN (SELECT id FROM staff_session WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)',
  `DELETE FROM staff_verification WHERE id IN (
    SELECT id FROM staff_verification WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM staff_link WHERE id IN (
    SELECT id FROM staff_link WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM staff_sign_in_limit WHERE key IN (
    SELECT key FROM staff_sign_in_limit WHERE expire < extract(epoch FROM $1::timestamptz) * 1000 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
];

/**
 * Deletes what signing in left behind and ended before a time: sessions with their network addresses, verifications, invitation and
 * reset links, counts of attempts; at most `limit` of each. Returns how many.
 */
export async function ageOutSignInRecords({ pool }: Database, before: Date, limit: number): Promise<number> {
  let removed = 0;
  for (const statement of STATEMENTS) {
    const { rowCount } = await pool.query(statement, [before, limit]);
    removed += rowCount ?? 0;
  }
  return removed;
}
