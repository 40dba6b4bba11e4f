import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { feeInHundredths } from '../fee.ts';
import { recompute } from '../recompute/explain.ts';
import { ruleSetArbitrary, worldArbitrary } from '../testing/arbitraries.ts';
import { aFee, anAccount, aPayment, aRule, aRuleSet, aTarget, DECIDED_AT, paymentIds } from '../testing/samples.ts';
import type { RoutableAccount, RuleSet } from '../types.ts';
import { createReplay, decideInShadow, type PastPayment, replay } from './replay.ts';

const DEAR = anAccount('paystack-main', { fees: aFee({ percentBasisPoints: 150, flat: 100, vatBasisPoints: 750 }) });
const CHEAP = anAccount('flutterwave-main', { fees: aFee({ percentBasisPoints: 100 }) });

/** Payments of NGN 1,000, 2,000, … routed by `ruleSet`; every `unpaidEvery`-th is not paid. */
function history(
  ruleSet: RuleSet,
  number: number,
  unpaidEvery: number,
  accounts: readonly RoutableAccount[] = [DEAR, CHEAP],
): PastPayment[] {
  const compiled = compileRuleSet(ruleSet);
  return paymentIds(number).map((paymentId, index) => {
    const payment = aPayment({ paymentId, amount: (index + 1) * 1_000 });
    const { inputs, plan } = decide({ payment, ruleSet: compiled, accounts, health: [], overrides: [], decidedAt: DECIDED_AT });
    const outcome = index % unpaidEvery === 0 ? ('unpaid' as const) : ('paid' as const);
    return { inputs: JSON.parse(JSON.stringify(inputs)), servedBy: plan[0]?.accountId ?? null, outcome };
  });
}

const live = aRuleSet([aRule('cards', aTarget('paystack-main'))], ['paystack-main', 'flutterwave-main'], 7);
const draft = aRuleSet(
  [aRule('large', aTarget('flutterwave-main'), { amount: { from: 6_000, to: null } }), ...live.rules],
  live.defaultOrder,
  8,
);

