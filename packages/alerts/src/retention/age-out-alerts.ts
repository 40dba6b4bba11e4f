import type { Database } from '@switchyard/db';
import { HEALTH_KINDS } from '../incidents/health-kinds.ts';

const DELETE_INCIDENTS = `
WITH old AS (
  SELECT id FROM incident
  WHERE merchant_id = $1 AND closed_at < $2 AND opened_at < $2 AND kind <> ALL ('{${HEALTH_KINDS.join(',')}}'::incident_kind[])
  LIMIT $3 FOR UPDATE SKIP LOCKED),
told AS (
  DELETE FROM notification WHERE merchant_id = $1 AND incident_id IN (SELECT id FROM old)),
noted AS (
  DELETE FROM incident_note WHERE merchant_id = $1 AND incident_id IN (SELECT id FROM old)),
concluded AS (
  DELETE FROM incident_post_mortem WHERE merchant_id = $1 AND incident_id IN (SELECT id FROM old))
DELETE FROM incident WHERE merchant_id = $1 AND id IN (SELECT id FROM old)`;

const DELETE_TEST_MESSAGES = `
DELETE FROM notification WHERE merchant_id = $1 AND id IN (
  SELECT id FROM notification
  WHERE merchant_id = $1 AND incident_id IS NULL AND state <> 'PENDING' AND created_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/**
 * Deletes what ended before a time: a merchant's closed incidents with their messages and notes, and test messages; at most `limit` of each,
 * in two short statements. An open incident stays with its messages, whatever its age, and so do those about the health of gateway accounts:
 * they are what is known of an outage. Returns how many incidents and test messages.
 */
export async function ageOutAlerts({ pool }: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  let removed = 0;
  for (const statement of [DELETE_INCIDENTS, DELETE_TEST_MESSAGES]) {
    const { rowCount } = await pool.query(statement, [merchantId, before, limit]);
    removed += rowCount ?? 0;
  }
  return removed;
}
