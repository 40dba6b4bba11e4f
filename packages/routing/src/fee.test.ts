import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountFee, computeFee, feeInHundredths } from './fee.ts';
import type { CardOrigin, FeeSchedule, FeeTerms } from './fee-types.ts';
import { MAX_AMOUNT } from './money.ts';
import { METHODS, scheduleArbitrary } from './testing/arbitraries.ts';
import { aFee } from './testing/samples.ts';
import type { PaymentMethod } from './types.ts';

/** 1.5 % plus NGN 100 (waived below NGN 2,500), at most NGN 2,000, and 7.5 % VAT. */
const LOCAL_CARD = aFee({ percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 });

const card = (amount: number) => ({ amount, method: 'CARD' as const });

/** The same rule in arbitrary precision. */
function exactFee(terms: FeeTerms, amount: bigint): bigint {
  const roundHalfUp = (numerator: bigint, divisor: bigint) => (2n * numerator + divisor) / (2n * divisor);
  const percentage = roundHalfUp(amount * BigInt(terms.percentBasisPoints), 10_000n);
  const waived = terms.flatWaivedBelow !== null && amount < BigInt(terms.flatWaivedBelow) * 100n;
  const uncapped = percentage + (waived ? 0n : BigInt(terms.flat) * 100n);
  const cap = terms.cap === null ? uncapped : BigInt(terms.cap) * 100n;
  const fee = uncapped < cap ? uncapped : cap;
  const { amount: duty, from } = terms.stampDuty ?? { amount: 0, from: 0 };
  return (
    fee + roundHalfUp(fee * BigInt(terms.vatBasisPoints), 10_000n) + (amount < BigInt(from) * 100n ? 0n : BigInt(duty) * 100n)
  );
}

/** The terms that apply, looked for in the order written. */
function termsFor(schedule: FeeSchedule, amount: number, method: PaymentMethod | null, origin: CardOrigin | null): FeeTerms {
  for (const exception of schedule.exceptions ?? []) {
    if (exception.methods.length > 0 && !exception.methods.some((each) => each === method)) continue;
    if (exception.origin === 'international' && origin !== 'international') continue;
    if (exception.origin === 'local' && origin === 'international') continue;
    const whole = Math.floor(amount / 100);
    if (whole < exception.amount.from || whole > (exception.amount.to ?? Number.POSITIVE_INFINITY)) continue;
    return exception;
  }
  return schedule;
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
    expect(feeInHundredths(LOCAL_CARD, card(amount))).toBe(fee);
  });

  it('waives the flat part below its threshold and not at it', () => {
    const schedule = aFee({ flat: 100, flatWaivedBelow: 2_500 });
    expect(feeInHundredths(schedule, card(2_499))).toBe(0);
    expect(feeInHundredths(schedule, card(2_500))).toBe(10_000);
  });

  it('has stamp duty from an amount on, without VAT on it', () => {
    const schedule = aFee({ flat: 100, vatBasisPoints: 750, stampDuty: { amount: 50, from: 10_000 } });
    expect(feeInHundredths(schedule, card(9_999))).toBe(10_750);
    expect(feeInHundredths(schedule, card(10_000))).toBe(15_750);
  });

  it('is that of the first exception that covers it, a card of unknown origin counting as local', () => {
    const exception = { ...aFee(), methods: ['CARD' as const], origin: null, amount: { from: 0, to: null } };
    const schedule = aFee({
      flat: 1,
      exceptions: [
        { ...exception, origin: 'international', flat: 9 },
        { ...exception, amount: { from: 0, to: 100 }, flat: 5 },
        { ...exception, flat: 7 },
      ],
    });
    const flatOf = (amount: number, method: PaymentMethod | null, origin: CardOrigin | null) =>
      computeFee(schedule, { amount, method, origin }).terms.flat;
    expect(flatOf(10_099, 'CARD', null)).toBe(5);
    expect(flatOf(10_100, 'CARD', 'local')).toBe(7);
    expect(flatOf(10_000, 'CARD', 'international')).toBe(9);
    expect(flatOf(10_000, 'TRANSFER', null)).toBe(1);
    expect(flatOf(10_000, null, null)).toBe(1);
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
      fc.property(schedule, fc.integer({ min: 1, max: MAX_AMOUNT * 100 }), (terms, amount) => {
        expect(BigInt(computeFee(terms, { amount, method: null, origin: null }).total)).toBe(exactFee(terms, BigInt(amount)));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is the sum of its steps, under the terms that a plain search finds', () => {
    const payment = fc.record({
      amount: fc.nat(9_000),
      method: fc.option(fc.constantFrom(...METHODS)),
      origin: fc.constantFrom(null, 'local' as const, 'international' as const),
    });
    fc.assert(
      fc.property(scheduleArbitrary, payment, (schedule, { amount, method, origin }) => {
        const computed = computeFee(schedule, { amount, method, origin });
        expect(BigInt(computed.total)).toBe(exactFee(termsFor(schedule, amount, method, origin), BigInt(amount)));
        expect(computed.total).toBe(computed.capped + computed.vat + computed.stampDuty);
        expect(computed.capped).toBeLessThanOrEqual(computed.percentage + computed.flat);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the fee at an account', () => {
  const account = {
    fees: aFee({ flat: 3 }),
    effectiveRates: [{ currency: 'NGN', method: 'CARD' as const, amount: { from: 100, to: 200 }, rateMillionths: 15_005 }],
  };
  const at = (amount: number, method: PaymentMethod | null = 'CARD', currency = 'NGN') => ({ amount, method, currency });

  it('is that of its contract unless another is asked for', () => {
    expect(accountFee(account, at(150), 'contract')).toBe(300);
  });

  it('is by what was charged for payments of its method, currency and size, else by its contract', () => {
    expect(accountFee(account, at(150), 'effective')).toBe(225);
    for (const other of [at(99), at(201), at(150, 'TRANSFER'), at(150, null), at(150, 'CARD', 'USD')]) {
      expect(accountFee(account, other, 'effective')).toBe(300);
    }
  });

  it('is not known without contract and rate', () => {
    expect(accountFee({ fees: null }, at(150), 'effective')).toBeNull();
  });
});
