import { expect, test } from 'vitest';
import { partial } from '#/testing/partial.ts';
import { type Canary, canaryState, describeCanary, describeDifference, describeMark } from './describe-canary.ts';

const canary = (of: Partial<Canary>): Canary =>
  partial({
    version: 8,
    liveVersion: 7,
    percent: 10,
    toleratedLoss: 100,
    ended: null,
    refusal: null,
    draft: { customers: 70, paid: 45 },
    live: { customers: 630, paid: 530 },
    difference: { estimate: -0.204, from: -0.31, to: -0.082 },
    promote: -2,
    rollBack: 0.64,
    ...of,
  });

test.each<[string, string, Partial<Canary>]>([
  ['Running', 'Version 8 routes 10% of customers. The evidence is 64% of what rolling back it takes.', {}],
  [
    'Running',
    'Version 8 routes 10% of customers. Too few have paid or left to say anything yet.',
    { draft: { customers: 3, paid: 1 } },
  ],
  [
    'Running',
    'Version 8 routes 10% of customers. There is no evidence for promoting or for rolling back yet.',
    { rollBack: -0.3 },
  ],
  [
    'Running',
    'Version 8 routes 10% of customers. The evidence is 99% of what promoting it takes.',
    { promote: 0.999, rollBack: 0 },
  ],
  [
    'Rolled back',
    'Version 8 was rolled back: the success rate under it is more than 1 point below that under version 7.',
    { ended: 'ROLLED_BACK' },
  ],
  [
    'Promoted',
    'Version 8 was promoted: the success rate under it is not 1 point or more below that under version 7.',
    { ended: 'PROMOTED', promote: 1 },
  ],
  ['Promoted', 'Version 8 was promoted by hand, before its customers had decided.', { ended: 'PROMOTED' }],
  [
    'Stopped',
    'Version 8 was stopped by hand. All customers are routed by the order of the accounts again.',
    { ended: 'STOPPED', liveVersion: 0 },
  ],
  ['Replaced', 'Other rules were published, which ended the trial of version 8.', { ended: 'REPLACED' }],
  ['Undecided', 'The time was over before the customers had decided. All are routed by version 7 again.', { ended: 'TIME' }],
  [
    'Not promoted',
    'Version 8 was to be promoted and could not be published: An account is gone.',
    { ended: 'REFUSED', refusal: 'An account is gone.' },
  ],
])('a trial is %s: %s', (state, sentence, of) => {
  expect([canaryState(canary(of)), describeCanary(canary(of))]).toEqual([state, sentence]);
});

test('a difference is in points, with the interval', () => {
  expect(describeDifference(canary({}))).toBe('−20.4 points, between −31 and −8.2');
  expect(describeDifference(canary({ difference: { estimate: 0, from: -0.01, to: 0.01 } }))).toBe('0 points, between −1 and +1');
  expect(describeDifference(canary({ difference: null }))).toBeNull();
});

test('what happened to an account is said with how long it lasted', () => {
  const from = new Date('2026-11-20T10:00:00Z');
  const mark = { kind: 'outage', accountLabel: 'paystack-main', method: null, from } as const;
  expect(describeMark({ ...mark, to: new Date('2026-11-20T10:12:00Z') })).toBe('paystack-main was down, 12 min');
  expect(describeMark({ ...mark, kind: 'drain', method: 'MOBILE_MONEY', to: null })).toBe(
    'paystack-main was drained for mobile money, until now',
  );
});
