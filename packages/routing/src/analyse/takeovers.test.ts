import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_AMOUNT } from '../money.ts';
import { matchesRule } from '../recompute/explain.ts';
import { COUNTRIES, METHODS, paymentArbitrary, ruleSetArbitrary } from '../testing/arbitraries.ts';
import { aPayment, aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import type { RoutablePayment, RuleSet } from '../types.ts';
import { analyse } from './analyse.ts';
import { countDecided, countOverlaps, findTakeovers, type PaymentCount, type RuleReference, type Takeover } from './takeovers.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

const target = aTarget('paystack-main');
const LIVE = aRuleSet([
  aRule('small', target, { amount: { from: 0, to: 5_000 } }),
  aRule('large', target, { amount: { from: 5_001, to: null } }),
]);

function traffic(payments: number, change: Partial<PaymentCount> = {}): PaymentCount {
  return { currency: 'NGN', method: 'CARD', customerCountry: null, amount: 2_500, ...change, payments };
}

const shown = ({ from, to, payments }: Takeover) => `${from?.ruleId ?? 'none'} > ${to?.ruleId ?? 'none'}: ${payments}`;

describe('the rules of one draft over past payments', () => {
  const draft = aRuleSet([aRule('vip', target, { amount: { from: 4_000, to: 9_000 } }), ...LIVE.rules]);
  const counted = [traffic(300), traffic(7, { amount: 4_500 }), traffic(412, { amount: 6_000 }), traffic(3, { method: 'USSD' })];

  it('are counted by what each decides, most first', () => {
    expect(countDecided(draft, counted)).toEqual([
      { ruleId: 'vip', payments: 419 },
      { ruleId: 'small', payments: 300 },
      { ruleId: null, payments: 3 },
    ]);
  });

  it('are counted where two match: the earlier decides, and what matches the later too is the overlap', () => {
    const { findings } = analyse(draft, []);
    const overlaps = countOverlaps(draft, findings, counted);
    expect(overlaps.map(({ winner, loser, payments }) => [winner.ruleId, loser.ruleId, payments])).toEqual([
      ['vip', 'large', 412],
      ['vip', 'small', 7],
    ]);
    expect(countOverlaps(LIVE, analyse(LIVE, []).findings, counted)).toEqual([]);
  });

  it('are counted as they match, for any rules and payments', () => {
    const payments = fc.array(paymentArbitrary, { maxLength: 20 });
    fc.assert(
      fc.property(ruleSetArbitrary, payments, (ruleSet, seen) => {
        const each = seen.map((payment) => ({ ...payment, requestedGateway: null, payments: 1 }));
        const decided = countDecided(ruleSet, each);
        expect(decided.reduce((sum, one) => sum + one.payments, 0)).toBe(seen.length);
        for (const { winner, loser, payments: number } of countOverlaps(ruleSet, analyse(ruleSet, []).findings, each)) {
          const both = each.filter((payment) => {
            const matching = ruleSet.rules.filter((rule) => matchesRule(rule, payment));
            return matching[0] === ruleSet.rules[winner.position] && matching.includes(ruleSet.rules[loser.position] ?? never());
          });
          expect(number).toBe(both.length);
        }
      }),
      { numRuns: 40 * TIMES },
    );
  });
});

function never(): never {
  throw new Error('an overlap names a rule that is not there');
}

describe('a draft against the version in force', () => {
  it('takes over nothing when it is the same, also in another order where rules do not meet', () => {
    expect(findTakeovers(LIVE, LIVE, [traffic(10)])).toEqual([]);
    expect(findTakeovers(LIVE, aRuleSet(LIVE.rules.toReversed()), [traffic(10)])).toEqual([]);
  });

  it('is shown rule by rule with the payments that each takes, most first', () => {
    const vip = aRule('vip', target, { amount: { from: 4_000, to: 9_000 } });
    const draft = aRuleSet([vip, ...LIVE.rules]);
    const counted = [
      traffic(300),
      traffic(7, { amount: 4_500 }),
      traffic(412, { amount: 6_000 }),
      traffic(9, { amount: 10_000 }),
    ];
    const takeovers = findTakeovers(LIVE, draft, counted);
    expect(takeovers.map(shown)).toEqual(['large > vip: 412', 'small > vip: 7']);
    expect(takeovers[0]).toMatchObject({
      from: { position: 1, name: 'large' },
      to: { position: 0, name: 'vip' },
      example: { amount: 5_001, method: 'CARD' },
    });
  });

  it('names an overlap that no payment met, and what goes to the default order or comes from it', () => {
    const draft = aRuleSet([
      aRule('small', target, { amount: { from: 0, to: 4_000 } }),
      aRule('ussd', target, { methods: ['USSD'] }),
    ]);
    const counted = [traffic(5, { amount: 4_500 }), traffic(3, { method: 'USSD' }), traffic(8, { method: null })];
    expect(findTakeovers(LIVE, draft, counted).map(shown)).toEqual(['small > none: 5', 'none > ussd: 3', 'large > none: 0']);
  });
});

describe('takeovers, compared to every payment of a small space', () => {
  const pairs = fc.tuple(ruleSetArbitrary, ruleSetArbitrary);
  const every: readonly RoutablePayment[] = ['NGN', 'USD'].flatMap((currency) =>
    METHODS.flatMap((method) =>
      [null, 'BJ', ...COUNTRIES].flatMap((customerCountry) =>
        [...Array.from({ length: 100 }, (_, index) => index + 1), MAX_AMOUNT].map((amount) =>
          aPayment({ currency, method, customerCountry, amount }),
        ),
      ),
    ),
  );
  const winner = ({ rules }: RuleSet, payment: RoutablePayment) => rules.find((rule) => matchesRule(rule, payment));
  const idOf = (rule: Pick<RuleReference, 'ruleId'> | null | undefined) => rule?.ruleId ?? 'none';

  it('are exactly the pairs that a payment shows, each with such a payment', () => {
    fc.assert(
      fc.property(pairs, ([live, draft]) => {
        const expected = new Set<string>();
        for (const payment of every) {
          const before = winner(live, payment);
          const after = winner(draft, payment);
          if (before?.ruleId !== after?.ruleId) expected.add(`${idOf(before)}>${idOf(after)}`);
        }
        const takeovers = findTakeovers(live, draft, []);
        expect(new Set(takeovers.map(({ from, to }) => `${idOf(from)}>${idOf(to)}`))).toEqual(expected);
        expect(takeovers).toHaveLength(expected.size);
        for (const { from, to, example } of takeovers) {
          const payment = aPayment(example);
          expect([idOf(winner(live, payment)), idOf(winner(draft, payment))]).toEqual([idOf(from), idOf(to)]);
        }
      }),
      { numRuns: 20 * TIMES },
    );
  });

  it('count each payment once, under the pair that decides it', () => {
    fc.assert(
      fc.property(
        pairs,
        fc.array(fc.tuple(paymentArbitrary, fc.integer({ min: 1, max: 9 })), { maxLength: 60 }),
        ([live, draft], counted) => {
          const expected = new Map<string, number>();
          for (const [payment, payments] of counted) {
            const before = idOf(winner(live, payment));
            const after = idOf(winner(draft, payment));
            if (before !== after) expected.set(`${before}>${after}`, (expected.get(`${before}>${after}`) ?? 0) + payments);
          }
          const takeovers = findTakeovers(
            live,
            draft,
            counted.map(([payment, payments]) => ({ ...payment, payments })),
          );
          const met = takeovers.filter(({ payments }) => payments > 0);
          expect(new Map(met.map(({ from, to, payments }) => [`${idOf(from)}>${idOf(to)}`, payments]))).toEqual(expected);
        },
      ),
      { numRuns: 20 * TIMES },
    );
  });
});
