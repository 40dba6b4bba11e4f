import { batched, type Database } from '@switchyard/db';
import { z } from 'zod';

const followUpSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('payment'), attemptId: z.uuid() }),
  z.object({ kind: z.literal('refund'), gatewayRefundId: z.string().nullable() }),
  z.object({ kind: z.literal('dispute'), attemptId: z.uuid().nullable(), gatewayDisputeId: z.string() }),
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
SELECT DISTINCT merchant_id AS "merchantId" FROM webhook_follow_up WHERE due_at <= $1 LIMIT ${MERCHANTS_MAX}`;

/** Merchants with webhooks whose follow-up is due, at most a thousand. */
export async function listMerchantsToFollow({ pool }: Database, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ merchantId: string }>({
    name: 'list-merchants-to-follow',
    text: LIST_MERCHANTS,
    values: [now],
  });
  return rows.map(({ merchantId }) => merchantId);
}

// Ids follow the time at which webhooks were received.
const CLAIM = `
WITH due AS MATERIALIZED (
  SELECT webhook.id, webhook.account_id, webhook.reference, webhook.transaction_id FROM webhook_follow_up AS waiting
  JOIN gateway_webhook AS webhook ON webhook.merchant_id = $1 AND webhook.id = waiting.webhook_id
  WHERE waiting.merchant_id = $1 AND waiting.due_at <= $2
  ORDER BY waiting.webhook_id LIMIT $4 FOR UPDATE OF waiting SKIP LOCKED)
UPDATE webhook_follow_up AS claimed SET due_at = $3, tries = tries + 1
FROM due WHERE claimed.merchant_id = $1 AND claimed.webhook_id = due.id
RETURNING claimed.merchant_id AS "merchantId", claimed.webhook_id AS "webhookId", due.account_id AS "accountId", due.reference,
  due.transaction_id AS "transactionId", claimed.about AS "followUp", claimed.tries`;

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
DELETE FROM webhook_follow_up AS ended USING json_to_recordset($1) AS input (merchant_id uuid, id uuid)
WHERE ended.merchant_id = input.merchant_id AND ended.webhook_id = input.id AND ($2::uuid IS NULL OR ended.merchant_id = $2)`;

const end = batched<ClaimedWebhook, void>({
  async run({ batches }, items, merchant) {
    const rows = items.map(({ merchantId, webhookId }) => ({ merchant_id: merchantId, id: webhookId }));
    await batches.query({ name: 'end-follow-ups', text: END, values: [JSON.stringify(rows), merchant] });
    return items.map(() => undefined);
  },
  key: ({ webhookId }) => webhookId,
  merchant: ({ merchantId }) => merchantId,
});

/** Records that a webhook was followed up. */
export function endFollowUp(database: Database, webhook: ClaimedWebhook): Promise<void> {
  return end(database, webhook);
}

const POSTPONE = 'UPDATE webhook_follow_up SET due_at = $4 WHERE merchant_id = $1 AND webhook_id = $2 AND tries = $3';

const GIVE_UP = `
WITH ended AS (
  DELETE FROM webhook_follow_up WHERE merchant_id = $1 AND webhook_id = $2 AND tries = $3 RETURNING webhook_id)
UPDATE gateway_webhook SET state = 'RECEIVED' WHERE merchant_id = $1 AND id IN (SELECT webhook_id FROM ended)`;

/** Makes a webhook due again at a time; null gives it up, and it stays as one that was only received. */
export async function postponeFollowUp(database: Database, webhook: ClaimedWebhook, dueAt: Date | null): Promise<void> {
  const { merchantId, webhookId, tries } = webhook;
  const values = [merchantId, webhookId, tries];
  if (dueAt === null) await database.pool.query({ name: 'give-up-follow-up', text: GIVE_UP, values });
  else await database.pool.query({ name: 'postpone-follow-up', text: POSTPONE, values: [...values, dueAt] });
}
