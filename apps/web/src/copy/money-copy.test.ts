import { describe, expect, test } from 'vitest';
import { ATTEMPT_LABELS, failureOwner } from './attempts.ts';
import { DISCREPANCY_KINDS, describeRun, KIND_LABELS, type Run, statusLabel } from './discrepancies.ts';
import { DISPUTE_LABELS, DISPUTE_STATES, describeReversalCause, describeTimeLeft, isOpenDispute } from './disputes.ts';
import { FAILURE_LABELS, FAILURE_REASONS } from './failure-reasons.ts';
import { gatewayTitle, METHOD_NAMES, methodTitle } from './gateways.ts';
import { describeActor } from './health.ts';
import { PAYMENT_STATUSES, STATUS_LABELS } from './payment-status.ts';
import { CHARGE_LABELS, CHARGE_STATES, describeRequester, REFUND_LABELS, REFUND_STATES } from './refunds.ts';

const PEOPLE = new Map([['s-1', 'Ada Obi']]);

describe('words', () => {
  test.each([
    ['payments', STATUS_LABELS, PAYMENT_STATUSES],
    ['refunds', REFUND_LABELS, REFUND_STATES],
    ['duplicate payments', CHARGE_LABELS, CHARGE_STATES],
    ['attempts', ATTEMPT_LABELS, Object.keys(ATTEMPT_LABELS)],
  ])('of the states of %s are one for each, and none is a code', (_of, labels, states) => {
    const words = Object.values(labels).map(({ word }) => word);
    expect(Object.keys(labels).toSorted()).toEqual([...states].toSorted());
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(word).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
  });

  test('of reasons and kinds are different, in their order', () => {
    expect(new Set(FAILURE_REASONS.map((reason) => FAILURE_LABELS[reason].word)).size).toBe(FAILURE_REASONS.length);
    expect(new Set(DISCREPANCY_KINDS.map((kind) => KIND_LABELS[kind].word)).size).toBe(DISCREPANCY_KINDS.length);
  });

  test('of gateways and methods are names; what has none stays as it is', () => {
    expect(['paystack', ''].map(gatewayTitle)).toEqual(['Paystack', 'None']);
    expect([null, 'MOBILE_MONEY', 'CRYPTO'].map(methodTitle)).toEqual(['–', 'Mobile money', 'CRYPTO']);
    expect(METHOD_NAMES.map(methodTitle).every((word) => /^[A-Z]/.test(word) && !word.includes('_'))).toBe(true);
    expect(statusLabel('NEEDS_ATTENTION')).toBe('Needs attention');
  });
});

describe('who it was', () => {
  test.each([
    ['api', 'Merchant'],
    ['staff:s-1', 'Ada Obi'],
    ['staff:s-9', 'Staff'],
    ['system:duplicates', 'Switchyard'],
  ])('that asked for a refund: %s is %s', (actor, who) => {
    expect(describeRequester(actor, PEOPLE)).toBe(who);
  });

  test.each([
    [null, ''],
    ['system:expiry', 'it expired'],
    ['system:probe', 'the system'],
    ['staff:s-1', 'Ada Obi'],
    ['staff:s-9', 'a colleague'],
    ['ada@example.com', 'ada@example.com'],
  ])('that changed something: %s is "%s"', (actor, who) => {
    expect(describeActor(actor, PEOPLE)).toBe(who);
  });

  test.each([
    ['provider_fault', "The gateway's fault"],
    ['customer', "The customer's doing"],
    ['our_configuration', 'Our configuration'],
    ['a_new_class', 'a_new_class'],
  ])('whose fault %s is: %s', (failure, owner) => {
    expect(failureOwner(failure)).toBe(owner);
  });
});

describe('a dispute', () => {
  test('is open until the gateway decides it', () => {
    const states = DISPUTE_STATES;
    expect(states.filter((state) => isOpenDispute({ state }))).toEqual(['NEEDS_RESPONSE', 'UNDER_REVIEW']);
    expect(states.map((state) => DISPUTE_LABELS[state])).toEqual(Object.values(DISPUTE_LABELS));
  });

  test.each([
    [-1, 'Past due', 'bad'],
    [59, '59 min left', 'bad'],
    [239, '3 h 59 min left', 'bad'],
    [240, '4 h 0 min left', 'wait'],
    [47 * 60 + 59, '47 h 59 min left', 'wait'],
    [3 * 1_440, '3 days left', 'over'],
  ] as const)('with %i minutes left says: %s', (minutes, text, tone) => {
    expect(describeTimeLeft(new Date(minutes * 60_000), 0)).toEqual({ text, tone });
  });

  test('is why money went back, where the gateway says so', () => {
    expect([describeReversalCause('chargeback'), describeReversalCause(null)]).toEqual(['chargeback', 'no reason given']);
  });
});

test.each<[Partial<Run> | undefined, string]>([
  [undefined, 'Not compared yet'],
  [{ state: 'QUEUED' }, 'Waiting to be compared'],
  [{ state: 'RUNNING', rowsRead: 12_000 }, 'Comparing: 12,000 rows read'],
  [{ state: 'FAILED' }, 'Could not be compared'],
  [{ state: 'DONE', open: 1, closed: 9 }, '1 open discrepancy'],
  [{ state: 'DONE', open: 1_200, closed: 0 }, '1,200 open discrepancies'],
  [{ state: 'DONE', open: 0, closed: 9 }, 'All discrepancies closed'],
  [{ state: 'DONE', open: 0, closed: 0 }, 'Both sides agree'],
])('a day of %j is said to be: %s', (run, words) => {
  expect(describeRun(run as Run | undefined)).toBe(words);
});
