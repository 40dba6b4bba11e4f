import { describe, expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import type { Observations } from './observations.ts';
import { answer, answeredPayment, consistent, event, statementEntry, verified } from './recorded-fixtures.ts';
import { buildTimeline, type ViolationKind } from './violation.ts';

/** The list with one of its items changed; a change to null removes it. */
function withChange<T>(items: readonly T[], which: (item: T) => boolean, change: Partial<T> | null): T[] {
  if (!items.some(which)) throw new Error('there is nothing to change');
  return items.flatMap((item) => (which(item) ? (change === null ? [] : [{ ...item, ...change }]) : [item]));
}

const isP1 = ({ paymentId }: { paymentId: string | null }): boolean => paymentId === 'p1';
const isOf =
  (wanted: string) =>
  ({ reference }: { reference: string }): boolean =>
    reference === wanted;
const isLookup = ({ method }: { method: string }): boolean => method === 'GET';
const isEvent =
  (wanted: string) =>
  ({ eventId }: { eventId: string }): boolean =>
    eventId === wanted;

const planted: readonly [what: string, kind: ViolationKind, plant: Partial<Observations>][] = [
  [
    'paid at the gateway, and FAILED',
    'paid_but_not_succeeded',
    { statements: withChange(consistent.statements, isOf('t1'), { paid: 250_000 }) },
  ],
  [
    'paid too little, and FAILED without a review',
    'paid_but_not_succeeded',
    { statements: withChange(consistent.statements, isOf('t1'), { paid: 1 }) },
  ],
  ['PENDING for ever', 'never_settled', { payments: withChange(consistent.payments, isP1, { status: 'PENDING' }) }],
  [
    'SUCCESS without a payment',
    'succeeded_but_not_paid',
    { statements: withChange(consistent.statements, isOf('r1'), { paid: null }) },
  ],
  [
    'SUCCESS for a hundredth of the amount',
    'succeeded_but_not_paid',
    { statements: withChange(consistent.statements, isOf('r1'), { paid: 2_500 }) },
  ],
  [
    'SUCCESS in another currency',
    'succeeded_but_not_paid',
    { statements: withChange(consistent.statements, isOf('r1'), { currency: 'USD' }) },
  ],
  [
    'SUCCESS under the reference of another payment',
    'succeeded_but_not_paid',
    { payments: withChange(consistent.payments, isP1, { gatewayReference: 's1' }) },
  ],
  ['money twice, not recorded', 'charge_not_recorded', { duplicateCharges: [] }],
  [
    'money twice at one attempt, not recorded',
    'charge_not_recorded',
    { statements: [...consistent.statements, statementEntry('r1', 250_000)] },
  ],
  [
    'a recorded second charge that did not happen',
    'charge_made_up',
    { statements: withChange(consistent.statements, isOf('s1'), { paid: null }) },
  ],
  ['a change without an event', 'event_missing', { events: withChange(consistent.events, isEvent('e3'), null) }],
  [
    'an event that never arrived',
    'event_not_delivered',
    { deliveries: consistent.deliveries.filter(({ eventId }) => eventId !== 'f4') },
  ],
  [
    'an event that was only ever refused',
    'event_not_delivered',
    { deliveries: withChange(consistent.deliveries, isEvent('f4'), { answered: 500 }) },
  ],
  [
    'an event that is still to be sent',
    'event_not_delivered',
    { deliveryRows: withChange(consistent.deliveryRows, isEvent('g3'), { state: 'PENDING' }) },
  ],
  [
    'an event without a delivery row',
    'event_not_delivered',
    { deliveryRows: withChange(consistent.deliveryRows, isEvent('g3'), null) },
  ],
  [
    'another body the second time',
    'event_altered',
    { deliveries: consistent.deliveries.map((each, at) => (at === 1 ? { ...each, body: 'PAID' } : each)) },
  ],
  [
    'an event of something that did not happen',
    'event_altered',
    { events: [...consistent.events, event('p1', 'e9', 9, 'payment.failed', '')] },
  ],
  ['the events of a payment the wrong way round', 'event_out_of_order', { deliveries: consistent.deliveries.toReversed() }],
  [
    'a signature that does not fit',
    'event_not_genuine',
    { deliveries: withChange(consistent.deliveries, isEvent('g3'), { objection: 'a signature that does not fit' }) },
  ],
  [
    'an event at another merchant',
    'event_misdirected',
    { deliveries: withChange(consistent.deliveries, isEvent('g3'), { merchantId: 'm2' }) },
  ],
  [
    'an answer about a payment that is not there',
    'answer_without_payment',
    { answers: [{ ...answer, payment: { ...answeredPayment, paymentId: 'p9' } }] },
  ],
  [
    'another amount in the answer',
    'answers_differ',
    { answers: [...consistent.answers, { ...answer, payment: { ...answeredPayment, amount: 2_500 } }] },
  ],
  ['two answers under one key', 'answers_differ', { answers: [...consistent.answers, { ...answer, digest: 'd2' }] }],
  [
    'a record under another id',
    'answers_differ',
    {
      answers: [
        ...consistent.answers,
        { ...verified, payment: { ...answeredPayment, status: 'SUCCESS', session: null, recordId: 'e2' } },
      ],
    },
  ],
  [
    'a second session',
    'two_sessions',
    {
      answers: [
        ...consistent.answers,
        { ...answer, to: 'get', payment: { ...answeredPayment, session: { reference: 'r2', redirectUrl: 'http://pay/2' } } },
      ],
    },
  ],
  [
    'two payments for one order',
    'two_payments_for_an_order',
    { payments: withChange(consistent.payments, ({ paymentId }) => paymentId === 'p2', { merchantOrderId: 'o1' }) },
  ],
  [
    'two payments answered for one order',
    'two_payments_for_an_order',
    { answers: [...consistent.answers, { ...answer, payment: { ...answeredPayment, paymentId: 'p2' } }] },
  ],
  [
    'PENDING answered after SUCCESS',
    'status_went_back',
    { answers: [...consistent.answers, { ...answer, to: 'get', begun: 3_000, ended: 3_100 }] },
  ],
  [
    'a reference that is no attempt’s',
    'reference_unknown',
    { calls: withChange(consistent.calls, isOf('s1'), { reference: 'zz' }) },
  ],
  [
    'a call of an unknown account with a reference that is no attempt’s',
    'reference_unknown',
    { calls: withChange(consistent.calls, isOf('s1'), { accountId: null, reference: 'zz' }) },
  ],
  [
    'an attempt at another account',
    'reference_unknown',
    { statements: withChange(consistent.statements, isOf('r1'), { accountId: 'a2' }) },
  ],
  [
    'a gateway called before the attempt was on record',
    'reference_too_early',
    { calls: withChange(consistent.calls, isOf('r1'), { at: 890 }) },
  ],
  [
    'an attempt recorded as refused while a checkout is open',
    'opening_denied',
    { attempts: withChange(consistent.attempts, isOf('s1'), { state: 'REFUSED' }) },
  ],
  ['a session closed without a look-up', 'closed_unasked', { calls: withChange(consistent.calls, isLookup, null) }],
  [
    'a session closed without an answer',
    'closed_unasked',
    { calls: withChange(consistent.calls, isLookup, { answered: false }) },
  ],
  ['a session closed before the look-up', 'closed_unasked', { calls: withChange(consistent.calls, isLookup, { at: 91_002 }) }],
  [
    'a session closed on an answer from long before its end',
    'closed_unasked',
    { calls: withChange(consistent.calls, isLookup, { at: 50_000, runAt: 30_000 }) },
  ],
  [
    'SUCCESS that became FAILED',
    'move_not_allowed',
    {
      moves: [...consistent.moves, { paymentId: 'p1', from: 'SUCCESS', to: 'FAILED', fromVersion: 3, toVersion: 4, at: 92_000 }],
    },
  ],
  [
    'a version used twice',
    'move_not_allowed',
    {
      moves: [...consistent.moves, { paymentId: 'p1', from: 'SUCCESS', to: 'SUCCESS', fromVersion: 2, toVersion: 3, at: 92_000 }],
    },
  ],
  [
    'a move missing from the timeline',
    'timeline_differs',
    { timeline: consistent.timeline.filter(({ eventId }) => eventId !== 'e2') },
  ],
  [
    'a status whose event is another’s',
    'timeline_differs',
    { payments: withChange(consistent.payments, isP1, { statusEventId: 'e2' }) },
  ],
  [
    'more refunded than was paid',
    'refunded_too_much',
    { refunds: withChange(consistent.refunds, ({ state }) => state === 'SUCCEEDED', { amount: 250_001 }) },
  ],
  [
    'more refunded at the gateway than was paid',
    'refunded_too_much',
    { statements: withChange(consistent.statements, isOf('s2'), { refunded: 250_001 }) },
  ],
  [
    'a refund only the gateway has',
    'refund_differs',
    { statements: withChange(consistent.statements, isOf('r1'), { refunded: 50 }) },
  ],
  ['a refund only we have', 'refund_differs', { statements: withChange(consistent.statements, isOf('s2'), { refunded: 0 }) }],
  [
    'everything refunded, and not REFUNDED',
    'refund_differs',
    { refunds: withChange(consistent.refunds, ({ state }) => state === 'SUCCEEDED', { amount: 250_000 }) },
  ],
  [
    'sums that differ though each payment is consistent',
    'sums_differ',
    { duplicateCharges: withChange(consistent.duplicateCharges, isOf('s1'), { merchantId: 'm2' }) },
  ],
  [
    'a forged webhook that was accepted',
    'forgery_accepted',
    { forgeries: [{ what: 'a webhook without a signature', url: '/', httpStatus: 200 }] },
  ],
  ['a 500', 'internal_error', { answers: [...consistent.answers, { ...answer, httpStatus: 500, payment: null }] }],
  [
    'a 404 for an own payment',
    'unexpected_answer',
    { answers: [...consistent.answers, { ...verified, httpStatus: 404, payment: null }] },
  ],
  ['an order that was never answered', 'never_answered', { answers: [{ ...answer, httpStatus: null, payment: null }] }],
  [
    'a roll-up that differs from its payments',
    'report_sum_wrong',
    { wrongRollups: [{ table: 'payment_hour', merchantId: 'm1', period: '2026-11-21 09:00:00+00', sum: 'counted 2' }] },
  ],
  ['a job that was given up', 'job_given_up', { leftJobs: [{ task: 'check-attempt', attempts: 25, lastError: null }] }],
];

describe('the checker', () => {
  test('finds nothing in consistent observations', () => {
    expect(findViolations(consistent)).toEqual([]);
  });

  test.each(planted)('finds %s', (_, kind, plant) => {
    const found = findViolations({ ...consistent, ...plant });
    expect(found.map((each) => each.kind)).toContain(kind);
    for (const each of found) expect(buildTimeline(each)).toContain(each.what);
  });

  test('accepts a wrong amount that is under review', () => {
    const reviewed = withChange(consistent.payments, ({ paymentId }) => paymentId === 'p3', { underReview: true });
    expect(
      findViolations({
        ...consistent,
        payments: reviewed,
        statements: withChange(consistent.statements, isOf('t1'), { paid: 1 }),
      }),
    ).toEqual([]);
  });

  test('finds every kind of violation in some case', () => {
    const shown = new Set(planted.map(([, kind]) => kind));
    const all: Record<ViolationKind, true> = {
      paid_but_not_succeeded: true,
      succeeded_but_not_paid: true,
      never_settled: true,
      charge_not_recorded: true,
      charge_made_up: true,
      event_missing: true,
      event_not_delivered: true,
      event_altered: true,
      event_out_of_order: true,
      event_not_genuine: true,
      event_misdirected: true,
      answer_without_payment: true,
      answers_differ: true,
      two_sessions: true,
      two_payments_for_an_order: true,
      status_went_back: true,
      reference_unknown: true,
      reference_too_early: true,
      opening_denied: true,
      closed_unasked: true,
      move_not_allowed: true,
      timeline_differs: true,
      refunded_too_much: true,
      refund_differs: true,
      sums_differ: true,
      report_sum_wrong: true,
      forgery_accepted: true,
      internal_error: true,
      unexpected_answer: true,
      never_answered: true,
      job_given_up: true,
    };
    expect(Object.keys(all).filter((kind) => ![...shown].some((one) => one === kind))).toEqual([]);
  });
});
