import type { PaymentRecord } from '@switchyard/payments';
import { executionStatus } from '@switchyard/payments';

/** The documented Payment resource. */
export function paymentResource(payment: PaymentRecord) {
  return {
    paymentId: payment.paymentId,
    merchantOrderId: payment.merchantOrderId,
    status: payment.status,
    executionStatus: executionStatus(payment.status),
    currency: payment.currency,
    amount: Number(payment.amount),
    recommendedGateway: { name: payment.recommendedGateway, session: payment.session },
    fallbackGateways: payment.fallbackGateways,
    routing: payment.routing,
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  };
}

/** The Payment resource with the fields that only initiate returns. */
export function initiatedPaymentResource(payment: PaymentRecord) {
  const { createdAt, updatedAt, routing, ...resource } = paymentResource(payment);
  return {
    ...resource,
    routingMode: payment.routingMode,
    requestedGateway: payment.requestedGateway,
    smartRoutingBypassed: payment.smartRoutingBypassed,
    routing,
    createdAt,
    updatedAt,
  };
}
