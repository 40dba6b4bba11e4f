import type { Answer, AnsweredPayment, BookedRefund, ForbiddenKind, ForbiddenRequest, Observations } from './observations.ts';

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
/** A refund of the second payment that was granted. */
function refundAnswer(idempotencyKey: string): Answer {
  const of = { to: 'refund', merchantOrderId: 'o2', idempotencyKey, digest: idempotencyKey, payment: null } as const;
  return { ...answer, ...of, begun: 91_500, ended: 91_600 };
}

export const verified: Answer = {
  ...answer,
  to: 'verify',
  idempotencyKey: null,
  begun: 2_000,
  ended: 2_100,
  payment: { ...answeredPayment, status: 'SUCCESS', session: null, recordId: 'e3' },
};
const NOTHING_RECEIVED = { transactionId: null, receivedAmount: null, receivedCurrency: null };
const delivery = { merchantId: 'm1', endpointId: 'w1', objection: null, answered: 200, tookMs: 40, at: 92_000 };
const charge = { merchantId: 'm1', paymentId: 'p2', amount: 250_000, currency: 'NGN', state: 'OPEN' };
const refund = {
  paymentId: 'p2',
  accountId: 'a2',
  amount: 100_000,
  currency: 'NGN',
  duplicate: false,
  mismatched: false,
};

