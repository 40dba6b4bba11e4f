import { addDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IMPACT_OUTCOMES, type MetPayment, sumImpact } from './sum-impact.ts';

const PAID_AT = new Date('2026-11-20T14:05:00Z');

/** A payment that `a` failed to open a checkout of, and that no other account opened one of. */
const LOST: MetPayment = {
  merchantId: 'm',
  paymentId: 'p',
  currency: 'NGN',
  amount: 1_000n,
  method: 'CARD',
  paidAt: null,
  outcome: 'lost',
  isInCheckout: false,
  accountId: null,
  gateway: null,
  cardOrigin: null,
  failedAccountIds: ['a'],
};
const RECOVERED: MetPayment = { ...LOST, accountId: 'b', gateway: 'flutterwave', paidAt: PAID_AT, outcome: 'recovered' };

const payment: fc.Arbitrary<MetPayment> = fc.record({
  merchantId: fc.constant('m'),
  paymentId: fc.uuid(),
  currency: fc.constantFrom('NGN', 'GHS'),
  amount: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }),
  method: fc.constantFrom('CARD', 'USSD', null),
  paidAt: fc.constantFrom(PAID_AT, null),
  outcome: fc.constantFrom(...IMPACT_OUTCOMES),
  isInCheckout: fc.boolean(),
  accountId: fc.constantFrom('a', 'b', 'c', null),
  gateway: fc.constantFrom('paystack', 'flutterwave', null),
  cardOrigin: fc.constant(null),
  failedAccountIds: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
});

/** A fee for each account and amount, to the hundredth; `c` has no contract. */
const feeAt = ({ amount }: MetPayment, accountId: string) => {
  if (accountId === 'c') return null;
  return accountId === 'a' ? Number(amount % 1_000_003n) : Number(amount % 999_983n) + 50;
};

describe('impact', () => {
  test('counts every payment once, by its own currency, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 60 }), (payments) => {
        const impact = sumImpact(payments, feeAt);
        expect(impact.map(({ currency }) => currency).sort()).toEqual(
          [...new Set(payments.map(({ currency }) => currency))].sort(),
        );
        for (const { currency, met, outcomes, recoveredBy, lostInCheckout, lostWithoutFallbacks, extraFee } of impact) {
          const own = payments.filter((each) => each.currency === currency);
          const total = (sums: readonly { payments: number; amount: bigint }[]) => ({
            payments: sums.reduce((all, each) => all + each.payments, 0),
            amount: sums.reduce((all, each) => all + each.amount, 0n),
          });
          expect(met).toEqual({ payments: own.length, amount: own.reduce((all, { amount }) => all + amount, 0n) });
          expect(total(IMPACT_OUTCOMES.map((outcome) => outcomes[outcome]))).toEqual(met);
          expect(total(recoveredBy)).toEqual(outcomes.recovered);
          expect(lostWithoutFallbacks).toEqual(total([outcomes.lost, outcomes.recovered]));
          expect(lostInCheckout.payments).toBeLessThanOrEqual(outcomes.lost.payments);
          expect(extraFee.payments + extraFee.withoutContract).toBe(outcomes.recovered.payments);
        }
        expect(sumImpact(payments.toReversed(), feeAt)).toEqual(impact);
      }),
    );
  });

  test('takes the extra fee exactly from the recovered payments alone', () => {
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 60 }), (payments) => {
        for (const { currency, extraFee } of sumImpact(payments, feeAt)) {
          const hundredths = payments.reduce((total, each) => {
            if (each.currency !== currency || each.outcome !== 'recovered') return total;
            const [taken, failed] = [each.accountId ?? 'c', each.failedAccountIds[0] ?? 'c'].map((id) => feeAt(each, id));
            return taken === null || failed === null || taken === undefined || failed === undefined
              ? total
              : total + BigInt(taken - failed);
          }, 0n);
          const sums = Array.from({ length: 100 }, () => extraFee.amount);
          expect(addDecimals(...sums)).toBe(String(hundredths));
        }
      }),
    );
  });

  test('is of three payments what a person would add up', () => {
    const impact = sumImpact(
      [
        { ...RECOVERED, amount: 10_000n },
        { ...RECOVERED, amount: 2_500n, paidAt: null, outcome: 'lost', isInCheckout: true },
        { ...LOST, amount: 700n, outcome: 'retried' },
      ],
      (_, accountId) => (accountId === 'a' ? 25_050 : 30_000),
    );
    expect(impact).toEqual([
      {
        currency: 'NGN',
        met: { payments: 3, amount: 13_200n },
        outcomes: {
          recovered: { payments: 1, amount: 10_000n },
          same_account: { payments: 0, amount: 0n },
          retried: { payments: 1, amount: 700n },
          open: { payments: 0, amount: 0n },
          lost: { payments: 1, amount: 2_500n },
        },
        recoveredBy: [{ gateway: 'flutterwave', payments: 1, amount: 10_000n }],
        lostInCheckout: { payments: 1, amount: 2_500n },
        extraFee: { amount: '49.5', payments: 1, withoutContract: 0 },
        lostWithoutFallbacks: { payments: 2, amount: 12_500n },
      },
    ]);
  });

  test('says that other gateways were cheaper', () => {
    const [impact] = sumImpact([RECOVERED], (_, accountId) => (accountId === 'a' ? 101 : 50));
    expect(impact?.extraFee).toEqual({ amount: '-0.51', payments: 1, withoutContract: 0 });
  });
});
