import { batched, type Database } from '@switchyard/db';
import { z } from 'zod';

const followUpSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('payment'), attemptId: z.uuid() }),
  z.object({ kind: z.literal('refund'), gatewayRefundId: z.string().nullable() }),
  z.object({ kind: z.literal('dispute'), attemptId: z.uuid(), gatewayDisputeId: z.string() }),
  z.object({
    kind: z.literal('settlement'),
    settlement: z.object({
      settlementId: z.string(),
      currency: z.string(),
      net: z.string(),
      settledOn: z.string().nullable(),
      createdAt: z.iso.datetime(),
    }),
  }),
  z.object({ kind: z.literal('disputes') }),
]);

/**
 * The object that a webhook is about, to be looked up at the gateway. A refund's webhook may name no refund, and one about disputes none of
 * them.
 */
export type FollowUp = z.output<typeof followUpSchema>;

/** A stored webhook that this process alone follows up, until its lease ends. */
export interface ClaimedWebhook {
  readonly merchantId: string;
  readonly webhookId: string;
  readonly accountId: string;
  readonly reference: string | null;
  readonly transactionId: string | null;
  /** Null where it cannot be read. */
  readonly followUp: FollowUp | null;
  /** Number of this follow-up, from 1 on. */
  readonly tries: number;
}

const MERCHANTS_MAX = 1_000;

const LIST_MERCHANTS = `
SELECT DISTINCT webhook.merchant_id AS "merchantId" FROM webhook_follow_up AS due
JOIN gateway_webhook AS webhook ON webhook.merchant_id = due.merchant_id AND webhook.id = due.webhook_id
WHERE webhook.follow_up_at <= $1 LIMIT ${MERCHANTS_MAX}`;

/** Merchants with webhooks whose follow-up is due, at most a thousand. */
export async function listMerchantsToFollow({ pool }: Database, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ merchantId: string }>({
    name: 'list-merchants-to-follow',
    text: LIST_MERCHANTS,
    values: [now],
  });
  return rows.map(({ merchantId }) => merchantId);
}

const CLAIM = `
WITH due AS MATERIALIZED (
  SELECT stored.id FROM webhook_follow_up
  JOIN gateway_webhook AS stored ON stored.merchant_id = $1 AND stored.id = webhook_follow_up.webhook_id
  WHERE webhook_follow_up.merchant_id = $1 AND stored.follow_up IS NOT NULL AND stored.follow_up_at <= $2
  ORDER BY stored.received_at LIMIT $4 FOR UPDATE OF stored SKIP LOCKED)
UPDATE gateway_webhook AS webhook SET follow_up_at = $3, follow_up_tries = follow_up_tries + 1
FROM due WHERE webhook.merchant_id = $1 AND webhook.id = due.id
RETURNING webhook.merchant_id AS "merchantId", webhook.id AS "webhookId", account_id AS "accountId", reference,
  transaction_id AS "transactionId", follow_up AS "followUp", follow_up_tries AS tries`;

/** How webhooks are claimed: due at `now`, for a lease, at most `limit`. */
export interface ClaimOptions {
  readonly now: Date;
  readonly leaseMs: number;
  readonly limit: number;
}

/** Claims due webhooks of a merchant, the longest stored first. */
export async function claimWebhooks(
  { pool }: Database,
  merchantId: string,
  { now, leaseMs, limit }: ClaimOptions,
): Promise<ClaimedWebhook[]> {
  const { rows } = await pool.query<Omit<ClaimedWebhook, 'followUp'> & { readonly followUp: unknown }>({
    name: 'claim-webhooks',
    text: CLAIM,
    values: [merchantId, now, new Date(now.getTime() + leaseMs), limit],
  });
  return rows.map((row) => ({ ...row, followUp: followUpSchema.nullable().catch(null).parse(row.followUp) }));
}

const END = `
WITH ended AS (
  UPDATE gateway_webhook AS webhook SET state = 'PROCESSED', processed_at = input.at, follow_up = NULL, follow_up_at = NULL
  FROM json_to_recordset($1) AS input (merchant_id uuid, id uuid, at timestamptz)
  WHERE webhook.merchant_id = input.merchant_id AND webhook.id = input.id AND ($2::uuid IS NULL OR webhook.merchant_id = $2))
DELETE FROM webhook_follow_up AS due USING json_to_recordset($1) AS input (merchant_id uuid, id uuid)
WHERE due.merchant_id = input.merchant_id AND due.webhook_id = input.id AND ($2::uuid IS NULL OR due.merchant_id = $2)`;

const end = batched<{ readonly webhook: ClaimedWebhook; readonly now: Date }, void>({
  async run({ batches }, items, merchant) {
    const rows = items.map(({ webhook: { merchantId, webhookId }, now }) => ({
      merchant_id: merchantId,
      id: webhookId,
      at: now,
    }));
    await batches.query({ name: 'end-follow-ups', text: END, values: [JSON.stringify(rows), merchant] });
    return items.map(() => undefined);
  },
  key: ({ webhook }) => webhook.webhookId,
  merchant: ({ webhook }) => webhook.merchantId,
});

/** Records that a webhook was followed up. */
export function endFollowUp(database: Database, webhook: ClaimedWebhook, now: Date): Promise<void> {
  return end(database, { webhook, now });
}

const POSTPONE = `
UPDATE gateway_webhook SET follow_up_at = $4
WHERE merchant_id = $1 AND id = $2 AND follow_up IS NOT NULL AND follow_up_tries = $3`;

const GIVE_UP = `
WITH ended AS (
  UPDATE gateway_webhook SET state = 'RECEIVED', follow_up = NULL, follow_up_at = NULL
  WHERE merchant_id = $1 AND id = $2 AND follow_up IS NOT NULL AND follow_up_tries = $3 RETURNING id)
DELETE FROM webhook_follow_up WHERE merchant_id = $1 AND webhook_id IN (SELECT id FROM ended)`;

/** Makes a webhook due again at a time; null gives it up, and it stays as one that was only received. */
export async function postponeFollowUp(database: Database, webhook: ClaimedWebhook, dueAt: Date | null): Promise<void> {
  const { merchantId, webhookId, tries } = webhook;
  const values = [merchantId, webhookId, tries];
  if (dueAt === null) await database.pool.query({ name: 'give-up-follow-up', text: GIVE_UP, values });
  else await database.pool.query({ name: 'postpone-follow-up', text: POSTPONE, values: [...values, dueAt] });
}
