import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appFee } from './flutterwave/wire.ts';
import { feeKobo } from './paystack/wire.ts';

describe('fees', () => {
  it.each([
    [100_000, 1_500],
    [249_999, 3_750],
    [250_000, 13_750],
    [500_000, 17_500],
    [12_666_667, 200_000],
    [100_000_000_000_000, 200_000],
  ])('Paystack takes of %i kobo %i', (amount, fee) => {
    expect(feeKobo(amount)).toBe(fee);
  });

  it.each([
    [1_000, 14],
    [500.5, 7.01],
    [142_857, 2_000],
    [1_000_000, 2_000],
  ])('Flutterwave takes of %d naira %d', (amount, fee) => {
    expect(appFee(amount)).toBe(fee);
  });

  it('stays a whole number of kobo within its cap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000_000_000 }), (amount) => {
        const fee = feeKobo(amount);
        return Number.isInteger(fee) && fee > 0 && fee <= 200_000;
      }),
    );
  });
});
