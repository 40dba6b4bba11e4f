import { type Database, isUuid } from '@switchyard/db';
import { type DeliveryState, type GatewayWebhookState, Prisma } from '@switchyard/db/client';
import type { PaymentsContext } from '../../record/context.ts';
import { namedPayment } from '../../record/plan.ts';

const DELIVERIES_MAX = 100;
const NAMED_PAYMENT = Prisma.raw(namedPayment('webhook.reference'));

/** One event of a payment with its delivery to one endpoint. */
export interface PaymentDeliveryRow {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

/** A gateway webhook about a payment. */
export interface PaymentGatewayWebhookRow {
  readonly webhookId: string;
  readonly gateway: string;
  readonly event: string;
  readonly state: GatewayWebhookState;
  readonly deliveries: number;
  readonly receivedAt: Date;
}

/** Deliveries to the merchant about a payment, sent and pending, the latest 100 first. `paymentId` must be a UUID. */
export function listPaymentDeliveries(
  { prisma }: Database,
  merchantIds: readonly string[],
  paymentId: string,
): Promise<PaymentDeliveryRow[]> {
  return prisma.$queryRaw<PaymentDeliveryRow[]>`
    SELECT delivery.merchant_id AS "merchantId", delivery.id AS "deliveryId", endpoint_id AS "endpointId", endpoint.url,
      event_id AS "eventId", delivery.type, delivery.state::text AS state, attempts, last_status AS "lastStatus",
      last_failure AS "lastFailure", next_attempt_at AS "nextAttemptAt", delivered_at AS "deliveredAt",
      delivery.created_at AS "createdAt"
    FROM webhook_delivery AS delivery
      JOIN webhook_endpoint AS endpoint ON endpoint.merchant_id = delivery.merchant_id AND endpoint.id = delivery.endpoint_id
    WHERE delivery.merchant_id = ANY (${merchantIds}::uuid[]) AND delivery.payment_id = ${paymentId}::uuid
    ORDER BY delivery.created_at DESC, delivery.id DESC LIMIT ${DELIVERIES_MAX}`;
}

/** Gateway webhooks with a payment's references, the latest 100 first. `paymentId` must be a UUID. */
export function listPaymentGatewayWebhooks(
  { prisma }: Database,
  merchantIds: readonly string[],
  paymentId: string,
): Promise<PaymentGatewayWebhookRow[]> {
  return prisma.$queryRaw<PaymentGatewayWebhookRow[]>`
    SELECT webhook.id AS "webhookId", webhook.gateway, event,
      CASE WHEN EXISTS (SELECT FROM webhook_follow_up AS due WHERE due.merchant_id = webhook.merchant_id AND due.webhook_id = webhook.id)
        THEN 'RECEIVED' ELSE webhook.state::text END AS state,
      deliveries, received_at AS "receivedAt"
    FROM gateway_webhook AS webhook
    WHERE webhook.merchant_id = ANY (${merchantIds}::uuid[]) AND ${NAMED_PAYMENT} = ${paymentId}::uuid
    ORDER BY received_at DESC, webhook.id DESC LIMIT ${DELIVERIES_MAX}`;
}

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
