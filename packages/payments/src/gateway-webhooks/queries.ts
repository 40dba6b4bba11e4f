import type { Database } from '@switchyard/db';
import { enqueueJob, type Jobs } from '@switchyard/db';
import { type GatewayWebhook, Prisma } from '@switchyard/db/client';

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
  /** Whether the switch acts on this event. */
  readonly relevant: boolean;
}

/** The job that follows a webhook up. */
export type WebhookFollowUp =
  | { readonly name: 'check-attempt'; readonly payload: Jobs['check-attempt'] }
  | { readonly name: 'follow-refund-webhook'; readonly payload: Jobs['follow-refund-webhook'] };

/**
 * Stores a webhook once, with its follow-up job if there is one, in one transaction. A repeated webhook of the same event only
 * increments the count.
 */
export async function storeGatewayWebhook(
  database: Database,
  webhook: NewGatewayWebhook,
  followUp: WebhookFollowUp | null,
  now: Date,
): Promise<'stored' | 'repeated'> {
  const { merchantId, webhookId, accountId, dedupeKey, relevant, ...rest } = webhook;
  try {
    await database.prisma.$transaction(async (transaction) => {
      const state = relevant ? 'RECEIVED' : 'IGNORED';
      await transaction.gatewayWebhook.create({
        data: { ...rest, merchantId, id: webhookId, accountId, dedupeKey, state, receivedAt: now },
      });
      if (followUp !== null) await enqueueJob(transaction, followUp.name, followUp.payload);
    });
    return 'stored';
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    await database.prisma.gatewayWebhook.updateMany({
      where: { merchantId, accountId, dedupeKey },
      data: { deliveries: { increment: 1 } },
    });
    return 'repeated';
  }
}

/** A stored gateway webhook by its merchant and id; null when there is none. */
export function findGatewayWebhook(database: Database, merchantId: string, webhookId: string): Promise<GatewayWebhook | null> {
  return database.prisma.gatewayWebhook.findUnique({ where: { merchantId_id: { merchantId, id: webhookId } } });
}

/** Marks a stored webhook as followed up. */
export async function markGatewayWebhookProcessed(
  database: Database,
  merchantId: string,
  webhookId: string,
  now: Date,
): Promise<void> {
  await database.prisma.gatewayWebhook.updateMany({
    where: { merchantId, id: webhookId },
    data: { state: 'PROCESSED', processedAt: now },
  });
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
