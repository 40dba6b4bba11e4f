import { batched, type Database, hintJobs, type JobHint } from '@switchyard/db';

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

/** The job that follows a webhook up. */
export type WebhookFollowUp = Extract<JobHint, { name: 'check-attempt' | 'follow-refund-webhook' | 'follow-dispute-webhook' }>;

/** One job for each webhook, however often it is added. */
export type KeyedFollowUp = WebhookFollowUp & { readonly key: string };

/** By then the job is there, as a rule, which is added after the commit. */
const FOLLOWED_UP_AFTER_MS = 5_000;

const STORE = `
WITH input AS (
  SELECT * FROM json_to_recordset($1) AS input (merchant_id uuid, id uuid, account_id uuid, gateway text, dedupe_key text, event text,
    reference text, transaction_id text, body text, state gateway_webhook_state, received_at timestamptz, follow_up json,
    follow_up_at timestamptz)),
erased AS (
  SELECT input.merchant_id, input.id FROM input
  JOIN attempt ON attempt.merchant_id = input.merchant_id AND attempt.account_id = input.account_id AND attempt.reference = input.reference
  JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
  WHERE payment.customer_erased_at IS NOT NULL),
stored AS (
  INSERT INTO gateway_webhook AS known (merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id, body, state,
    received_at, follow_up, follow_up_at)
  SELECT merchant_id, id, account_id, gateway, dedupe_key, event, reference, transaction_id,
    CASE WHEN state = 'IGNORED' OR id IN (SELECT id FROM erased) THEN '' ELSE body END, state, received_at, follow_up, follow_up_at
  FROM input
  ON CONFLICT (merchant_id, account_id, dedupe_key) DO UPDATE SET deliveries = known.deliveries + 1
  RETURNING id)
SELECT id FROM stored`;

interface Storing {
  readonly webhook: NewGatewayWebhook;
  readonly followUp: KeyedFollowUp | null;
  readonly now: Date;
}

const store = batched<Storing, 'stored' | 'repeated'>({
  async run(database, items) {
    const rows = items.map(({ webhook, followUp, now }) => ({
      merchant_id: webhook.merchantId,
      id: webhook.webhookId,
      account_id: webhook.accountId,
      gateway: webhook.gateway,
      dedupe_key: webhook.dedupeKey,
      event: webhook.event,
      reference: webhook.reference,
      transaction_id: webhook.transactionId,
      body: webhook.body,
      state: webhook.relevant ? 'RECEIVED' : 'IGNORED',
      received_at: now,
      follow_up: followUp,
      follow_up_at: followUp === null ? null : new Date(now.getTime() + FOLLOWED_UP_AFTER_MS),
    }));
    const result = await database.batches.query<{ id: string }>({
      name: 'store-gateway-webhooks',
      text: STORE,
      values: [JSON.stringify(rows)],
    });
    const stored = new Set(result.rows.map(({ id }) => id));
    hintJobs(
      database,
      items.flatMap(({ webhook: { webhookId }, followUp }) => (followUp !== null && stored.has(webhookId) ? [followUp] : [])),
    );
    return items.map(({ webhook: { webhookId } }) => (stored.has(webhookId) ? 'stored' : 'repeated'));
  },
  key: ({ webhook: { accountId, dedupeKey } }) => `${accountId} ${dedupeKey}`,
});

/**
 * Stores a webhook once, and then adds the job that follows it up, if any. A repeated webhook of the same event only increments the count. The body is left out where the switch does not act on the event, and where the customer's data was erased from
 * the payment.
 */
export function storeGatewayWebhook(
  database: Database,
  webhook: NewGatewayWebhook,
  followUp: WebhookFollowUp | null,
  now: Date,
): Promise<'stored' | 'repeated'> {
  const keyed = followUp === null ? null : { ...followUp, key: `webhook:${webhook.webhookId}` };
  return store(database, { webhook, followUp: keyed, now });
}

interface WebhookKey {
  readonly merchantId: string;
  readonly webhookId: string;
}

/** Fields of a stored webhook that its follow-up needs. */
export type StoredGatewayWebhook = Pick<NewGatewayWebhook, 'accountId' | 'reference' | 'transactionId'>;

const FIND = `
SELECT place::int AS place, account_id AS "accountId", reference, transaction_id AS "transactionId"
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant_id, id, place)
JOIN gateway_webhook USING (merchant_id, id)`;

const find = batched<WebhookKey, StoredGatewayWebhook | null>({
  async run({ batches }, keys) {
    const { rows } = await batches.query<StoredGatewayWebhook & { readonly place: number }>({
      name: 'find-gateway-webhooks',
      text: FIND,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ webhookId }) => webhookId)],
    });
    const found = keys.map((): StoredGatewayWebhook | null => null);
    for (const { place, ...webhook } of rows) found[place - 1] = webhook;
    return found;
  },
});

/** A stored gateway webhook by its merchant and id; null when there is none. */
export function findGatewayWebhook(
  database: Database,
  merchantId: string,
  webhookId: string,
): Promise<StoredGatewayWebhook | null> {
  return find(database, { merchantId, webhookId });
}

const MARK_PROCESSED = `
UPDATE gateway_webhook AS webhook SET state = 'PROCESSED', processed_at = input.at, follow_up_at = NULL
FROM json_to_recordset($1) AS input (merchant_id uuid, id uuid, at timestamptz)
WHERE webhook.merchant_id = input.merchant_id AND webhook.id = input.id`;

const markProcessed = batched<WebhookKey & { readonly now: Date }, void>({
  async run({ batches }, items) {
    const rows = items.map(({ merchantId, webhookId, now }) => ({ merchant_id: merchantId, id: webhookId, at: now }));
    await batches.query({ name: 'mark-webhooks-processed', text: MARK_PROCESSED, values: [JSON.stringify(rows)] });
    return items.map(() => undefined);
  },
  key: ({ webhookId }) => webhookId,
});

/** Marks a stored webhook as followed up. */
export function markGatewayWebhookProcessed(database: Database, merchantId: string, webhookId: string, now: Date): Promise<void> {
  return markProcessed(database, { merchantId, webhookId, now });
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
