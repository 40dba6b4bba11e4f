import { gateways } from '@switchyard/gateways';
import { describe, expect, test } from 'vitest';
import { SILENT_ABOUT_REFUNDS } from '../plan/quirks.ts';
import { findViolations } from './find-violations.ts';
import type { BookedRefund, Observations } from './observations.ts';
import { answer, answeredPayment, bookedRefund, consistent, event, statementEntry, verified } from './recorded-fixtures.ts';
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
const { discrepancies, differences, disputes, settlementDiscrepancies, planted: takenBack } = consistent;
const difference = { gateway: 'paystack', accountId: 'a1', at: 100_000 } as const;
const { answers, deliveries, deliveryRows, forgeries, forbidden, statements, calls } = consistent;
const session = { reference: 'r2', redirectUrl: 'http://pay/2' };
const record = { ...answeredPayment, status: 'SUCCESS', session: null, recordId: 'e2' } as const;
const move = { paymentId: 'p1', from: 'SUCCESS', at: 92_000 } as const;
const wrongRollup = { table: 'payment_hour', merchantId: 'm1', period: '2026-11-21 09:00:00+00', sum: 'counted 2' };

const paidOut = bookedRefund('rx1', 'paid_out');
const failed = bookedRefund('rx2', 'failed');
/** The statements with these refunds of the payment that was charged twice. */
function withRefunds(...booked: BookedRefund[]): Observations['statements'] {
  return change(statements, { reference: 's2' }, { refunds: booked });
}

/** Only simulated worlds are checked for these. */
type SimulatedOnly =
  | 'decision_differs'
  | 'audit_chain_broken'
  | 'process_ended'
  | 'export_differs'
  | 'erased_too_much'
  | 'erased_too_little'
  | 'plan_not_followed';

