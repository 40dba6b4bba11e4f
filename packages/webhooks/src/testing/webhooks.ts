import { transactWithHints } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { TestContext } from '@switchyard/runtime/testing';
import { withFirstAttempt } from '../deliveries/deliveries-queries.ts';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { announceEvent, type MerchantEventType } from '../events/announce-event.ts';

/** One merchant's webhooks, for tests. */
export function webhooksOf(context: TestContext, merchantId: string, mode: Mode = 'test') {
  const { prisma } = context.database;
  const actor = 'staff:ada';
  return {
    async endpoint(url: string, types: readonly string[] = []): Promise<{ endpointId: string; secret: string }> {
      const outcome = await createEndpoint(context, { merchantId, mode, url, description: '', types, actor });
      if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
      return { endpointId: outcome.endpoint.id, secret: outcome.secret };
    },
    /** Writes an event of a payment, as its change would. Returns the event's id. */
    async announce(paymentId: string, position: number, type: MerchantEventType = 'payment.succeeded'): Promise<string> {
      const eventId = context.newId();
      const body = JSON.stringify({ id: eventId, type, data: { paymentId, note: 'ünï "çode"' } });
      const event = { merchantId, eventId, mode, paymentId, position, type, body };
      await transactWithHints(context.database, (transaction) => announceEvent(transaction, event, context.now()));
      return eventId;
    },
    async deliveries(endpointId: string) {
      return prisma.webhookDelivery.findMany({
        where: { merchantId, endpointId },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
    },
    async row(endpointId: string) {
      return prisma.webhookEndpoint.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: endpointId } } });
    },
    async attempts(endpointId: string) {
      const rows = await prisma.webhookDeliveryAttempt.findMany({ where: { merchantId, endpointId } });
      const byDelivery = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
      const deliveries = await prisma.webhookDelivery.findMany({ where: { merchantId, endpointId } });
      return deliveries
        .flatMap((delivery) => withFirstAttempt(delivery, byDelivery.get(delivery.id) ?? []))
        .sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime() || one.number - other.number);
    },
  };
}
