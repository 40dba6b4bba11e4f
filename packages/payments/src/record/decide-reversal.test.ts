import { compareDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOT_REVERSED, reversalByDisputes, reversalByStatus, subtractReversed } from './decide-reversal.ts';
import type { Reversal } from './payment-record.ts';

const now = new Date('2026-11-20T14:00:00Z');
const at = new Date('2026-11-20T12:00:00Z');
const taken = (amount: string, cause: 'chargeback' | 'gateway'): Reversal => ({ amount, cause, at });
const payment = (reversal: Reversal = NOT_REVERSED) => ({ amount: 2_500n, reversal });
const lost = (amount: string, refunded = 0n) => ({ lost: amount, refunded, at });

describe('a lost dispute', () => {
  test('takes back what was disputed, a part with its kobo', () => {
    expect(reversalByDisputes(payment(), lost('2500'))).toEqual(taken('2500', 'chargeback'));
    expect(reversalByDisputes(payment(), lost('1000.5'))).toEqual(taken('1000.5', 'chargeback'));
  });

  test('takes back no more than our refunds left', () => {
    expect(reversalByDisputes(payment(), lost('2500', 1_000n))).toEqual(taken('1500', 'chargeback'));
    expect(reversalByDisputes(payment(), lost('2500', 2_500n))).toBeNull();
  });

  test('changes nothing when it is reported again', () => {
    expect(reversalByDisputes(payment(taken('2500', 'chargeback')), lost('2500'))).toBeNull();
  });

  test('explains what the status of the transaction said before', () => {
    expect(reversalByDisputes(payment(taken('2500', 'gateway')), lost('2500'))).toEqual(taken('2500', 'chargeback'));
  });

  test('adds to an earlier one', () => {
    expect(reversalByDisputes(payment(taken('1000', 'chargeback')), lost('1800'))).toEqual(taken('1800', 'chargeback'));
  });

  test('that is won after all leaves it to the status whether the money came back', () => {
    const won = reversalByDisputes(payment(taken('2500', 'chargeback')), lost('0'));
    expect(won).toEqual(taken('2500', 'gateway'));
    const status = { refunded: 0n, disputed: false, now };
    expect(reversalByStatus(payment(won ?? NOT_REVERSED), { ...status, reversed: true })).toBeNull();
    expect(reversalByStatus(payment(won ?? NOT_REVERSED), { ...status, reversed: false })).toEqual(NOT_REVERSED);
  });
});

test('whatever is reported in whatever order, no more is taken back than was paid, and a report again changes nothing', () => {
  const report = fc.oneof(
    fc.record({ reversed: fc.boolean(), refunded: fc.bigInt({ min: 0n, max: 2_500n }), disputed: fc.boolean() }),
    fc.record({
      lost: fc.integer({ min: 0, max: 500_000 }).map((kobo) => String(kobo / 100)),
      refunded: fc.bigInt({ min: 0n, max: 2_500n }),
    }),
  );
  fc.assert(
    fc.property(fc.array(report, { maxLength: 8 }), (reports) => {
      let reversal = NOT_REVERSED;
      for (const one of reports) {
        const next = () =>
          'lost' in one
            ? reversalByDisputes(payment(reversal), { ...one, at })
            : reversalByStatus(payment(reversal), { ...one, now });
        reversal = next() ?? reversal;
        expect(next()).toBeNull();
        expect(compareDecimals(reversal.amount, '2500')).toBeLessThanOrEqual(0);
        expect(compareDecimals(reversal.amount, '0') === 0).toBe(reversal.cause === null);
      }
    }),
  );
});

test('what can still be refunded is whole units of what is left', () => {
  expect(subtractReversed(2_500n, NOT_REVERSED)).toBe(2_500n);
  expect(subtractReversed(2_500n, taken('1000.5', 'chargeback'))).toBe(1_499n);
  expect(subtractReversed(2_500n, taken('2500', 'gateway'))).toBe(0n);
});
