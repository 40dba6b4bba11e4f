import { addMissingJobs, type Database } from '@switchyard/db';
import { claimByMerchant } from '../claim-by-merchant.ts';
import type { PaymentsContext } from '../context.ts';
import type { KeyedFollowUp } from './queries.ts';

const BATCH = 500;
/** Longer than adding their jobs takes. */
const LEASE_MS = 30_000;

interface DueFollowUp {
  readonly merchantId: string;
  readonly webhookId: string;
  /** Null for a webhook that was followed up. */
  readonly followUp: KeyedFollowUp | null;
}

/**
 * Adds the jobs of stored webhooks that no process has added: the one that stored a webhook has ended before it could. A webhook whose job
 * only waits is left to that. Any number of processes may run it at once. Returns how many webhooks were looked at.
 */
export async function findLostFollowUps({ resources, now }: PaymentsContext): Promise<number> {
  const { database } = resources;
  let count = 0;
  for (;;) {
    const due = await claimFollowUps(database, now());
    await addMissingJobs(
      database,
      due.flatMap(({ followUp }) => followUp ?? []),
    );
    for (const [merchantId, webhooks] of Map.groupBy(due, (one) => one.merchantId)) {
      const ids = webhooks.map(({ webhookId }) => webhookId);
      await database.pool.query({ name: 'end-follow-ups', text: END, values: [merchantId, ids] });
    }
    count += due.length;
    if (due.length < BATCH) return count;
  }
}

const FIND_DUE = `
SELECT merchant_id AS "merchantId", count(*)::int AS count
FROM (SELECT merchant_id FROM gateway_webhook WHERE follow_up_at <= $1 ORDER BY follow_up_at LIMIT $2) AS due
GROUP BY merchant_id`;

const CLAIM = `
WITH due AS MATERIALIZED (
  SELECT id FROM gateway_webhook WHERE merchant_id = $3 AND follow_up_at <= $1 ORDER BY follow_up_at LIMIT $4 FOR UPDATE SKIP LOCKED)
UPDATE gateway_webhook AS webhook SET follow_up_at = $2
FROM due WHERE webhook.merchant_id = $3 AND webhook.id = due.id
RETURNING webhook.merchant_id AS "merchantId", webhook.id AS "webhookId",
  CASE WHEN webhook.state = 'RECEIVED' THEN webhook.follow_up END AS "followUp"`;

const END = 'UPDATE gateway_webhook SET follow_up_at = NULL WHERE merchant_id = $1 AND id = ANY ($2::uuid[])';

function claimFollowUps(database: Database, now: Date): Promise<DueFollowUp[]> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const find = { name: 'find-due-follow-ups', text: FIND_DUE, values: [now, BATCH] };
  return claimByMerchant<DueFollowUp>(database, find, ({ merchantId, count }) => ({
    name: 'claim-due-follow-ups',
    text: CLAIM,
    values: [now, leasedUntil, merchantId, count],
  }));
}
