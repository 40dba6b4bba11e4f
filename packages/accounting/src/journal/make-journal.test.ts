import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENTRY_KINDS } from '../ledger/entries.ts';
import { type JournalEntry, type LedgerDay, makeJournal } from './make-journal.ts';
import { fromMinorUnits, minorDigits, toMinorUnits } from './mapping.ts';

const day = (at: Partial<LedgerDay>): LedgerDay => ({
  day: '2026-10-05',
  accountId: 'paystack-main',
  currency: 'NGN',
  kind: 'payment',
  amount: '0',
  count: 1,
  ...at,
});

const amounts = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 999_999 }))
  .map(([isNegative, whole, millionths]) => `${isNegative ? '-' : ''}${whole}.${String(millionths).padStart(6, '0')}`);
const ledgers = fc.array(
  fc.record({
    day: fc.constantFrom('2026-10-01', '2026-10-02', '2026-10-31'),
    accountId: fc.constantFrom('a', 'b'),
    currency: fc.constantFrom('NGN', 'USD', 'XOF', 'KWD'),
    kind: fc.constantFrom(...ENTRY_KINDS),
    amount: amounts,
    count: fc.integer({ min: 1, max: 1_000 }),
  }),
  { maxLength: 80 },
);

const balance = ({ lines }: JournalEntry) => lines.reduce((sum, { debit, credit }) => sum + debit - credit, 0n);

describe('a journal', () => {
  test('has as many debits as credits in each entry, to the minor unit', () => {
    fc.assert(
      fc.property(ledgers, (facts) => makeJournal(facts).every((entry) => balance(entry) === 0n)),
      { numRuns: 500 },
    );
  });

  test('has one entry for each day, account and currency, and no line without an amount, or with two', () => {
    fc.assert(
      fc.property(ledgers, (facts) => {
        const entries = makeJournal(facts);
        const keys = entries.map(({ day, accountId, currency }) => `${day} ${accountId} ${currency}`);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.toSorted()).toEqual(keys);
        for (const { lines } of entries) {
          for (const { debit, credit } of lines)
            expect(debit >= 0n && credit >= 0n && (debit === 0n) !== (credit === 0n)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('moves the clearing account by all that a day changed what the gateway account holds', () => {
    fc.assert(
      fc.property(ledgers, (facts) => {
        for (const { day, accountId, currency, lines } of makeJournal(facts)) {
          const own = facts.filter((fact) => fact.day === day && fact.accountId === accountId && fact.currency === currency);
          const held = own
            .filter(({ kind }) => kind !== 'bank' && kind !== 'bank_difference')
            .reduce((sum, { amount }) => sum + toMinorUnits(amount, minorDigits(currency)), 0n);
          const moved = lines
            .filter(({ to }) => to.posting === 'clearing')
            .reduce((sum, { debit, credit }) => sum + debit - credit, 0n);
          expect(moved).toBe(held);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('does not depend on the order of what it is made from', () => {
    fc.assert(
      fc.property(ledgers, (facts) => {
        expect(makeJournal(facts.toReversed())).toEqual(makeJournal(facts));
      }),
    );
  });

  test('posts each kind as accountants expect it', () => {
    const entries = makeJournal([
      day({ kind: 'payment', amount: '10000', count: 4 }),
      day({ kind: 'fee', amount: '-150.5', count: 4 }),
      day({ kind: 'stamp_duty', amount: '-50' }),
      day({ kind: 'refund', amount: '-2000' }),
      day({ kind: 'dispute', amount: '-1000' }),
      day({ kind: 'adjustment', amount: '25.005' }),
      day({ kind: 'payout', amount: '-5000' }),
      day({ kind: 'bank', amount: '4950' }),
      day({ kind: 'bank_difference', amount: '-50' }),
    ]);
    const shown = entries.flatMap(({ lines }) =>
      lines.map(
        ({ to, debit, credit, text }) => `${to.posting} ${fromMinorUnits(debit, 2)} ${fromMinorUnits(credit, 2)} ${text}`,
      ),
    );
    expect(shown).toEqual([
      'clearing 6824.51 0.00 Received and charged',
      'sales 0.00 10000.00 Payments (4)',
      'refunds 2000.00 0.00 Refunds (1)',
      'fees 150.50 0.00 Fees (4)',
      'stamp_duty 50.00 0.00 Stamp duty (1)',
      'chargebacks 1000.00 0.00 Chargebacks (1)',
      'adjustments 0.00 25.01 Adjustments in payouts (1)',
      'bank 5000.00 0.00 Payouts (1)',
      'clearing 0.00 5000.00 Payouts (1)',
      'adjustments 50.00 0.00 Difference at the bank (1)',
      'bank 0.00 50.00 Difference at the bank (1)',
    ]);
  });

  test('has no entry for a day on which money only reached the bank', () => {
    expect(makeJournal([day({ kind: 'bank', amount: '4950' })])).toEqual([]);
  });
});

test.each([
  ['0.005', 2, 1n],
  ['-0.005', 2, -1n],
  ['0.0049', 2, 0n],
  ['12', 2, 1200n],
  ['12.5', 0, 13n],
  ['1.23456', 3, 1235n],
])('%s in units of %i digits is %s', (decimal, digits, units) => {
  expect(toMinorUnits(decimal, digits)).toBe(units);
});
