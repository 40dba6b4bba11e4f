import { batched, type Database, hintWorkers } from '@switchyard/db';
import type { GatewayWebhookState } from '@switchyard/db/client';
import type { FollowUp } from './follow-up-queries.ts';
import { packBody } from './packed-body.ts';

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
