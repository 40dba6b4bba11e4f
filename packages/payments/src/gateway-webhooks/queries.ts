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

interface Storing {
  readonly webhook: NewGatewayWebhook;
  readonly followUp: KeyedFollowUp | null;
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
      body: webhook.body,
      state: webhook.relevant ? 'RECEIVED' : 'IGNORED',
      received_at: now,
      follow_up: followUp,
      follow_up_at: followUp === null ? null : new Date(now.getTime() + FOLLOWED_UP_AFTER_MS),
    }));
    const result = await database.batches.query<{ id: string }>({
      name: 'store-gateway-webhooks',
      text: 'SELECT store_gateway_webhooks($1, $2, $3) AS id',
      values: [merchant, JSON.stringify(rows), JSON.stringify(items.map(toSubject))],
    });
    const stored = new Set(result.rows.map(({ id }) => id));
    hintJobs(
      database,
      items.flatMap(({ webhook: { webhookId }, followUp }) => (followUp !== null && stored.has(webhookId) ? [followUp] : [])),
    );
    return items.map(({ webhook: { webhookId } }) => (stored.has(webhookId) ? 'stored' : 'repeated'));
  },
  key: ({ webhook: { accountId, dedupeKey } }) => `${accountId} ${dedupeKey}`,
  merchant: ({ webhook }) => webhook.merchantId,
});

/** Columns by which the payment of a webhook is found. */
function toSubject({ webhook: { merchantId, webhookId, accountId, reference } }: Storing) {
  return { merchant_id: merchantId, id: webhookId, account_id: accountId, reference };
}

/**
 * Stores a webhook once, and then adds the job that follows it up, if any. A repeated webhook of the same event only increments the
 * count. The body is left out where the switch does not act on the event, and where the customer's data was erased from the payment.
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
JOIN gateway_webhook USING (merchant_id, id)
WHERE $3::uuid IS NULL OR gateway_webhook.merchant_id = $3`;

const find = batched<WebhookKey, StoredGatewayWebhook | null>({
  async run({ batches }, keys, merchant) {
    const { rows } = await batches.query<StoredGatewayWebhook & { readonly place: number }>({
      name: 'find-gateway-webhooks',
      text: FIND,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ webhookId }) => webhookId), merchant],
    });
    const found = keys.map((): StoredGatewayWebhook | null => null);
    for (const { place, ...webhook } of rows) found[place - 1] = webhook;
    return found;
  },
  merchant: ({ merchantId }) => merchantId,
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
WHERE webhook.merchant_id = input.merchant_id AND webhook.id = input.id AND ($2::uuid IS NULL OR webhook.merchant_id = $2)`;

const markProcessed = batched<WebhookKey & { readonly now: Date }, void>({
  async run({ batches }, items, merchant) {
    const rows = items.map(({ merchantId, webhookId, now }) => ({ merchant_id: merchantId, id: webhookId, at: now }));
    await batches.query({ name: 'mark-webhooks-processed', text: MARK_PROCESSED, values: [JSON.stringify(rows), merchant] });
    return items.map(() => undefined);
  },
  key: ({ webhookId }) => webhookId,
  merchant: ({ merchantId }) => merchantId,
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
