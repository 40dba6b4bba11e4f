import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type ComparedPayments, compareOrders, newMovesTally, type WhatMoves } from './what-moves.ts';

const account = fc.constantFrom('a', 'b', null);
const fee = fc.bigInt(0n, 100_000n);
const payment = fc
  .record({
    currency: fc.constantFrom('NGN', 'KES'),
    method: fc.constantFrom('CARD', null),
    amount: fc.bigInt(1n, 1_000_000n),
    from: account,
    to: account,
    fees: fc.option(fc.record({ from: fee, to: fee })),
    outcome: fc.constantFrom('paid', 'unpaid', 'open'),
    servedBy: account,
  })
  .map((one): ComparedPayments => {
    const result = one.from === one.to ? 'SAME' : 'MOVED';
    return { ...one, payments: 1, result, why: null, example: null };
  });

function tallied(payments: readonly ComparedPayments[]): WhatMoves {
  const tally = newMovesTally();
  for (const one of payments) tally.add(one);
  return tally.result();
}

/** Payments that are alike as one entry, as a database counts them. */
function counted(payments: readonly ComparedPayments[]): ComparedPayments[] {
  const alike = Map.groupBy(payments, ({ amount: _, fees, ...rest }) => JSON.stringify([rest, fees === null]));
  return Array.from(alike.values(), (group) => group.reduce(addUp));
}

function addUp(sum: ComparedPayments, one: ComparedPayments): ComparedPayments {
  return {
    ...sum,
    payments: sum.payments + one.payments,
    amount: sum.amount + one.amount,
    fees: sum.fees && one.fees && { from: sum.fees.from + one.fees.from, to: sum.fees.to + one.fees.to },
  };
}

describe('what moves', () => {
  it('is the same of payments added one by one and of those that are alike together', () => {
    fc.assert(
      fc.property(fc.array(payment, { minLength: 1, maxLength: 60 }), (payments) => {
        expect(tallied(counted(payments))).toEqual(tallied(payments));
      }),
    );
  });

  test.each([
    ['the same accounts', ['a', 'b'], ['a', 'b'], 'SAME'],
    ['other fallbacks', ['a', 'b'], ['a', 'c'], 'REORDERED'],
    ['a fallback less', ['a', 'b'], ['a'], 'REORDERED'],
    ['a fallback more', ['a'], ['a', 'b'], 'REORDERED'],
    ['another account first', ['a', 'b'], ['b', 'a'], 'MOVED'],
    ['an account where there was none', [], ['a'], 'MOVED'],
    ['none at all', [], [], 'SAME'],
  ] as const)('compares decisions: %s', (_what, live, draft, result) => {
    expect(compareOrders(live, draft)).toBe(result);
  });
});
