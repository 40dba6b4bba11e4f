import type { PaymentAnswer, PaymentRecord } from '@switchyard/payments';
import { executionStatus } from '@switchyard/payments';

/** The fields of a payment in the documented Payment resource. */
type Answered = Pick<
  PaymentRecord,
  | 'paymentId'
  | 'merchantOrderId'
  | 'status'
  | 'currency'
  | 'amount'
  | 'recommendedGateway'
  | 'documents'
  | 'createdAt'
  | 'updatedAt'
>;

/** The documented Payment resource. */
export function paymentResource(payment: Answered) {
  const { routing, session, fallbackGateways } = payment.documents;
  return {
    paymentId: payment.paymentId,
    merchantOrderId: payment.merchantOrderId,
    status: payment.status,
    executionStatus: executionStatus(payment.status),
    currency: payment.currency,
    amount: Number(payment.amount),
    recommendedGateway: { name: payment.recommendedGateway, session },
    fallbackGateways,
    routing,
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  };
}

/** The text of {@link paymentResource}, from a payment whose JSON is text: it is stored as it is answered. */
export function writePaymentResource(payment: PaymentAnswer): string {
  const { status, recommendedGateway } = payment;
  const text = JSON.stringify;
  return (
    `{"paymentId":${text(payment.paymentId)},"merchantOrderId":${text(payment.merchantOrderId)},"status":${text(status)},` +
    `"executionStatus":${text(executionStatus(status))},"currency":${text(payment.currency)},"amount":${payment.amount},` +
    `"recommendedGateway":{"name":${text(recommendedGateway)},"session":${payment.sessionJson}},` +
    `"fallbackGateways":${payment.fallbackGatewaysJson},"routing":${payment.routingJson},` +
    `"createdAt":${text(payment.createdAt)},"updatedAt":${text(payment.updatedAt)}}`
  );
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
