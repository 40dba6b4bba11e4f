import { NOT_REVERSED } from '../record/decide-reversal.ts';
import type { AttemptRecord, PaymentRecord } from '../record/payment-record.ts';

const at = new Date('2026-11-20T14:00:00Z');

/** A payment of NGN 2,500 whose checkout is open, and whose session ends now. */
export const aPayment: PaymentRecord = {
  merchantId: 'm',
  paymentId: 'p',
  mode: 'test',
  merchantOrderId: 'o',
  status: 'PENDING',
  amount: 2_500n,
  currency: 'NGN',
  customerEmail: 'ada@example.com',
  customerId: null,
  customerPhone: null,
  paymentMethod: 'CARD',
  redirectUrl: null,
  requestedGateway: null,
  routingMode: 'smart',
  smartRoutingBypassed: false,
  recommendedGateway: 'paystack',
  documents: { routing: {}, session: {}, fallbackGateways: [] },
  currentAttemptId: 'a',
  gatewayReference: 'ref',
  expiresAt: at,
  late: false,
  reversal: NOT_REVERSED,
  review: null,
  version: 2,
  statusEventId: 'e',
  statusChangedAt: at,
  createdAt: at,
  updatedAt: at,
};

export const anAttempt: AttemptRecord = {
  id: 'a',
  paymentId: 'p',
  position: 0,
  accountId: 'acc',
  gateway: 'paystack',
  reference: 'ref',
  state: 'OPENED',
  duplicate: false,
  failureCode: null,
  failureMessage: null,
  transactionId: null,
  receivedAmount: null,
  receivedCurrency: null,
};
