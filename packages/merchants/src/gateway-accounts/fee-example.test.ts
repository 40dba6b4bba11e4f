import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feeExample, PUBLISHED_FEES } from './fee-example.ts';

function published(gateway: string) {
  const found = PUBLISHED_FEES.find((fees) => fees.gateway === gateway);
  if (found === undefined) throw new Error(`${gateway} publishes no fees`);
  return found.schedule;
}

describe('a fee worked out', () => {
  test.each([
    ['paystack', 10_000, 'NGN 10,000.00 by card costs NGN 250.00; you receive NGN 9,750.00.'],
    ['paystack', 2_499, 'NGN 2,499.00 by card costs NGN 37.49; you receive NGN 2,461.51.'],
    ['paystack', 1_000_000, 'NGN 1,000,000.00 by card costs NGN 2,000.00; you receive NGN 998,000.00.'],
    ['flutterwave', 10_000, 'NGN 10,000.00 by card costs NGN 150.50; you receive NGN 9,849.50.'],
  ])('%s, %d', (gateway, amount, sentence) => {
    expect(feeExample(published(gateway), { currency: 'NGN', amount, by: 'by card' }).sentence).toBe(sentence);
  });

  test('states that a payment costs nothing, or more than its amount', () => {
    const nothing = { percentBasisPoints: 0, flat: 0, flatWaivedBelow: null, cap: null, vatBasisPoints: 0 };
    const { sentence } = feeExample(nothing, { currency: 'NGN', amount: 500, by: '' });
    expect(sentence).toBe('NGN 500.00 costs nothing; you receive NGN 500.00.');
    expect(feeExample({ ...nothing, flat: 100 }, { currency: 'NGN', amount: 50, by: '' })).toMatchObject({
      received: '−50.00',
      sentence: 'NGN 50.00 costs NGN 100.00; you pay NGN 50.00 on top.',
    });
  });

  test('fee and what is received always add up to what was paid', () => {
    const schedule = fc.record({
      percentBasisPoints: fc.integer({ min: 0, max: 10_000 }),
      flat: fc.integer({ min: 0, max: 10_000 }),
      flatWaivedBelow: fc.option(fc.integer({ min: 0, max: 100_000 })),
      cap: fc.option(fc.integer({ min: 0, max: 100_000 })),
      vatBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    });
    const hundredths = (text: string) => Math.round(Number(text.replaceAll(',', '').replace('−', '-')) * 100);
    fc.assert(
      fc.property(schedule, fc.integer({ min: 1, max: 1_000_000_000 }), (fees, amount) => {
        const { fee, received } = feeExample(fees, { currency: 'NGN', amount, by: '' });
        expect(hundredths(fee) + hundredths(received)).toBe(amount * 100);
      }),
    );
  });
});
