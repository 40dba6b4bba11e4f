import { describe, expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { answer, book, calm, event, told, verified } from './recorded-fixtures.ts';
import { buildTimeline, type ViolationKind } from './violation.ts';
import type { Witnesses } from './witnesses.ts';

/** The list with one of its items changed; a change to null takes it away. */
function but<T>(items: readonly T[], which: (item: T) => boolean, change: Partial<T> | null): T[] {
  if (!items.some(which)) throw new Error('there is nothing to change');
  return items.flatMap((item) => (which(item) ? (change === null ? [] : [{ ...item, ...change }]) : [item]));
}

const isP1 = ({ paymentId }: { paymentId: string | null }): boolean => paymentId === 'p1';
const isOf =
  (wanted: string) =>
  ({ reference }: { reference: string }): boolean =>
    reference === wanted;
const isQuestion = ({ method }: { method: string }): boolean => method === 'GET';
const isEvent =
  (wanted: string) =>
  ({ eventId }: { eventId: string }): boolean =>
    eventId === wanted;

const planted: readonly [what: string, kind: ViolationKind, plant: Partial<Witnesses>][] = [
  ['paid at the gateway, and FAILED', 'paid_but_not_succeeded', { books: but(calm.books, isOf('t1'), { paid: 250_000 }) }],
  [
    'paid too little, and FAILED without anybody being asked',
    'paid_but_not_succeeded',
    { books: but(calm.books, isOf('t1'), { paid: 1 }) },
  ],
  ['PENDING for ever', 'never_settled', { payments: but(calm.payments, isP1, { status: 'PENDING' }) }],
  ['SUCCESS that nobody paid', 'succeeded_but_not_paid', { books: but(calm.books, isOf('r1'), { paid: null }) }],
  ['SUCCESS for a hundredth of the amount', 'succeeded_but_not_paid', { books: but(calm.books, isOf('r1'), { paid: 2_500 }) }],
  ['SUCCESS in another currency', 'succeeded_but_not_paid', { books: but(calm.books, isOf('r1'), { currency: 'USD' }) }],
  [
    'SUCCESS under a reference of somebody else’s',
    'succeeded_but_not_paid',
    { payments: but(calm.payments, isP1, { gatewayReference: 's1' }) },
  ],
  ['money twice, on no record', 'charge_not_recorded', { duplicateCharges: [] }],
  ['money twice at one attempt, on no record', 'charge_not_recorded', { books: [...calm.books, book('r1', 250_000)] }],
  ['a second charge that was none', 'charge_made_up', { books: but(calm.books, isOf('s1'), { paid: null }) }],
  ['a change nobody is told of', 'event_missing', { events: but(calm.events, isEvent('e3'), null) }],
  [
    'an event that never arrived',
    'event_not_delivered',
    { deliveries: calm.deliveries.filter(({ eventId }) => eventId !== 'f4') },
  ],
  [
    'an event that was only ever refused',
    'event_not_delivered',
    { deliveries: but(calm.deliveries, isEvent('f4'), { answered: 500 }) },
  ],
  [
    'an event that is still to be sent',
    'event_not_delivered',
    { deliveryRows: but(calm.deliveryRows, isEvent('g3'), { state: 'PENDING' }) },
  ],
  ['an event nobody meant for an endpoint', 'event_not_delivered', { deliveryRows: but(calm.deliveryRows, isEvent('g3'), null) }],
  [
    'another body the second time',
    'event_altered',
    { deliveries: calm.deliveries.map((each, at) => (at === 1 ? { ...each, body: 'PAID' } : each)) },
  ],
  [
    'an event of something that did not happen',
    'event_altered',
    { events: [...calm.events, event('p1', 'e9', 9, 'payment.failed', '')] },
  ],
  ['the events of a payment the wrong way round', 'event_out_of_order', { deliveries: calm.deliveries.toReversed() }],
  [
    'a signature that does not fit',
    'event_not_genuine',
    { deliveries: but(calm.deliveries, isEvent('g3'), { objection: 'a signature that does not fit' }) },
  ],
  [
    'an event at another merchant',
    'event_misdirected',
    { deliveries: but(calm.deliveries, isEvent('g3'), { merchantId: 'm2' }) },
  ],
  [
    'an answer about a payment that is not there',
    'answer_without_payment',
    { answers: [{ ...answer, payment: { ...told, paymentId: 'p9' } }] },
  ],
  [
    'another amount in the answer',
    'answers_differ',
    { answers: [...calm.answers, { ...answer, payment: { ...told, amount: 2_500 } }] },
  ],
  ['two answers under one key', 'answers_differ', { answers: [...calm.answers, { ...answer, digest: 'd2' }] }],
  [
    'a record under another id',
    'answers_differ',
    { answers: [...calm.answers, { ...verified, payment: { ...told, status: 'SUCCESS', session: null, recordId: 'e2' } }] },
  ],
  [
    'a second session',
    'two_sessions',
    {
      answers: [
        ...calm.answers,
        { ...answer, to: 'get', payment: { ...told, session: { reference: 'r2', redirectUrl: 'http://pay/2' } } },
      ],
    },
  ],
  [
    'two payments for one order',
    'two_payments_for_an_order',
    { payments: but(calm.payments, ({ paymentId }) => paymentId === 'p2', { merchantOrderId: 'o1' }) },
  ],
  [
    'two payments answered for one order',
    'two_payments_for_an_order',
    { answers: [...calm.answers, { ...answer, payment: { ...told, paymentId: 'p2' } }] },
  ],
  [
    'PENDING answered after SUCCESS',
    'status_went_back',
    { answers: [...calm.answers, { ...answer, to: 'get', begun: 3_000, ended: 3_100 }] },
  ],
  ['a reference that is no attempt’s', 'reference_unknown', { calls: but(calm.calls, isOf('s1'), { reference: 'zz' }) }],
  [
    'a call of nobody known with a reference that is no attempt’s',
    'reference_unknown',
    { calls: but(calm.calls, isOf('s1'), { accountId: null, reference: 'zz' }) },
  ],
  ['an attempt at another account', 'reference_unknown', { books: but(calm.books, isOf('r1'), { accountId: 'a2' }) }],
  [
    'a gateway called before the attempt was on record',
    'reference_too_early',
    { calls: but(calm.calls, isOf('r1'), { at: 890 }) },
  ],
  [
    'an attempt that was refused, they say, while a checkout is open',
    'opening_denied',
    { attempts: but(calm.attempts, isOf('s1'), { state: 'REFUSED' }) },
  ],
  ['a session closed without asking', 'closed_unasked', { calls: but(calm.calls, isQuestion, null) }],
  ['a session closed without an answer', 'closed_unasked', { calls: but(calm.calls, isQuestion, { answered: false }) }],
  ['a session closed before asking', 'closed_unasked', { calls: but(calm.calls, isQuestion, { at: 91_002 }) }],
  [
    'a session closed on what its gateway said long before its end',
    'closed_unasked',
    { calls: but(calm.calls, isQuestion, { at: 50_000, runAt: 30_000 }) },
  ],
  [
    'SUCCESS that became FAILED',
    'move_not_allowed',
    { moves: [...calm.moves, { paymentId: 'p1', from: 'SUCCESS', to: 'FAILED', fromVersion: 3, toVersion: 4, at: 92_000 }] },
  ],
  [
    'a version used twice',
    'move_not_allowed',
    { moves: [...calm.moves, { paymentId: 'p1', from: 'SUCCESS', to: 'SUCCESS', fromVersion: 2, toVersion: 3, at: 92_000 }] },
  ],
  [
    'a move the timeline does not tell',
    'timeline_differs',
    { timeline: calm.timeline.filter(({ eventId }) => eventId !== 'e2') },
  ],
  ['a status whose event is another’s', 'timeline_differs', { payments: but(calm.payments, isP1, { statusEventId: 'e2' }) }],
  [
    'more money back than was paid',
    'refunded_too_much',
    { refunds: but(calm.refunds, ({ state }) => state === 'SUCCEEDED', { amount: 250_001 }) },
  ],
  [
    'more money back at the gateway than was paid',
    'refunded_too_much',
    { books: but(calm.books, isOf('s2'), { refunded: 250_001 }) },
  ],
  ['a refund only the gateway has', 'refund_differs', { books: but(calm.books, isOf('r1'), { refunded: 50 }) }],
  ['a refund only we have', 'refund_differs', { books: but(calm.books, isOf('s2'), { refunded: 0 }) }],
  [
    'all money back, and not REFUNDED',
    'refund_differs',
    { refunds: but(calm.refunds, ({ state }) => state === 'SUCCEEDED', { amount: 250_000 }) },
  ],
  [
    'sums that differ though each payment looks well',
    'sums_differ',
    { duplicateCharges: but(calm.duplicateCharges, isOf('s1'), { merchantId: 'm2' }) },
  ],
  [
    'a forged webhook that was taken',
    'forgery_accepted',
    { forgeries: [{ what: 'a webhook without a signature', url: '/', httpStatus: 200 }] },
  ],
  ['a 500', 'internal_error', { answers: [...calm.answers, { ...answer, httpStatus: 500, payment: null }] }],
  [
    'a 404 for an own payment',
    'unexpected_answer',
    { answers: [...calm.answers, { ...verified, httpStatus: 404, payment: null }] },
  ],
  ['an order nobody ever answered', 'never_answered', { answers: [{ ...answer, httpStatus: null, payment: null }] }],
  [
    'a sum for reports that is not what the payments come to',
    'report_sum_wrong',
    { wrongSums: [{ table: 'payment_hour', merchantId: 'm1', period: '2026-11-21 09:00:00+00', sum: 'counted 2' }] },
  ],
  ['a job that was given up', 'job_given_up', { leftJobs: [{ task: 'check-attempt', attempts: 25, lastError: null }] }],
];

describe('the checker', () => {
  test('finds nothing where nothing is wrong', () => {
    expect(findViolations(calm)).toEqual([]);
  });

  test.each(planted)('sees %s', (_, kind, plant) => {
    const found = findViolations({ ...calm, ...plant });
    expect(found.map((each) => each.kind)).toContain(kind);
    for (const each of found) expect(buildTimeline(each)).toContain(each.what);
  });

  test('leaves money that does not match the order to a person', () => {
    const reviewed = but(calm.payments, ({ paymentId }) => paymentId === 'p3', { underReview: true });
    expect(findViolations({ ...calm, payments: reviewed, books: but(calm.books, isOf('t1'), { paid: 1 }) })).toEqual([]);
  });

  test('knows of no kind of violation that no plant shows', () => {
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
