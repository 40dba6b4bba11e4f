import type { FeeSchedule } from '@switchyard/routing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditFee, type ChargedPayment, decimalOf } from './audit-fee.ts';

const LOCAL: FeeSchedule = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 0 };
const FOREIGN: FeeSchedule = {
  ...LOCAL,
  exceptions: [
    {
      percentBasisPoints: 390,
      flat: 100,
      flatWaivedBelow: null,
      cap: null,
      vatBasisPoints: 0,
      methods: ['CARD'],
      origin: 'international',
      amount: { from: 0, to: null },
    },
  ],
};
const DUTY: FeeSchedule = { ...LOCAL, stampDuty: { amount: 50, from: 10_000 } };

function audit(schedule: FeeSchedule, payment: Partial<ChargedPayment>, tolerance = '0.01') {
  const charged = {
    amount: '10000',
    method: 'CARD',
    reported: null,
    settledFee: null,
    settledDuty: '0',
    cardOrigin: null,
    ...payment,
  };
  const { expected, charged: total, excess } = auditFee({ schedule, tolerance }, charged);
  return { expected, charged: total, excess };
}

describe('a fee', () => {
  test.each([
    ['as agreed', '250', '0'],
    ['above its contract', '250.02', '0.02'],
    ['within the tolerance', '250.01', '0'],
    ['below its contract', '200', '-50'],
  ])('%s differs by exactly that', (_, reported, excess) => {
    expect(audit(LOCAL, { reported })).toEqual({ expected: '250', charged: reported, excess });
  });

  test('that is not known is not compared', () => {
    expect(audit(LOCAL, {})).toEqual({ expected: '250', charged: null, excess: '0' });
  });

  test('that was settled counts before the one that was reported', () => {
    expect(audit(LOCAL, { reported: '250', settledFee: '500' })).toEqual({ expected: '250', charged: '500', excess: '250' });
  });

  test('of a card whose origin is not known is as agreed where it is the international price, and of no other method', () => {
    expect(audit(FOREIGN, { reported: '490' })).toEqual({ expected: '490', charged: '490', excess: '0' });
    expect(audit(FOREIGN, { reported: '490', method: 'TRANSFER' })).toMatchObject({ expected: '250', excess: '240' });
    expect(audit(FOREIGN, { reported: '491' })).toMatchObject({ expected: '250', excess: '241' });
  });

  test('of a card whose origin is known has the price of that origin alone', () => {
    expect(audit(FOREIGN, { reported: '490', cardOrigin: 'local' })).toEqual({ expected: '250', charged: '490', excess: '240' });
    expect(audit(FOREIGN, { reported: '490', cardOrigin: 'international' })).toEqual({
      expected: '490',
      charged: '490',
      excess: '0',
    });
    expect(audit(FOREIGN, { reported: '250', cardOrigin: 'international' })).toMatchObject({ expected: '490', excess: '-240' });
    expect(audit(FOREIGN, { reported: '510.7', cardOrigin: 'international' })).toMatchObject({ expected: '490', excess: '20.7' });
  });

  test('that the customer bore is of amount and fee', () => {
    expect(audit(LOCAL, { reported: '253.81' })).toEqual({ expected: '253.81', charged: '253.81', excess: '0' });
  });

  test('has its stamp duty when it is settled, and only where the contract has one', () => {
    expect(audit(DUTY, { reported: '250' })).toEqual({ expected: '250', charged: '250', excess: '0' });
    expect(audit(DUTY, { settledFee: '250', settledDuty: '50' })).toEqual({ expected: '300', charged: '300', excess: '0' });
    expect(audit(LOCAL, { settledFee: '250', settledDuty: '50' })).toEqual({ expected: '250', charged: '250', excess: '0' });
  });

  test('is compared to the hundredth, and never both over and as agreed', () => {
    const hundredths = fc.integer({ min: 1, max: 1_000_000_000_000 }).map(decimalOf);
    fc.assert(
      fc.property(
        hundredths,
        fc.nat(500_000).map(decimalOf),
        fc.constantFrom('0', '0.01', '5'),
        (amount, reported, tolerance) => {
          const { expected, excess } = audit(FOREIGN, { amount, reported }, tolerance);
          const difference = Math.round(Number(reported) * 100) - Math.round(Number(expected) * 100);
          if (excess === '0') expect(Math.abs(difference)).toBeLessThanOrEqual(Number(tolerance) * 100);
          else expect(Math.round(Number(excess) * 100)).toBe(difference);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
