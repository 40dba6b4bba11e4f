import type { Database } from '@switchyard/db';

const DELETE_FILES = `
DELETE FROM report_file WHERE merchant_id = $1 AND run_id IN (
  SELECT run_id FROM report_file WHERE merchant_id = $1 AND created_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes files of reports of a merchant's schedules, the nil UUID for those of all merchants, that were made before a time. */
export async function ageOutReportFiles({ pool }: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(DELETE_FILES, [merchantId, before, limit]);
  return rowCount ?? 0;
}
