import { type Database, firstIdAt } from '@switchyard/db';

export { eraseRequestsOf, readRequestsOf } from './customers.ts';
export { type FinishedRequest, openRequestLog, type RequestLog } from './request-log.ts';

// Ids follow the time at which requests ended.
const AGE_OUT = `
DELETE FROM api_request WHERE merchant_id = $1 AND mode = ANY ('{test,live}'::mode[]) AND id IN (
  SELECT id FROM api_request WHERE merchant_id = $1 AND mode = ANY ('{test,live}'::mode[]) AND id < $2
  LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes requests that ended before a time, at most `limit` of them. Returns how many. */
export async function ageOutApiRequests(database: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(AGE_OUT, [merchantId, firstIdAt(before.getTime()), limit]);
  return rowCount ?? 0;
}
