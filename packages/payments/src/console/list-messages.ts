import { isUuid } from '@switchyard/db';
import type { PaymentsContext } from '../context.ts';
import {
  listPaymentDeliveries,
  listPaymentGatewayWebhooks,
  type PaymentDeliveryRow,
  type PaymentGatewayWebhookRow,
} from './message-queries.ts';

/**
 * The messages about a payment: webhook deliveries to the merchant, and gateway webhooks. The latest first, 100 of each at most.
 */
export interface PaymentMessages {
  readonly deliveries: readonly PaymentDeliveryRow[];
  readonly fromGateways: readonly PaymentGatewayWebhookRow[];
}

/** Lists them for a payment of one of these merchants; empty where there is none. */
export async function listPaymentMessages(
  context: PaymentsContext,
  { merchantIds, paymentId }: { readonly merchantIds: readonly string[]; readonly paymentId: string },
): Promise<PaymentMessages> {
  if (!isUuid(paymentId)) return { deliveries: [], fromGateways: [] };
  const { database } = context.resources;
  const [deliveries, fromGateways] = await Promise.all([
    listPaymentDeliveries(database, merchantIds, paymentId),
    listPaymentGatewayWebhooks(database, merchantIds, paymentId),
  ]);
  return { deliveries, fromGateways };
}
