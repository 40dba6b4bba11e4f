import { describe, expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import type { Observations } from './observations.ts';
import { answer, answeredPayment, consistent, event, statementEntry, verified } from './recorded-fixtures.ts';
import { buildTimeline, type ViolationKind } from './violation.ts';

/** The list with the items that match changed; a change to null removes them. */
function change<T extends object>(items: readonly T[], match: Partial<T>, to: Partial<T> | null): T[] {
  const matches = (item: T): boolean => {
    const own = new Map<string, unknown>(Object.entries(item));
    return Object.entries(match).every(([name, value]) => own.get(name) === value);
  };
  if (!items.some(matches)) throw new Error('there is nothing to change');
  return items.flatMap((item) => (!matches(item) ? [item] : to === null ? [] : [{ ...item, ...to }]));
}

const { payments, attempts, moves, timeline, duplicateCharges, refunds, events } = consistent;
const { answers, deliveries, deliveryRows, forgeries, statements, calls } = consistent;
const session = { reference: 'r2', redirectUrl: 'http://pay/2' };
const record = { ...answeredPayment, status: 'SUCCESS', session: null, recordId: 'e2' } as const;
const move = { paymentId: 'p1', from: 'SUCCESS', at: 92_000 } as const;
const wrongRollup = { table: 'payment_hour', merchantId: 'm1', period: '2026-11-21 09:00:00+00', sum: 'counted 2' };

/** Only simulated worlds are checked for these. */
type SimulatedOnly = 'decision_differs' | 'audit_chain_broken' | 'process_ended';

/** Contradictions of every kind, each as what differs from the consistent observations. */
const PLANTED: Readonly<Record<Exclude<ViolationKind, SimulatedOnly>, Readonly<Record<string, Partial<Observations>>>>> = {
  paid_but_not_succeeded: {
    'paid at the gateway, and FAILED': { statements: change(statements, { reference: 't1' }, { paid: 250_000 }) },
    'paid too little, and FAILED without a review': { statements: change(statements, { reference: 't1' }, { paid: 1 }) },
  },
  never_settled: {
    'PENDING for ever': { payments: change(payments, { paymentId: 'p1' }, { status: 'PENDING' }) },
    'work that is left': { isFinished: false },
  },
  settled_late: {
    'a payment that stays open': { openAfterSessions: ['p1'] },
    'money that is not looked up': { unrecordedMoney: ['r1'] },
  },
  webhook_lost: { 'a webhook that was acknowledged and not stored': { storedWebhooks: [] } },
  succeeded_but_not_paid: {
    'SUCCESS without a payment': { statements: change(statements, { reference: 'r1' }, { paid: null }) },
    'SUCCESS for a hundredth of the amount': { statements: change(statements, { reference: 'r1' }, { paid: 2_500 }) },
    'SUCCESS in another currency': { statements: change(statements, { reference: 'r1' }, { currency: 'USD' }) },
    'SUCCESS under the reference of another payment': {
      payments: change(payments, { paymentId: 'p1' }, { gatewayReference: 's1' }),
    },
  },
  charge_not_recorded: {
    'money twice, not recorded': { duplicateCharges: [] },
    'money twice at one attempt, not recorded': { statements: [...statements, statementEntry('r1', 250_000)] },
  },
  charge_made_up: {
    'a recorded second charge that did not happen': { statements: change(statements, { reference: 's1' }, { paid: null }) },
  },
  event_missing: { 'a change without an event': { events: change(events, { eventId: 'e3' }, null) } },
  event_not_delivered: {
    'an event that never arrived': { deliveries: change(deliveries, { eventId: 'f4' }, null) },
    'an event that was only ever refused': { deliveries: change(deliveries, { eventId: 'f4' }, { answered: 500 }) },
    'an event that is still to be sent': { deliveryRows: change(deliveryRows, { eventId: 'g3' }, { state: 'PENDING' }) },
    'an event without a delivery row': { deliveryRows: change(deliveryRows, { eventId: 'g3' }, null) },
  },
  event_altered: {
    'another body the second time': { deliveries: deliveries.map((each, at) => (at === 1 ? { ...each, body: 'PAID' } : each)) },
    'an event of something that did not happen': { events: [...events, event('p1', 'e9', 9, 'payment.failed', '')] },
  },
  event_out_of_order: { 'the events of a payment the wrong way round': { deliveries: deliveries.toReversed() } },
  event_not_genuine: {
    'a signature that does not fit': { deliveries: change(deliveries, { eventId: 'g3' }, { objection: 'a signature' }) },
  },
  event_misdirected: {
    'an event at another merchant': { deliveries: change(deliveries, { eventId: 'g3' }, { merchantId: 'm2' }) },
  },
  answer_without_payment: {
    'an answer about a payment that is not there': {
      answers: [{ ...answer, payment: { ...answeredPayment, paymentId: 'p9' } }],
    },
  },
  answers_differ: {
    'another amount in the answer': {
      answers: [...answers, { ...answer, payment: { ...answeredPayment, amount: 2_500 } }],
    },
    'two answers under one key': { answers: [...answers, { ...answer, digest: 'd2' }] },
    'a record under another id': { answers: [...answers, { ...verified, payment: record }] },
  },
  two_sessions: {
    'a second session': { answers: [...answers, { ...answer, to: 'get', payment: { ...answeredPayment, session } }] },
  },
  two_payments_for_an_order: {
    'two payments for one order': { payments: change(payments, { paymentId: 'p2' }, { merchantOrderId: 'o1' }) },
    'two payments answered for one order': {
      answers: [...answers, { ...answer, payment: { ...answeredPayment, paymentId: 'p2' } }],
    },
  },
  status_went_back: {
    'PENDING answered after SUCCESS': { answers: [...answers, { ...answer, to: 'get', begun: 3_000, ended: 3_100 }] },
  },
  reference_unknown: {
    'a reference that is no attempt’s': { calls: change(calls, { reference: 's1' }, { reference: 'zz' }) },
    'a call of an unknown account with a reference that is no attempt’s': {
      calls: change(calls, { reference: 's1' }, { accountId: null, reference: 'zz' }),
    },
    'an attempt at another account': { statements: change(statements, { reference: 'r1' }, { accountId: 'a2' }) },
  },
  reference_too_early: {
    'a gateway called before the attempt was on record': { calls: change(calls, { reference: 'r1' }, { at: 890 }) },
  },
  opening_denied: {
    'an attempt recorded as refused while a checkout is open': {
      attempts: change(attempts, { reference: 's1' }, { state: 'REFUSED' }),
    },
  },
  closed_unasked: {
    'a session closed without a look-up': { calls: change(calls, { method: 'GET' }, null) },
    'a session closed without an answer': { calls: change(calls, { method: 'GET' }, { answered: false }) },
    'a session closed before the look-up': { calls: change(calls, { method: 'GET' }, { at: 91_002 }) },
    'a session closed on an answer from long before its end': {
      calls: change(calls, { method: 'GET' }, { at: 30_000 }),
    },
  },
  move_not_allowed: {
    'SUCCESS that became FAILED': { moves: [...moves, { ...move, to: 'FAILED', fromVersion: 3, toVersion: 4 }] },
    'a version used twice': { moves: [...moves, { ...move, to: 'SUCCESS', fromVersion: 2, toVersion: 3 }] },
  },
  timeline_differs: {
    'a move missing from the timeline': { timeline: change(timeline, { eventId: 'e2' }, null) },
    'a status whose event is another’s': { payments: change(payments, { paymentId: 'p1' }, { statusEventId: 'e2' }) },
  },
  refunded_too_much: {
    'more refunded than was paid': { refunds: change(refunds, { state: 'SUCCEEDED' }, { amount: 250_001 }) },
    'more refunded at the gateway than was paid': {
      statements: change(statements, { reference: 's2' }, { refunded: 250_001 }),
    },
  },
  refund_differs: {
    'a refund only the gateway has': { statements: change(statements, { reference: 'r1' }, { refunded: 50 }) },
    'a refund only we have': { statements: change(statements, { reference: 's2' }, { refunded: 0 }) },
    'an unconfirmed refund that the gateway would have shown': {
      refunds: change(refunds, { state: 'FAILED' }, { state: 'NEEDS_ATTENTION', amount: 1_000 }),
    },
    'everything refunded, and not REFUNDED': { refunds: change(refunds, { state: 'SUCCEEDED' }, { amount: 250_000 }) },
  },
  sums_differ: {
    'sums that differ though each payment is consistent': {
      duplicateCharges: change(duplicateCharges, { reference: 's1' }, { merchantId: 'm2' }),
    },
  },
  forgery_accepted: {
    'a forged webhook that was accepted': { forgeries: change(forgeries, {}, { httpStatus: 200 }) },
  },
  internal_error: { 'a 500': { answers: [...answers, { ...answer, httpStatus: 500, payment: null }] } },
  unexpected_answer: {
    'a 404 for an own payment': { answers: [...answers, { ...verified, httpStatus: 404, payment: null }] },
  },
  never_answered: { 'an order that was never answered': { answers: [{ ...answer, httpStatus: null, payment: null }] } },
  report_sum_wrong: { 'a roll-up that differs from its payments': { wrongRollups: [wrongRollup] } },
  job_given_up: { 'a job that was given up': { leftJobs: [{ task: 'check-attempt', attempts: 25, lastError: null }] } },
};
const planted = Object.entries(PLANTED).flatMap(([kind, cases]) =>
  Object.entries(cases).map(([what, plant]) => ({ what, kind, plant })),
);

describe('the checker', () => {
  test('finds nothing in consistent observations', () => {
    expect(findViolations(consistent)).toEqual([]);
  });

  test.each(planted)('finds $what', ({ kind, plant }) => {
    const found = findViolations({ ...consistent, ...plant });
    expect(found.map((each) => each.kind)).toContain(kind);
    for (const each of found) expect(buildTimeline(each)).toContain(each.what);
  });

  test('accepts a refund that a gateway without answers about refunds did not confirm, and no more than that', () => {
    const atSquad = { ...consistent, statements: consistent.statements.map((entry) => ({ ...entry, gateway: 'squad' })) };
    const unconfirmed = change(refunds, { state: 'FAILED' }, { state: 'NEEDS_ATTENTION', amount: 1_000 });
    expect(findViolations({ ...atSquad, refunds: unconfirmed })).toEqual([]);
    const confirmed = change(atSquad.statements, { reference: 's2' }, { refunded: 101_000 });
    expect(findViolations({ ...atSquad, refunds: unconfirmed, statements: confirmed })).toEqual([]);
    const other = change(atSquad.statements, { reference: 's2' }, { refunded: 100_999 });
    expect(findViolations({ ...atSquad, refunds: unconfirmed, statements: other }).map(({ kind }) => kind)).toEqual([
      'refund_differs',
    ]);
  });

  test('accepts a wrong amount that is under review', () => {
    const reviewed = {
      payments: change(payments, { paymentId: 'p3' }, { underReview: true }),
      statements: change(statements, { reference: 't1' }, { paid: 1 }),
    };
    expect(findViolations({ ...consistent, ...reviewed })).toEqual([]);
  });
});
