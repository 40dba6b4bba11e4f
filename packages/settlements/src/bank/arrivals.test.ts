import { addDecimals } from '@switchyard/db/decimals';
import { describe, expect, test } from 'vitest';
import { bridgeWeekends, type Days, judgeArrivals, mergeDays, type PayoutWithLines, type UsedBankAccount } from './arrivals.ts';

/* November 2026 begins on a Sunday. */
const day = (at: number) => `2026-11-${String(at).padStart(2, '0')}`;
const days = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([from, to]): Days => ({ from: day(from), to: day(to) }));
const payout = (at: number, changes: Partial<PayoutWithLines> = {}): PayoutWithLines => ({
  settlementId: `s-${at}`,
  accountId: 'a',
  currency: 'NGN',
  settledOn: day(at),
  net: '20',
  lines: [],
  ...changes,
});
const used = (from: number, to: number, bankAccount = 'GTB'): UsedBankAccount => {
  return { accountId: 'a', currency: 'NGN', bankAccount, from: day(from), to: day(to) };
};

function stateOf(
  at: number,
  coverage: Readonly<Record<string, readonly Days[]>>,
  { banks = [used(2, 2)], changes = {} }: { banks?: readonly UsedBankAccount[]; changes?: Partial<PayoutWithLines> } = {},
) {
  const arrivals = judgeArrivals([payout(at, changes)], {
    coverage: Object.entries(coverage).map(([bankAccount, covered]) => ({ bankAccount, days: covered })),
    used: banks,
    workingDays: 2,
    toleranceOf: () => '0',
  });
  return arrivals.get(`s-${at}`)?.state;
}

test('days of statements are one where they overlap or follow each other, and banking days between them part them', () => {
  expect(mergeDays(days([9, 13], [2, 6], [4, 7], [8, 8]))).toEqual(days([2, 13]));
  expect(mergeDays(days([2, 6], [9, 13]))).toEqual(days([2, 6], [9, 13]));
  expect(bridgeWeekends(days([2, 6], [9, 13], [17, 20]))).toEqual(days([2, 13], [17, 20]));
});

describe('a payout of which nothing came', () => {
  const apart = { GTB: days([2, 6], [23, 27]) };

  test('is missing only where statements cover its day and go on past the days that a bank takes', () => {
    expect([2, 3].map((at) => stateOf(at, apart))).toEqual(['missing', 'missing']);
    expect([4, 5, 6].map((at) => stateOf(at, apart))).toEqual(['not_covered', 'not_covered', 'not_covered']);
    expect([9, 13, 16, 20].map((at) => stateOf(at, apart))).toEqual(Array(4).fill('not_covered'));
    expect([23, 24, 25, 27].map((at) => stateOf(at, apart))).toEqual(['missing', 'missing', 'on_the_way', 'on_the_way']);
    expect([1, 30].map((at) => stateOf(at, apart))).toEqual(['not_covered', 'on_the_way']);
  });

  test('is missing across a weekend without statements, unless it was paid out on it', () => {
    const weekly = { GTB: days([2, 6], [9, 13]) };
    expect([4, 6, 7, 9].map((at) => stateOf(at, weekly))).toEqual(['missing', 'missing', 'not_covered', 'missing']);
  });

  test('is looked for at the bank that payouts before and after it reached, and nowhere before any did', () => {
    const moved = [used(2, 4, 'GTB'), used(10, 12, 'UBA')];
    const both = { GTB: days([2, 6]), UBA: days([9, 20]) };
    expect(stateOf(10, both, { banks: moved })).toBe('missing');
    expect(stateOf(13, both, { banks: moved })).toBe('missing');
    // Between them it may be at either: the days after the sixth are no statement of the first.
    expect(stateOf(9, both, { banks: moved })).toBe('on_the_way');
    expect(stateOf(5, both, { banks: moved })).toBe('not_covered');
    expect(stateOf(10, { GTB: days([2, 30]) }, { banks: [] })).toBe('not_covered');
    expect(stateOf(10, both, { banks: [{ ...used(10, 12, 'UBA'), currency: 'USD' }] })).toBe('not_covered');
  });

  test('is of nothing where nothing is due, and missing where the gateway should have collected it', () => {
    expect(stateOf(2, apart, { changes: { net: '0' } })).toBe('nothing_due');
    expect(stateOf(2, apart, { changes: { net: '-20' } })).toBe('missing');
  });
});

describe('a payout of which a part came', () => {
  const apart = { GTB: days([2, 6], [9, 13], [23, 27]) };
  const partOn = (at: number, settledOn: number) =>
    stateOf(settledOn, apart, { changes: { lines: [{ bankLineId: 'b', bankAccount: 'GTB', amount: '5', bookedOn: day(at) }] } });

  test('is short only where statements go on from its part past the days that a bank takes', () => {
    expect([partOn(2, 2), partOn(9, 5)]).toEqual(['short', 'short']);
    // The rest may be in the next statement, or on days that no statement is of.
    expect([partOn(26, 26), partOn(12, 12)]).toEqual(['on_the_way', 'not_covered']);
  });

  test('is short at once where it came after these days', () => {
    expect(partOn(27, 23)).toBe('short');
  });
});

test('payouts that share a line add up to it', () => {
  const line = { bankLineId: 'b', bankAccount: 'GTB', amount: '55', bookedOn: day(24) };
  const payouts = ['20', '30', '10'].map((net, at) => payout(20 + at, { net, lines: [line] }));
  const arrivals = judgeArrivals(payouts, { coverage: [], used: [], workingDays: 2, toleranceOf: () => '0' });
  expect([...arrivals.values()].map(({ state, arrived }) => `${state} ${arrived}`)).toEqual([
    'arrived 20',
    'arrived 30',
    'short 5',
  ]);
  expect(addDecimals(...[...arrivals.values()].map(({ arrived }) => arrived ?? '0'))).toBe('55');
});
