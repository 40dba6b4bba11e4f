import { batched, createTextPacker, type Database, enqueueJob, hintWorkers } from '@switchyard/db';
import type { GatewayWebhookState } from '@switchyard/db/client';
import type { TransferMistake } from '@switchyard/gateways';
import { GATEWAY_TEXTS_1 } from '@switchyard/gateways/dictionaries';
import { z } from 'zod';

/** A genuine gateway webhook. */
export interface NewGatewayWebhook {
  readonly merchantId: string;
  readonly webhookId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly dedupeKey: string;
  readonly event: string;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly body: string;
  /** True if the switch acts on this event. */
  readonly relevant: boolean;
}

interface Storing {
  readonly webhook: NewGatewayWebhook;
  readonly followUp: FollowUp | null;
  readonly now: Date;
}

const store = batched<Storing, 'stored' | 'repeated'>({
  async run(database, items, merchant) {
    const rows = items.map(({ webhook, followUp, now }) => ({
      merchant_id: webhook.merchantId,
      id: webhook.webhookId,
      account_id: webhook.accountId,
      gateway: webhook.gateway,
      dedupe_key: webhook.dedupeKey,
      event: webhook.event,
      reference: webhook.reference,
      transaction_id: webhook.transactionId,
      packed_body: webhook.relevant ? packBody(webhook.body).toString('base64') : null,
      state: stateAfter(webhook, followUp),
      received_at: now,
      follow_up: followUp,
    }));
    const result = await database.batches.query<{ id: string }>({
      name: 'store-gateway-webhooks',
      text: 'SELECT store_gateway_webhooks($1, $2, $3) AS id',
      values: [merchant, JSON.stringify(rows), JSON.stringify(items.map(toSubject))],
    });
    const stored = new Set(result.rows.map(({ id }) => id));
    const due = items.filter(({ webhook: { webhookId }, followUp }) => followUp !== null && stored.has(webhookId));
    const merchants = [...new Set(due.map(({ webhook: { merchantId } }) => merchantId))];
    hintWorkers(
      database,
      merchants.map((merchantId) => ({ name: 'follow-webhooks', payload: { merchantId } })),
    );
    return items.map(({ webhook: { webhookId } }) => (stored.has(webhookId) ? 'stored' : 'repeated'));
  },
  key: ({ webhook: { accountId, dedupeKey } }) => `${accountId} ${dedupeKey}`,
  merchant: ({ webhook }) => webhook.merchantId,
});

/** The state of a webhook once it is followed up. */
function stateAfter({ relevant }: NewGatewayWebhook, followUp: FollowUp | null): GatewayWebhookState {
  if (!relevant) return 'IGNORED';
  return followUp === null ? 'RECEIVED' : 'PROCESSED';
}

/** Columns by which the payment of a webhook is found. */
function toSubject({ webhook: { merchantId, webhookId, reference } }: Storing) {
  return { merchant_id: merchantId, id: webhookId, reference };
}

/**
 * Stores a webhook once, to be followed up at once where anything is to be. A repeated webhook of the same event only increments the
 * count. The body is left out where the switch does not act on the event, and where the customer's data was erased from the payment.
 */
export function storeGatewayWebhook(
  database: Database,
  webhook: NewGatewayWebhook,
  followUp: FollowUp | null,
  now: Date,
): Promise<'stored' | 'repeated'> {
  return store(database, { webhook, followUp, now });
}

const COUNT_REFUSED = `
INSERT INTO refused_webhook AS refused (merchant_id, account_id, why, hour_at, count)
VALUES ($1, $2, $3, date_trunc('hour', $4::timestamptz), 1)
ON CONFLICT (merchant_id, account_id, why, hour_at) DO UPDATE SET count = refused.count + 1`;

/** Counts a refused webhook; nothing else of it is stored. */
export async function countRefusedWebhook(
  database: Database,
  merchantId: string,
  accountId: string,
  why: string,
  now: Date,
): Promise<void> {
  await database.pool.query({ name: 'count-refused-webhook', text: COUNT_REFUSED, values: [merchantId, accountId, why, now] });
}

const TRANSFER_MISTAKES = ['another_amount', 'late', 'again'] as const satisfies readonly TransferMistake[];

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
  z.object({
    kind: z.literal('returned_transfer'),
    attemptId: z.uuid().nullable(),
    transfer: z.object({ why: z.enum(TRANSFER_MISTAKES), amount: z.string(), currency: z.string() }),
  }),
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

/** Bodies of webhooks as gateways send them and we store them. */
export const DICTIONARY_1 = GATEWAY_TEXTS_1.map(({ webhook }) => webhook).join('\n');

const BODIES = createTextPacker('a webhook body', [DICTIONARY_1]);

/** Packs the body of a gateway's webhook. */
export function packBody(body: string): Buffer<ArrayBuffer> {
  return BODIES.pack(body);
}

/** The body of a stored webhook, empty where it was left out or erased. */
export function readBody({ packedBody }: { readonly packedBody: Uint8Array | null }): string {
  return packedBody === null ? '' : BODIES.unpack(packedBody);
}

/** Has the disputes of an account read from its gateway. */
export async function requestDisputeReading(
  prisma: Parameters<typeof enqueueJob>[0],
  { merchantId, accountId }: { readonly merchantId: string; readonly accountId: string },
): Promise<void> {
  await enqueueJob(prisma, 'read-disputes', { merchantId, accountId }, { key: `read-disputes:${accountId}`, keepsJob: true });
}