describe('a replay', () => {
  it('of the published version over the payments it routed moves none, for any generated case', () => {
    const worlds = fc.array(worldArbitrary, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(ruleSetArbitrary, worlds, (ruleSet, seen) => {
        const compiled = compileRuleSet(ruleSet);
        const past = seen.map((world): PastPayment => {
          const { inputs, plan } = decide({ ...world, ruleSet: compiled });
          return { inputs: JSON.parse(JSON.stringify(inputs)), servedBy: plan[0]?.accountId ?? null, outcome: 'paid' };
        });
        const result = replay({ live: ruleSet, draft: JSON.parse(JSON.stringify({ ...ruleSet, version: 99 })) }, past);
        expect(result).toMatchObject({ payments: seen.length, moved: 0, moves: [], reordered: 0, unroutable: { payments: 0 } });
        for (const fee of result.fees) expect(fee.difference).toBe(0n);
        expect(result.conversion).toMatchObject({ difference: 0, low: 0, high: 0 });
      }),
      { numRuns: 300 },
    );
  });

  it('reports how many payments move, from where to where, how much money, and why', () => {
    const result = replay({ live, draft }, history(live, 10, 5));
    expect(result).toMatchObject({ payments: 10, moved: 5, reordered: 0 });
    expect(result.moves).toEqual([
      {
        from: 'paystack-main',
        to: 'flutterwave-main',
        payments: 5,
        outcomes: { paid: 4, unpaid: 1, open: 0 },
        fees: [expect.objectContaining({ currency: 'NGN', compared: 4, unpriced: 0 })],
        amounts: { NGN: 40_000n },
        why: [{ message: 'It follows rule "large" instead of rule "cards".', payments: 5 }],
        examples: paymentIds(10).slice(5),
      },
    ]);
  });

  it('gives the fee difference of the paid payments to the hundredth', () => {
    const past = history(live, 10, 5);
    const paid = past.filter((entry) => entry.outcome === 'paid').map((entry) => entry.inputs.payment.amount);
    const at = (account: RoutableAccount, amount: number) =>
      BigInt(feeInHundredths(account.fees ?? aFee(), { amount, method: 'CARD' }));
    const before = paid.reduce((sum, amount) => sum + at(DEAR, amount), 0n);
    const after = paid.reduce((sum, amount) => sum + at(amount >= 6_000 ? CHEAP : DEAR, amount), 0n);
    expect(replay({ live, draft }, past).fees).toEqual([
      { currency: 'NGN', live: before, draft: after, difference: after - before, compared: 8, unpriced: 0 },
    ]);
    const unpriced = history(live, 10, 5, [DEAR, { ...CHEAP, fees: null }]);
    expect(replay({ live, draft }, unpriced).fees[0]).toMatchObject({ compared: 4, unpriced: 4 });
  });

  it('splits what moves by outcome, with the fees of the paid payments of each move', () => {
    const past = history(live, 10, 5).map((entry, index): PastPayment => (index === 9 ? { ...entry, outcome: 'open' } : entry));
    const result = replay({ live, draft }, past);
    expect(result.outcomes).toEqual({ paid: 7, unpaid: 2, open: 1 });
    const [move] = result.moves;
    expect(move?.outcomes).toEqual({ paid: 3, unpaid: 1, open: 1 });
    // Only payments that move differ in their fees.
    expect(move?.fees[0]?.difference).toBe(result.fees[0]?.difference);
  });

  it('counts payments for which the draft lists no able account, with examples', () => {
    const past = history(live, 10, 5);
    const unlisting = aRuleSet([aRule('small', aTarget('paystack-main'), { amount: { from: 0, to: 3_000 } })]);
    expect(replay({ live, draft: unlisting }, past).unroutable).toEqual({ payments: 7, examples: paymentIds(8).slice(3) });
    expect(replay({ live, draft }, past).unroutable.payments).toBe(0);
    const limited = history(live, 10, 5, [{ ...DEAR, maxAmount: 4_000 }]);
    expect(replay({ live, draft: unlisting }, limited).unroutable).toEqual({ payments: 1, examples: paymentIds(4).slice(3) });
  });

  it('offers accounts of today to both sides', () => {
    const fresh = anAccount('monnify-main');
    const toFresh = aRuleSet([aRule('cards', aTarget('monnify-main'))], live.defaultOrder);
    const past = history(live, 10, 5);
    expect(replay({ live, draft: toFresh }, past).moved).toBe(0);
    expect(replay({ live, draft: toFresh, accounts: [fresh] }, past).moves).toMatchObject([{ to: 'monnify-main', payments: 10 }]);
    expect(replay({ live, draft: live, accounts: [fresh] }, past).moved).toBe(0);
  });

  it("is also held with today's accounts and fees, on both sides", () => {
    const past = history(live, 10, 100);
    const limited = { ...CHEAP, maxAmount: 8_000 };
    const dearer = { ...DEAR, fees: aFee({ percentBasisPoints: 300 }) };
    const accounts = [dearer, limited];
    const asTheyWere = replay({ live, draft, accounts }, past);
    expect(asTheyWere).toEqual(replay({ live, draft, accounts, conditions: 'as_they_were' }, past));
    expect(asTheyWere).toMatchObject({ moved: 5 });
    const today = replay({ live, draft, accounts, conditions: 'today' }, past);
    // NGN 6,000 to 8,000 move; above that flutterwave-main takes nothing any more. NGN 1,000 was not paid.
    expect(today.moves).toMatchObject([{ from: 'paystack-main', to: 'flutterwave-main', payments: 3 }]);
    const paid = past.filter(({ outcome }) => outcome === 'paid').map(({ inputs }) => inputs.payment.amount);
    const feesOf = (choose: (amount: number) => RoutableAccount) =>
      paid.reduce((sum, amount) => {
        const { fees } = choose(amount);
        return sum + (fees === null ? 0 : feeInHundredths(fees, { amount, method: 'CARD' }));
      }, 0);
    expect(today.fees).toMatchObject([
      {
        currency: 'NGN',
        live: BigInt(feesOf(() => dearer)),
        draft: BigInt(feesOf((amount) => (amount >= 6_000 && amount <= 8_000 ? limited : dearer))),
        compared: 9,
      },
    ]);
    expect(asTheyWere.fees).toMatchObject([{ live: BigInt(feesOf(() => DEAR)) }]);
  });

  it("leaves out removed accounts, and moves nothing between equal rules, with today's accounts", () => {
    const gone = anAccount('monnify-main');
    const old = aRuleSet([aRule('cards', aTarget('monnify-main', 'paystack-main'))], live.defaultOrder);
    const past = history(old, 4, 100, [gone, DEAR]);
    expect(replay({ live: old, draft: live, accounts: [DEAR] }, past)).toMatchObject({ moved: 4 });
    expect(replay({ live: old, draft: live, accounts: [DEAR], conditions: 'today' }, past)).toMatchObject({ moved: 0 });
    expect(replay({ live: old, draft: old, accounts: [DEAR], conditions: 'today' }, past)).toMatchObject({
      moved: 0,
      reordered: 0,
    });
  });

  it('estimates conversion from each account’s results, with an interval, and marks it as an estimate', () => {
    const other = aRuleSet([aRule('cards', aTarget('flutterwave-main'))], live.defaultOrder);
    const past = [...history(live, 1_000, 4), ...history(other, 1_000, 10)];
    const { conversion, moved } = replay({ live, draft: other }, past);
    expect(moved).toBe(2_000);
    expect(conversion.difference).toBeCloseTo(0.9 - 0.75, 10);
    expect(conversion.low).toBeGreaterThan(0.1);
    expect(conversion.high).toBeLessThan(0.2);
    expect(conversion.message).toMatch(
      /^Estimated change in conversion: \+15\.00 percentage points, between \+11\.\d\d and \+18\.\d\d with 95% confidence\.$/,
    );
    expect(replay({ live, draft: other }, history(live, 50, 4)).conversion).toMatchObject({
      covered: 0,
      uncovered: 50,
      difference: 0,
    });
  });

  it('estimates nothing from fewer than twenty payments of an account', () => {
    const other = aRuleSet([aRule('cards', aTarget('flutterwave-main'))], live.defaultOrder);
    const estimateOf = (served: number) =>
      replay({ live, draft: other }, [...history(live, 100, 4), ...history(other, served, 10)]).conversion;
    expect(estimateOf(19).message).toBe('Too little is known of the accounts concerned to estimate the change in conversion.');
    expect(estimateOf(20).message).toMatch(/^Estimated change in conversion: /);
  });

  it('reports its intermediate result at any time, so that progress can be shown', () => {
    const running = createReplay({ live, draft });
    const moved = history(live, 10, 5).map((past) => {
      running.add(past);
      return running.result().moved;
    });
    expect(moved).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4, 5]);
  });
});

