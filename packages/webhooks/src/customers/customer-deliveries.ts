import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { withFirstAttempt } from '../deliveries/list-deliveries.ts';
import { isOfPayments } from '../events/list-events.ts';
import { packEventBody, readEventBody } from '../events/packed-event.ts';

type Client = Database['prisma'] | Prisma.TransactionClient;

const ROWS_MAX = 100_000;

/** How many deliveries about these payments are still to be tried. */
export function countPendingDeliveries(client: Client, merchantId: string, paymentIds: readonly string[]): Promise<number> {
  return client.webhookDelivery.count({ where: { merchantId, paymentId: { in: [...paymentIds] }, state: 'PENDING' } });
}

/** Events about these payments as they were sent, with their deliveries and attempts. */
export async function readCustomerDeliveries({ prisma }: Database, merchantId: string, paymentIds: readonly string[]) {
  const where = { merchantId, paymentId: { in: [...paymentIds] } };
  const order = { orderBy: { id: 'asc' }, take: ROWS_MAX } as const;
  const [found, deliveries] = await Promise.all([
    prisma.$queryRaw<{ id: string }[]>`
      SELECT p.id FROM merchant_event AS p WHERE p.merchant_id = ${merchantId}::uuid AND ${isOfPayments(merchantId, paymentIds)}
      ORDER BY p.id LIMIT ${ROWS_MAX}`,
    prisma.webhookDelivery.findMany({ where, ...order }),
  ]);
  const ofPayments = { merchantId, id: { in: found.map(({ id }) => id) } };
  const events = await prisma.merchantEvent.findMany({ where: ofPayments, ...order });
  const deliveryId = { in: deliveries.map(({ id }) => id) };
  const rows = await prisma.webhookDeliveryAttempt.findMany({ where: { merchantId, deliveryId }, take: ROWS_MAX });
  const byDelivery = Map.groupBy(rows, (row) => row.deliveryId);
  const attempts = deliveries.flatMap((delivery) => withFirstAttempt(delivery, byDelivery.get(delivery.id) ?? []));
  const records = events.map(({ packedBody, ...event }) => ({ ...event, body: readEventBody({ ...event, packedBody }) }));
  return { events: records, deliveries, attempts };
}

/**
 * Removes what the merchant's servers answered to deliveries about these payments: it may repeat anything. Bodies in a gateway's format,
 * which name the customer, go too; one that is sent again is written anew. Of events, which hold amounts, status and references, the reasons
 * of refunds are replaced. Returns how many attempts.
 */
export async function eraseDeliveries(
  client: Client,
  merchantId: string,
  paymentIds: readonly string[],
  replacement: string,
): Promise<number> {
  await eraseRefundReasons(client, merchantId, paymentIds, replacement);
  const bodies = { merchantId, paymentId: { in: [...paymentIds] }, body: { not: null } };
  await client.webhookDelivery.updateMany({ where: bodies, data: { body: null } });
  const answers = { merchantId, paymentId: { in: [...paymentIds] }, answer: { not: null } };
  const { count } = await client.webhookDelivery.updateMany({ where: answers, data: { answer: null } });
  const rows = await client.$executeRaw`
    UPDATE webhook_delivery_attempt AS attempt SET answer = NULL FROM webhook_delivery AS delivery
    WHERE delivery.merchant_id = ${merchantId}::uuid AND delivery.payment_id = ANY (${[...paymentIds]}::uuid[])
      AND attempt.merchant_id = delivery.merchant_id AND attempt.delivery_id = delivery.id AND attempt.answer IS NOT NULL`;
  return count + rows;
}

/** Fields of an event about a refund that a person or a gateway wrote. */
const REFUND_TEXTS = new Set(['reason', 'failureReason']);

/** Replaces the reason that was typed and the gateway's message in events of these payments' refunds. */
async function eraseRefundReasons(client: Client, merchantId: string, paymentIds: readonly string[], replacement: string) {
  const events = await client.$queryRaw<{ id: string; paymentId: string; packedBody: Uint8Array }[]>`
    SELECT p.id, p.payment_id AS "paymentId", p.packed_body AS "packedBody" FROM merchant_event AS p
    WHERE p.merchant_id = ${merchantId}::uuid AND p.type LIKE 'refund.%' AND ${isOfPayments(merchantId, paymentIds)}`;
  for (const event of events) {
    // In the order of its fields: all but the texts is as it was sent.
    const record = JSON.parse(readEventBody(event), (key, value: unknown) =>
      REFUND_TEXTS.has(key) && typeof value === 'string' ? replacement : value,
    );
    const packedBody = packEventBody(event, JSON.stringify(record));
    await client.merchantEvent.update({ where: { merchantId_id: { merchantId, id: event.id } }, data: { packedBody } });
  }
}