/** Contradictions of every kind, each as what differs from the consistent observations. */
const PLANTED: Readonly<Record<Exclude<ViolationKind, SimulatedOnly>, Readonly<Record<string, Partial<Observations>>>>> = {
  paid_but_not_succeeded: {
    'paid at the gateway, and FAILED': { statements: change(statements, { reference: 't1' }, { paid: 250_000 }) },
    'paid too little, and FAILED without a review': { statements: change(statements, { reference: 't1' }, { paid: 1 }) },
  },
  never_settled: {
    'PENDING for ever': { payments: change(payments, { paymentId: 'p1' }, { status: 'PENDING' }) },
    'work that is left': { unfinished: '{"jobs":1}' },
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
    'an event whose answer came too late': { deliveries: change(deliveries, { eventId: 'g3' }, { tookMs: 15_000 }) },
    'an event whose answer was never sent': { deliveries: change(deliveries, { eventId: 'g3' }, { tookMs: null }) },
    'an event that was redirected': { deliveries: change(deliveries, { eventId: 'g3' }, { answered: 302 }) },
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
      statements: withRefunds({ ...paidOut, amount: 250_001 }, failed),
    },
  },
  refund_differs: {
    'a refund only the gateway has': { statements: withRefunds(paidOut, failed, { ...paidOut, words: ['rx9'], amount: 50 }) },
    'a refund only we have': { statements: withRefunds(failed) },
    'a refund at another account': { refunds: change(refunds, { state: 'SUCCEEDED' }, { accountId: 'a1' }) },
    'a refund of another amount': { statements: withRefunds({ ...paidOut, amount: 99_900 }, failed) },
    'a refund in another currency': { refunds: change(refunds, { state: 'SUCCEEDED' }, { currency: 'USD' }) },
    'a refund that failed at its gateway, and succeeded here': {
      statements: withRefunds({ ...paidOut, status: 'failed' }, failed),
    },
    'a refund that failed here, and was paid out': { statements: withRefunds(paidOut, { ...failed, status: 'paid_out' }) },
    'a refund that failed here, and is under way': { statements: withRefunds(paidOut, { ...failed, status: 'pending' }) },
    'an unconfirmed refund that the gateway would have shown': {
      refunds: change(refunds, { state: 'FAILED' }, { state: 'NEEDS_ATTENTION' }),
    },
    'an unconfirmed refund of another amount': {
      refunds: change(refunds, { state: 'FAILED' }, { state: 'NEEDS_ATTENTION', amount: 1_000 }),
    },
    'everything refunded, and not REFUNDED': { refunds: change(refunds, { state: 'SUCCEEDED' }, { amount: 250_000 }) },
  },
  refund_sent_twice: {
    'a refund that was accepted twice': { statements: withRefunds(paidOut, failed, { ...paidOut, id: 'g-2' }) },
    'two refunds that differ, of which one was accepted twice and the other never': {
      statements: withRefunds(paidOut, { ...paidOut, id: 'g-2' }),
    },
  },
  refund_lost: {
    'a refund that was granted and is nowhere': { refunds: change(refunds, { state: 'FAILED' }, null) },
  },
  refund_not_asked_for: {
    'a refund whose request was refused': {
      answers: change(answers, { idempotencyKey: 'refund-1' }, { httpStatus: 409 }),
    },
    'a refund that was not asked for': { answers: change(answers, { idempotencyKey: 'refund-1' }, null) },
  },
  not_refused: {
    'a refund of too much that was granted': {
      forbidden: change(forbidden, { kind: 'refund_of_too_much' }, { httpStatus: 200 }),
    },
    'a wrong key that was taken': { forbidden: change(forbidden, { kind: 'unknown_key' }, { httpStatus: 200 }) },
    'another merchant’s payment that is told of': {
      forbidden: change(forbidden, { kind: 'foreign_payment' }, { httpStatus: 200 }),
    },
    'another merchant’s payment whose existence is told': {
      forbidden: change(forbidden, { kind: 'foreign_payment' }, { httpStatus: 403 }),
    },
    'a key that did what it may not': { forbidden: change(forbidden, { kind: 'refund_without_scope' }, { httpStatus: 200 }) },
    'a forged webhook that was taken': { forbidden: change(forbidden, { kind: 'forged_webhook' }, { httpStatus: 200 }) },
  },
  dispute_differs: {
    'a dispute that its gateway does not have': { planted: [] },
    'a dispute that was won, and is lost here': { disputes: change(disputes, { paymentId: 'p2' }, { state: 'LOST' }) },
    'a dispute that counts as won before it was decided': { planted: change(takenBack, { kind: 'dispute_won' }, null) },
    'a dispute that is not on record': { disputes: [] },
    'a dispute whose decision is not on record': { disputes: change(disputes, { paymentId: 'p2' }, { state: 'UNDER_REVIEW' }) },
    'a lost dispute that is not on record as lost': {
      planted: change(takenBack, { kind: 'dispute_won' }, { kind: 'dispute_lost' }),
      statements: change(statements, { reference: 's2' }, { disputes: ['lost'] }),
    },
    'money that a gateway took back, and that is not on record': {
      planted: [...takenBack, { kind: 'reversed', gateway: 'paystack', reference: 'r1', at: 96_000 }],
      statements: change(statements, { reference: 'r1' }, { reversed: 250_000, paidAt: 60_000_000 }),
    },
    'money that no gateway took back': { payments: change(payments, { paymentId: 'p1' }, { reversedAmount: 100 }) },
    'more taken back and refunded than was received': {
      planted: change(takenBack, { kind: 'dispute_won' }, { kind: 'dispute_lost' }),
      payments: change(payments, { paymentId: 'p2' }, { reversedAmount: 250_000 }),
    },
  },
  reconciliation_differs: {
    'money of another system that was not found': { discrepancies: change(discrepancies, { state: 'OPEN' }, null) },
    'money of another system that counts as resolved': {
      discrepancies: change(discrepancies, { state: 'OPEN' }, { state: 'RESOLVED' }),
    },
    'a day that was never compared': { comparisons: [], discrepancies: [] },
    'a discrepancy where none is': { discrepancies: change(discrepancies, { state: 'RESOLVED' }, { state: 'OPEN' }) },
    'a difference that was found as another': {
      discrepancies: change(discrepancies, { state: 'OPEN' }, { kind: 'AMOUNT' }),
    },
    'a payment that lists alone have, unfound': {
      differences: [...differences, { ...difference, finds: 'STATUS', reference: 't1' }],
    },
    'a payment that the gateway has lost, unfound': {
      differences: [...differences, { ...difference, finds: 'MISSING_THERE', reference: 'r1' }],
    },
  },
  payout_differs: {
    'a payment that its payout left out, unfound': {
      settlementDiscrepancies: change(settlementDiscrepancies, { kind: 'MISSING' }, null),
    },
    'a payment that its payout left out, found as another difference': {
      settlementDiscrepancies: change(settlementDiscrepancies, { kind: 'MISSING' }, { kind: 'LATE' }),
    },
    'a payout whose sum has what its lines lack, unnoticed': {
      settlementDiscrepancies: change(settlementDiscrepancies, { kind: 'UNMATCHED' }, { state: 'RESOLVED' }),
    },
    'a payment that is missing, and in its payout': {
      planted: change(takenBack, { kind: 'left_out_of_payout' }, { reference: 'r0' }),
    },
  },
  received_differs: {
    'an amount that the gateway did not receive': {
      attempts: change(attempts, { reference: 's1' }, { receivedAmount: 250_001 }),
    },
    'another currency than the gateway received': {
      attempts: change(attempts, { reference: 's1' }, { receivedCurrency: 'USD' }),
    },
    'another transaction': { attempts: change(attempts, { reference: 's1' }, { transactionId: '8' }) },
  },
  fee_differs: {
    'another fee': { payments: change(payments, { paymentId: 'p1' }, { feeAmount: 4_600 }) },
    'no fee where the gateway took one': { payments: change(payments, { paymentId: 'p1' }, { feeAmount: null }) },
    'no fee though the list that names it was read': {
      payments: change(payments, { paymentId: 'p1' }, { feeAmount: null }),
      statements: change(statements, { reference: 'r1' }, { gateway: 'squad', paidAt: 60_000_000 }),
    },
    'a fee where the gateway names none': { statements: change(statements, { reference: 'r1' }, { fee: null }) },
  },
  sums_differ: {
    'sums that differ though each payment is consistent': {
      duplicateCharges: change(duplicateCharges, { reference: 's1' }, { merchantId: 'm2' }),
    },
  },
  forgery_accepted: {
    'a forged webhook that was accepted': { forgeries: change(forgeries, {}, { httpStatus: 200 }) },
  },
  internal_error: {
    'a 500': { answers: [...answers, { ...answer, httpStatus: 500, payment: null }] },
    'a 500 to what must be refused': { forbidden: change(forbidden, { kind: 'unknown_key' }, { httpStatus: 500 }) },
  },
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

  test('accepts a refund that a gateway without answers about refunds did not confirm, whether it is there or not', () => {
    const unconfirmed = change(refunds, { state: 'FAILED' }, { state: 'NEEDS_ATTENTION' });
    const found = (...booked: BookedRefund[]): ViolationKind[] => {
      const there = withRefunds(...booked).map((entry) => ({ ...entry, gateway: SILENT_ABOUT_REFUNDS[0] ?? '' }));
      return findViolations({ ...consistent, refunds: unconfirmed, statements: there }).map(({ kind }) => kind);
    };
    expect(found(paidOut, { ...failed, status: 'paid_out' })).toEqual([]);
    expect(found(paidOut)).toEqual([]);
    expect(found(paidOut, { ...failed, amount: 100_001 })).toEqual(['refund_differs']);
  });

  test('finds a refund that was made twice at a gateway which takes no reference of ours', () => {
    const withoutReferences = gateways.find(({ capabilities }) => capabilities.refundsCarryNoReference === true)?.name ?? '';
    const unnamed = (booked: BookedRefund): BookedRefund => ({ ...booked, words: [] });
    const found = (...booked: BookedRefund[]): readonly string[] => {
      const there = withRefunds(...booked.map(unnamed)).map((entry) => ({ ...entry, gateway: withoutReferences }));
      return findViolations({ ...consistent, statements: there }).map(({ what }) => what);
    };
    expect(found(paidOut, failed)).toEqual([]);
    expect(found(paidOut, failed, { ...paidOut, id: 'g-2', amount: 90_000 })).toEqual([
      expect.stringContaining(`${withoutReferences} refunded 900.00 of s2 as g-2, which is no refund of ours`),
    ]);
    expect(found(paidOut, failed, { ...paidOut, id: 'g-2' })).toContainEqual(
      expect.stringContaining('as g-2, which is no refund of ours'),
    );
  });

  describe('a discrepancy of a payment that has changed since its day was compared', () => {
    const isReported = (endedAt: number): boolean => {
      const late = {
        discrepancies: change(discrepancies, { state: 'RESOLVED' }, { state: 'OPEN' }),
        moves: [
          ...moves,
          { paymentId: 'p1', from: 'SUCCESS', to: 'SUCCESS', fromVersion: 3, toVersion: 4, at: 300_000_000 } as const,
        ],
        calls: [...calls, { ...calls[0], at: endedAt } as (typeof calls)[number]],
      };
      return findViolations({ ...consistent, ...late }).some(({ kind }) => kind === 'reconciliation_differs');
    };

    test('is found while the day may be compared again', () => expect(isReported(600_000_000)).toBe(true));
    test('is right once the week is over in which it may be', () => expect(isReported(700_000_000)).toBe(false));
  });

  test('accepts money taken back that is not on record where the day was not compared since', () => {
    const late = {
      planted: [...takenBack, { kind: 'reversed', gateway: 'paystack', reference: 'r1', at: 400_000_000 } as const],
      statements: change(statements, { reference: 'r1' }, { reversed: 250_000, paidAt: 60_000_000 }),
    };
    expect(findViolations({ ...consistent, ...late })).toEqual([]);
  });

  test('accepts that no fee is on record until the list that names it was read', () => {
    const unread = {
      payments: change(payments, { paymentId: 'p1' }, { feeAmount: null }),
      statements: change(statements, { reference: 'r1' }, { gateway: 'squad', paidAt: 400_000_000 }),
    };
    expect(findViolations({ ...consistent, ...unread })).toEqual([]);
  });

  test('accepts a wrong amount that is under review', () => {
    const reviewed = {
      payments: change(payments, { paymentId: 'p3' }, { underReview: true }),
      statements: change(statements, { reference: 't1' }, { paid: 1 }),
    };
    expect(findViolations({ ...consistent, ...reviewed })).toEqual([]);
  });
});
