import { newId } from '@switchyard/db';
import { attemptReference } from '../initiate/plan.ts';
import type { NewAttempt, NewPayment } from '../life-cycle/payment-record.ts';

/** A payment to reserve, of NGN 2,500 by card; `changes` overrides fields. */
export function newPayment(changes: Partial<NewPayment> = {}): NewPayment {
  const at = changes.createdAt ?? new Date();
  const paymentId = changes.paymentId ?? newId();
  return {
    merchantId: newId(),
    paymentId,
    mode: 'live',
    merchantOrderId: `order-${paymentId}`,
    amount: 2_500n,
    currency: 'NGN',
    customerEmail: 'ada@example.com',
    customerId: null,
    customerPhone: null,
    customerCountry: null,
    metadata: null,
    paymentMethod: 'CARD',
    redirectUrl: null,
    requestedGateway: null,
    routingMode: 'smart',
    smartRoutingBypassed: false,
    ruleSetVersion: 0,
    ruleId: null,
    routing: {},
    routingInputs: {},
    recommendedGateway: 'paystack',
    fallbackGateways: [],
    expiresAt: at,
    abandonedAfterMs: 0,
    createdAt: at,
    statusEventId: newId(),
    ...changes,
  };
}

/** An attempt at a new Paystack account, of a payment that is named where its reference counts. */
export function newAttempt(position = 0, paymentId = newId()): NewAttempt {
  const reference = attemptReference(paymentId, position);
  return { attemptId: newId(), position, accountId: newId(), gateway: 'paystack', reference };
}
