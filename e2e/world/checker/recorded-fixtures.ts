import type { Answer, AnsweredPayment, Observations } from './observations.ts';

export const answeredPayment: AnsweredPayment = {
  paymentId: 'p1',
  merchantOrderId: 'o1',
  status: 'PENDING',
  amount: 250_000,
  currency: 'NGN',
  session: { reference: 'r1', redirectUrl: 'http://pay/1' },
  recordId: null,
};
export const answer: Answer = {
  to: 'initiate',
  merchantId: 'm1',
  merchantOrderId: 'o1',
  idempotencyKey: 'k1',
  begun: 1_000,
  ended: 1_100,
  httpStatus: 200,
  digest: 'd1',
  payment: answeredPayment,
  refusal: null,
};
export const verified: Answer = {
  ...answer,
  to: 'verify',
  idempotencyKey: null,
  begun: 2_000,
  ended: 2_100,
  payment: { ...answeredPayment, status: 'SUCCESS', session: null, recordId: 'e3' },
};
const delivery = { merchantId: 'm1', endpointId: 'w1', objection: null, answered: 200 };
const charge = { merchantId: 'm1', paymentId: 'p2', amount: 250_000, currency: 'NGN', state: 'OPEN' };
const refund = { paymentId: 'p2', amount: 100_000, duplicate: false };

/** A payment that succeeded, one that was charged twice and refunded in part, and one that was not paid. */
export const consistent: Observations = {
  answers: [answer, answer, verified],
  deliveries: [
    { ...delivery, eventId: 'e3', body: 'paid' },
    { ...delivery, eventId: 'e3', body: 'paid' },
    { ...delivery, eventId: 'f3', body: 'paid too' },
    { ...delivery, eventId: 'f4', body: 'twice', answered: 500 },
    { ...delivery, eventId: 'f4', body: 'twice' },
    { ...delivery, eventId: 'g3', body: 'failed' },
  ],
  forgeries: [{ gateway: 'paystack', event: 'charge.success', reference: 'r1', httpStatus: 401 }],
  payments: [
    payment('p1', 'o1', { status: 'SUCCESS', gatewayReference: 'r1', statusEventId: 'e3', version: 3 }),
    payment('p2', 'o2', { status: 'SUCCESS', gatewayReference: 's2', statusEventId: 'f3', version: 5, refundedAmount: 100_000 }),
    payment('p3', 'o3', { status: 'FAILED', gatewayReference: 't1', statusEventId: 'g3', version: 3 }),
  ],
  attempts: [
    attempt('p1', 'r1', 'PAID'),
    attempt('p2', 's1', 'PAID'),
    attempt('p2', 's2', 'PAID'),
    attempt('p3', 't1', 'OPENED'),
  ],
  committed: ['r1', 's1', 's2', 't1'].map((reference) => ({ reference, accountId: 'a1', at: 900.4 })),
  moves: [
    ...moves('p1', 'SUCCESS'),
    ...moves('p2', 'SUCCESS'),
    { paymentId: 'p2', from: 'SUCCESS', to: 'SUCCESS', fromVersion: 3, toVersion: 4, at: 92_000 },
    ...moves('p3', 'FAILED'),
  ],
  timeline: [
    ...timeline('p1', 'e', 'SUCCESS', 'r1'),
    ...timeline('p2', 'f', 'SUCCESS', 's2'),
    { paymentId: 'p2', eventId: 'f4', type: 'payment.duplicate_charge', from: null, to: null, reference: null },
    ...timeline('p3', 'g', 'FAILED', 't1'),
  ],
  duplicateCharges: [{ ...charge, reference: 's1' }],
  refunds: [
    { ...refund, refundId: 'x1', state: 'SUCCEEDED' },
    { ...refund, refundId: 'x2', state: 'FAILED' },
  ],
  events: [
    event('p1', 'e3', 3, 'payment.succeeded', 'paid'),
    event('p2', 'f3', 3, 'payment.succeeded', 'paid too'),
    event('p2', 'f4', 4, 'payment.duplicate_charge', 'twice'),
    event('p3', 'g3', 3, 'payment.failed', 'failed'),
  ],
  endpoints: [{ merchantId: 'm1', endpointId: 'w1', enabled: true }],
  deliveryRows: ['e3', 'f3', 'f4', 'g3'].map((eventId) => ({ endpointId: 'w1', eventId, state: 'DELIVERED' })),
  leftJobs: [],
  storedWebhooks: [{ accountId: 'a1', stored: 2 }],
  acknowledged: { a1: 2 },
  openAfterSessions: [],
  unrecordedMoney: [],
  isFinished: true,
  planted: [],
  wrongRollups: [],
  statements: [
    statementEntry('r1', 250_000),
    statementEntry('s1', 250_000),
    { ...statementEntry('s2', 250_000), refunded: 100_000 },
    statementEntry('t1', null),
  ],
  calls: [...['r1', 's1', 's2', 't1'].map((reference) => call(reference, 'POST', 950)), call('t1', 'GET', 90_000)],
};

function payment(paymentId: string, merchantOrderId: string, changes: Partial<Observations['payments'][number]>) {
  const row = { merchantId: 'm1', paymentId, merchantOrderId, status: 'PENDING', amount: 250_000, currency: 'NGN' } as const;
  const rest = {
    gatewayReference: null,
    statusEventId: '',
    version: 1,
    underReview: false,
    refundedAmount: 0,
    expiresAt: 700_000,
  };
  return { ...row, ...rest, ...changes };
}

function attempt(paymentId: string, reference: string, state: string) {
  return { paymentId, accountId: 'a1', gateway: 'paystack', reference, state };
}

function moves(paymentId: string, to: 'SUCCESS' | 'FAILED') {
  return [
    { paymentId, from: null, to: 'INITIATED', fromVersion: 0, toVersion: 1, at: 900 },
    { paymentId, from: 'INITIATED', to: 'PENDING', fromVersion: 1, toVersion: 2, at: 1_000 },
    { paymentId, from: 'PENDING', to, fromVersion: 2, toVersion: 3, at: 91_000 },
  ] as const;
}

function timeline(paymentId: string, prefix: string, to: 'SUCCESS' | 'FAILED', reference: string) {
  const type = to === 'SUCCESS' ? 'payment.succeeded' : 'payment.failed';
  return [
    { paymentId, eventId: `${prefix}1`, type: 'payment.initiated', from: null, to: 'INITIATED', reference: null },
    { paymentId, eventId: `${prefix}2`, type: 'payment.pending', from: 'INITIATED', to: 'PENDING', reference },
    { paymentId, eventId: `${prefix}3`, type, from: 'PENDING', to, reference: null },
  ] as const;
}

function call(reference: string, method: string, at: number) {
  return { gateway: 'paystack', accountId: 'a1', reference, method, at, answered: true };
}

export function event(paymentId: string, eventId: string, position: number, type: string, body: string) {
  return { merchantId: 'm1', eventId, paymentId, position, type, body };
}

export function statementEntry(reference: string, paid: number | null) {
  const entry = { gateway: 'paystack', accountId: 'a1', reference, requested: 250_000, currency: 'NGN', transactionId: '7' };
  return { ...entry, paid, refunded: 0 };
}