/** A payment that succeeded, one that was charged twice and refunded in part, and one that was not paid. */
export const consistent: Observations = {
  answers: [answer, answer, verified, refundAnswer('refund-0'), refundAnswer('refund-1')],
  deliveries: [
    { ...delivery, eventId: 'e3', body: 'paid' },
    { ...delivery, eventId: 'e3', body: 'paid' },
    { ...delivery, eventId: 'f3', body: 'paid too' },
    { ...delivery, eventId: 'f4', body: 'twice', answered: 500 },
    { ...delivery, eventId: 'f4', body: 'twice' },
    { ...delivery, eventId: 'g3', body: 'failed' },
  ],
  forgeries: [{ gateway: 'paystack', event: 'charge.success', reference: 'r1', httpStatus: 401 }],
  discrepancies: [
    { accountId: 'a1', day: '1970-01-01', kind: 'MISSING_HERE', state: 'OPEN', paymentId: null, reference: 'walk-in-1' },
    { accountId: 'a1', day: '1970-01-01', kind: 'STATUS', state: 'RESOLVED', paymentId: 'p1', reference: 'r1' },
  ],
  settlementDiscrepancies: [
    { accountId: 'a1', kind: 'MISSING', state: 'OPEN', paymentId: 'p1' },
    { accountId: 'a1', kind: 'UNMATCHED', state: 'OPEN', paymentId: null },
  ],
  comparisons: [{ accountId: 'a1', day: '1970-01-01', comparedAt: 300_000_000 }],
  differences: [{ finds: 'MISSING_HERE', gateway: 'paystack', accountId: 'a1', reference: 'walk-in-1', at: 100_000 }],
  forbidden: [
    forbidden('refund_of_too_much', 409),
    forbidden('unknown_key', 401),
    forbidden('foreign_payment', 404),
    forbidden('refund_without_scope', 403),
    forbidden('forged_webhook', 401),
    forbidden('no_key', null),
  ],
  notices: [
    {
      gateway: 'paystack',
      event: 'charge.success',
      reference: 'r1',
      forged: false,
      tries: [{ at: 90_500, httpStatus: 200 }],
    },
  ],
  payments: [
    payment('p1', 'o1', { status: 'SUCCESS', gatewayReference: 'r1', statusEventId: 'e3', version: 3 }),
    payment('p2', 'o2', { status: 'SUCCESS', gatewayReference: 's2', statusEventId: 'f3', version: 5, refundedAmount: 100_000 }),
    payment('p3', 'o3', { status: 'FAILED', gatewayReference: 't1', statusEventId: 'g3', version: 3 }),
  ],
  attempts: [
    attempt('p1', 'r1', 'PAID'),
    attempt('p2', 's1', 'PAID'),
    { ...attempt('p2', 's2', 'PAID'), position: 1 },
    attempt('p3', 't1', 'OPENED'),
  ],
  committed: ['r1', 's1', 's2', 't1'].map((reference) => ({ reference, accountId: accountOf(reference), at: 900.4 })),
  moves: [
    ...moves('p1', 'SUCCESS'),
    ...moves('p2', 'SUCCESS'),
    { paymentId: 'p2', from: 'SUCCESS', to: 'SUCCESS', fromVersion: 3, toVersion: 4, at: 92_000 },
    ...moves('p3', 'FAILED'),
  ],
  timeline: [
    ...timeline('p1', 'e', 'SUCCESS', 'r1'),
    ...timeline('p2', 'f', 'SUCCESS', 's2'),
    { paymentId: 'p2', eventId: 'f4', type: 'payment.duplicate_charge', from: null, to: null, reference: null, at: 92_000 },
    ...timeline('p3', 'g', 'FAILED', 't1'),
  ],
  duplicateCharges: [{ ...charge, reference: 's1' }],
  refunds: [
    { ...refund, refundId: 'x1', reference: 'rx1', state: 'SUCCEEDED' },
    { ...refund, refundId: 'x2', reference: 'rx2', state: 'FAILED' },
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
  unfinished: null,
  planted: [
    { kind: 'left_out_of_payout', gateway: 'paystack', reference: 'r1', at: 95_000 },
    { kind: 'dispute_opened', gateway: 'paystack', reference: 's2', at: 96_000 },
    { kind: 'dispute_won', gateway: 'paystack', reference: 's2', at: 97_000 },
  ],
  disputes: [{ paymentId: 'p2', gatewayDisputeId: 'd1', state: 'WON' }],
  wrongRollups: [],
  statements: [
    statementEntry('r1', 250_000),
    statementEntry('s1', 250_000),
    {
      ...statementEntry('s2', 250_000),
      disputes: ['won'],
      refunds: [bookedRefund('rx1', 'paid_out'), bookedRefund('rx2', 'failed')],
    },
    statementEntry('t1', null),
    statementEntry('walk-in-1', 1_000),
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
    reversedAmount: 0,
    feeAmount: changes.status === 'SUCCESS' ? 4_500 : null,
    expiresAt: 700_000,
  };
  return { ...row, ...rest, ...changes };
}

/** The second payment was tried at another account as well. */
function accountOf(reference: string): string {
  return reference === 's2' ? 'a2' : 'a1';
}

function forbidden(kind: ForbiddenKind, httpStatus: number | null): ForbiddenRequest {
  return { kind, paymentId: 'p1', at: 95_000, httpStatus, answer: '' };
}

function attempt(paymentId: string, reference: string, state: string) {
  const received = state === 'PAID' ? { transactionId: '7', receivedAmount: 250_000, receivedCurrency: 'NGN' } : NOTHING_RECEIVED;
  return { paymentId, accountId: accountOf(reference), gateway: 'paystack', reference, state, position: 0, ...received };
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
    { paymentId, eventId: `${prefix}1`, type: 'payment.initiated', from: null, to: 'INITIATED', reference: null, at: 900 },
    { paymentId, eventId: `${prefix}2`, type: 'payment.pending', from: 'INITIATED', to: 'PENDING', reference, at: 1_000 },
    { paymentId, eventId: `${prefix}3`, type, from: 'PENDING', to, reference: null, at: 91_000 },
  ] as const;
}

function call(reference: string, method: string, at: number) {
  return {
    gateway: 'paystack',
    accountId: accountOf(reference),
    reference,
    method,
    what: '/transaction: 200',
    at,
    answered: true,
  };
}

export function event(paymentId: string, eventId: string, position: number, type: string, body: string) {
  return { merchantId: 'm1', eventId, paymentId, position, type, body };
}

export function statementEntry(reference: string, paid: number | null) {
  const entry = { gateway: 'paystack', accountId: accountOf(reference), reference, requested: 250_000, currency: 'NGN' };
  const paidAt = paid === null ? null : 90_000;
  return {
    ...entry,
    transactionId: '7',
    paid,
    paidAt,
    fee: paid === null ? null : 4_500,
    reversed: 0,
    disputes: [],
    refunds: [],
  };
}

export function bookedRefund(reference: string, status: BookedRefund['status']): BookedRefund {
  return { id: `g-${reference}`, words: [reference, 'as', 'agreed'], amount: 100_000, status };
}