/** Freezes a value and everything in it, so that a write throws. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

it('changes nothing of the real decision, and is what the draft decides, for any rules, draft and payment', () => {
  fc.assert(
    fc.property(worldArbitrary, ruleSetArbitrary, (world, draftRules) => {
      const live = compileRuleSet(world.ruleSet);
      const real = decide({ ...world, ruleSet: live });
      // As it was stored.
      const stored = freeze(JSON.parse(JSON.stringify({ inputs: real.inputs, record: real.record })));
      const before = JSON.stringify(stored);
      const draft = compileRuleSet(draftRules);
      const compared = decideInShadow({ inputs: stored.inputs, taken: stored.record }, draft);

      expect(JSON.stringify(stored)).toBe(before);
      expect(recompute({ inputs: stored.inputs, ruleSet: live })).toEqual(real);
      expect(decide({ ...world, ruleSet: live })).toEqual(real);
      const byDraft = decide({ ...world, ruleSet: draft });
      expect(compared.accountId).toBe(byDraft.plan[0]?.accountId ?? null);
      expect(compared.ruleId).toBe(byDraft.ruleId);
      expect(compared.liveAccountId).toBe(real.plan[0]?.accountId ?? null);
      expect(compared.result === 'MOVED').toBe(real.plan[0]?.accountId !== byDraft.plan[0]?.accountId);
    }),
    { numRuns: 300 },
  );
});

it('finds the rules in force the same, fallbacks included', () => {
  fc.assert(
    fc.property(worldArbitrary, (world) => {
      const live = compileRuleSet(world.ruleSet);
      const real = decide({ ...world, ruleSet: live });
      expect(decideInShadow({ inputs: real.inputs, taken: real.record }, live)).toMatchObject({
        result: 'SAME',
        ruleId: real.ruleId,
      });
    }),
    { numRuns: 200 },
  );
});
