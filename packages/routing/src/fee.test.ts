import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeInHundredths } from './fee.ts';
import { MAX_AMOUNT } from './money.ts';
import { aFee } from './testing/samples.ts';
import type { FeeSchedule } from './types.ts';

/** 1.5 % plus NGN 100 (waived below NGN 2,500), at most NGN 2,000, and 7.5 % VAT. */
const LOCAL_CARD = aFee({ percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 });

/** The same rule in arbitrary precision. */
function exactFee(schedule: FeeSchedule, amount: number): bigint {
  const roundHalfUp = (numerator: bigint, divisor: bigint) => (2n * numerator + divisor) / (2n * divisor);
  const percentage = roundHalfUp(BigInt(amount) * BigInt(schedule.percentBasisPoints), 100n);
  const waived = schedule.flatWaivedBelow !== null && amount < schedule.flatWaivedBelow;
  const uncapped = percentage + (waived ? 0n : BigInt(schedule.flat) * 100n);
  const cap = schedule.cap === null ? uncapped : BigInt(schedule.cap) * 100n;
  const fee = uncapped < cap ? uncapped : cap;
  return fee + roundHalfUp(fee * BigInt(schedule.vatBasisPoints), 10_000n);
}

describe('the fee of a payment', () => {
  it.each([
    [2_499, 4_030],
    [2_500, 14_781],
    [5_000, 18_813],
    [126_666, 214_999],
    [126_667, 215_000],
    [1_000_000, 215_000],
  ])('of NGN %i under the local card schedule is %i hundredths', (amount, fee) => {
    expect(feeInHundredths(LOCAL_CARD, amount)).toBe(fee);
  });

  it('waives the flat part below its threshold and not at it', () => {
    const schedule = aFee({ flat: 100, flatWaivedBelow: 2_500 });
    expect(feeInHundredths(schedule, 2_499)).toBe(0);
    expect(feeInHundredths(schedule, 2_500)).toBe(10_000);
  });

  it('is exact to the hundredth for every amount and schedule', () => {
    const schedule = fc.record({
      percentBasisPoints: fc.nat(10_000),
      flat: fc.nat(1_000_000),
      flatWaivedBelow: fc.option(fc.nat(MAX_AMOUNT)),
      cap: fc.option(fc.nat(10_000_000)),
      vatBasisPoints: fc.nat(10_000),
    });
    fc.assert(
      fc.property(schedule, fc.integer({ min: 1, max: MAX_AMOUNT }), (terms, amount) => {
        expect(BigInt(feeInHundredths(terms, amount))).toBe(exactFee(terms, amount));
      }),
      { numRuns: 3_000 },
    );
  });
});
