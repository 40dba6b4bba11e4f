import { describe, expect, it } from 'vitest';
import {
  aFee,
  aHealth,
  aPayment,
  aRule,
  aRuleSet,
  codesOf,
  decided,
  FLUTTERWAVE,
  MONNIFY,
  PAYSTACK,
  paymentIds,
  planOf,
} from '../testing/samples.ts';

describe('strategies', () => {
  const under = (...target: Parameters<typeof aRule>[1][]) =>
    aRuleSet(
      target.map((then) => aRule('r', then)),
      ['monnify-main'],
    );

  it('split by percentage, each payment always the same way', () => {
    const split = [
      { account: 'paystack-main', percent: 70 },
      { account: 'flutterwave-main', percent: 30 },
    ];
    const ruleSet = under({ strategy: 'weighted', split });
    const firsts = paymentIds(5_000).map((paymentId) => planOf(decided({ ruleSet, payment: aPayment({ paymentId }) })));
    expect(firsts.filter((plan) => plan[0] === 'paystack-main').length / firsts.length).toBeCloseTo(0.7, 1);
    expect(firsts.every((plan) => plan[2] === 'monnify-main')).toBe(true);
  });

  it('prefer the best conversion among accounts with enough samples', () => {
    const common = { strategy: 'success_rate', minSamples: 100, explorationPercent: 0 } as const;
    const ruleSet = under({ ...common, accounts: ['paystack-main', 'flutterwave-main', 'monnify-main'] });
    const otherWay = under({ ...common, accounts: ['flutterwave-main', 'paystack-main', 'monnify-main'] });
    const health = [
      aHealth('paystack-main', 'healthy', { paid: 4_400, unpaid: 600 }),
      aHealth('flutterwave-main', 'healthy', { paid: 912, unpaid: 88 }),
      aHealth('monnify-main', 'healthy', { paid: 99, unpaid: 0 }),
    ];
    const decision = decided({ ruleSet, health });
    expect(planOf(decision)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(planOf(decided({ ruleSet: otherWay, health }))).toEqual(planOf(decision));
    expect(decision.record.reasons[1]?.message).toBe(
      'flutterwave-main converts best: 912 of 1,000 (91.2%), against paystack-main 4,400 of 5,000 (88.0%).',
    );
    expect(codesOf(decided({ ruleSet, health: [] }))).toContain('success_rate_unmeasured');
  });

  it('give counts alone of fewer than twenty payments', () => {
    const ruleSet = under({
      strategy: 'success_rate',
      accounts: ['paystack-main', 'flutterwave-main'],
      minSamples: 1,
      explorationPercent: 0,
    });
    const health = [
      aHealth('paystack-main', 'healthy', { paid: 17, unpaid: 3 }),
      aHealth('flutterwave-main', 'healthy', { paid: 15, unpaid: 4 }),
    ];
    const { record } = decided({ ruleSet, health });
    expect(record.reasons[1]?.message).toBe('paystack-main converts best: 17 of 20 (85.0%), against flutterwave-main 15 of 19.');
  });

  it('explore with the share they are given and no more', () => {
    const ruleSet = under({
      strategy: 'success_rate',
      accounts: ['paystack-main', 'flutterwave-main', 'monnify-main'],
      minSamples: 1,
      explorationPercent: 20,
    });
    const health = [aHealth('paystack-main', 'healthy', { paid: 9, unpaid: 1 })];
    const firsts = paymentIds(5_000).map(
      (paymentId) => planOf(decided({ ruleSet, health, payment: aPayment({ paymentId }) }))[0],
    );
    for (const accountId of ['flutterwave-main', 'monnify-main']) {
      expect(firsts.filter((first) => first === accountId).length / firsts.length).toBeCloseTo(0.1, 1);
    }
  });

  it('prefer the lowest fee, equal fees in the order written, unknown fees last', () => {
    const ruleSet = under({ strategy: 'lowest_cost', accounts: ['monnify-main', 'paystack-main', 'flutterwave-main'] });
    const accounts = [
      {
        ...PAYSTACK,
        fees: aFee({ percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 }),
      },
      { ...FLUTTERWAVE, fees: aFee({ percentBasisPoints: 200, cap: 2_000, vatBasisPoints: 750 }) },
      MONNIFY,
    ];
    const decision = decided({ ruleSet, accounts });
    expect(planOf(decision)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(decision.record.reasons[1]?.message).toBe(
      'flutterwave-main costs least for NGN 2,500.00: NGN 53.75, against NGN 147.81 at paystack-main.',
    );
    const equal = accounts.map((account) => ({ ...account, fees: aFee({ flat: 10 }) }));
    expect(planOf(decided({ ruleSet, accounts: equal }))).toEqual(['monnify-main', 'paystack-main', 'flutterwave-main']);
  });

  it('measure an account by exactly as many payments as are asked for', () => {
    const common = { strategy: 'success_rate', minSamples: 100, explorationPercent: 0 } as const;
    const ruleSet = under({ ...common, accounts: ['paystack-main', 'flutterwave-main'] });
    const counted = (paid: number, unpaid: number) =>
      planOf(decided({ ruleSet, health: [aHealth('flutterwave-main', 'healthy', { paid, unpaid })] }))[0];
    expect([counted(50, 50), counted(50, 49)]).toEqual(['flutterwave-main', 'paystack-main']);
  });

  it('name the best of those that can take the payment, and leave out the others', () => {
    const accounts = [
      { ...PAYSTACK, enabled: false, fees: aFee({ flat: 1 }) },
      { ...FLUTTERWAVE, fees: aFee({ flat: 2 }) },
      MONNIFY,
    ];
    const names = ['paystack-main', 'flutterwave-main'];
    const converting = under({ strategy: 'success_rate', accounts: names, minSamples: 1, explorationPercent: 0 });
    const health = [
      aHealth('paystack-main', 'healthy', { paid: 9 }),
      aHealth('flutterwave-main', 'healthy', { paid: 8, unpaid: 1 }),
    ];
    const messages = (decision: ReturnType<typeof decided>) => decision.record.reasons.map(({ message }) => message).join(' ');
    expect(messages(decided({ ruleSet: converting, accounts, health }))).toContain('flutterwave-main converts best: 8 of 9');
    const cheapest = under({ strategy: 'lowest_cost', accounts: names });
    expect(messages(decided({ ruleSet: cheapest, accounts }))).toContain('flutterwave-main costs least for NGN 2,500.00: NGN 2');
    const ill = [aHealth('paystack-main', 'down', { paid: 9 }), aHealth('flutterwave-main', 'healthy', { paid: 8, unpaid: 1 })];
    const enabled = [PAYSTACK, FLUTTERWAVE, MONNIFY];
    expect(messages(decided({ ruleSet: converting, accounts: enabled, health: ill }))).toContain(
      'flutterwave-main converts best',
    );
  });

  it('explore one account and keep the order of the others, for ever the same for a payment', () => {
    const accounts = ['paystack-main', 'flutterwave-main', 'monnify-main'];
    const ruleSet = aRuleSet([aRule('r', { strategy: 'success_rate', accounts, minSamples: 1, explorationPercent: 100 })], []);
    const health = accounts.map((accountId, index) => aHealth(accountId, 'healthy', { paid: 9 - index, unpaid: index }));
    const decisions = paymentIds(8).map((paymentId) => decided({ ruleSet, health, payment: aPayment({ paymentId }) }));
    const [flutterwave, monnify] = [
      ['flutterwave-main', 'paystack-main', 'monnify-main'],
      ['monnify-main', 'paystack-main', 'flutterwave-main'],
    ];
    expect(decisions.map(planOf).every((plan) => [flutterwave, monnify].some((each) => each?.join() === plan.join()))).toBe(true);
    expect(decisions.map((decision) => planOf(decision)[0]?.[0]).join('')).toBe('fmfffmff');
    for (const decision of decisions) expect(codesOf(decision)).toContain('success_rate_exploration');
    // With one account that is fit there is nothing to explore.
    const alone = decided({ ruleSet, health, accounts: [PAYSTACK] });
    expect(codesOf(alone)).not.toContain('success_rate_exploration');
  });

  it('go by the contract unless the rule asks for what was charged', () => {
    const rate = { currency: 'NGN', method: 'CARD', amount: { from: 0, to: null }, rateMillionths: 50_000 } as const;
    const accounts = [
      { ...PAYSTACK, fees: aFee({ percentBasisPoints: 100 }), effectiveRates: [rate] },
      { ...FLUTTERWAVE, fees: aFee({ percentBasisPoints: 200 }), effectiveRates: [{ ...rate, rateMillionths: 10_000 }] },
    ];
    const names = ['paystack-main', 'flutterwave-main'];
    const first = (fees?: 'contract' | 'effective') =>
      planOf(decided({ ruleSet: under({ strategy: 'lowest_cost', accounts: names, ...(fees && { fees }) }), accounts }))[0];
    expect([first(), first('contract'), first('effective')]).toEqual(['paystack-main', 'paystack-main', 'flutterwave-main']);
  });

  it('weigh success against the fee, and name both factors of every account that can take the payment', () => {
    const rate = (paid: number, finished: number) => [
      { currency: 'NGN', method: 'CARD', amount: { from: 0, to: null }, paid, finished },
    ];
    const accounts = [
      { ...PAYSTACK, fees: aFee({ percentBasisPoints: 150 }), successRates: rate(1_800, 2_000) },
      { ...FLUTTERWAVE, fees: aFee({ percentBasisPoints: 100 }), successRates: rate(1_700, 2_000) },
      MONNIFY,
    ];
    const names = ['flutterwave-main', 'paystack-main', 'monnify-main'];
    const decision = decided({ ruleSet: under({ strategy: 'expected_value', accounts: names }), accounts });
    expect(planOf(decision)).toEqual(['paystack-main', 'flutterwave-main', 'monnify-main']);
    const message = decision.record.reasons.find(({ code }) => code === 'expected_value')?.message;
    expect(message).toBe(
      'NGN 2,500.00 is expected to bring NGN 2,216.25 at paystack-main, against NGN 2,103.75 at flutterwave-main: ' +
        'paystack-main 90.0% (1,800 of 2,000 of this method and size), fee NGN 37.50; ' +
        'flutterwave-main 85.0% (1,700 of 2,000 of this method and size), fee NGN 25.00. ' +
        'Success by finished payments of the last 28 days, few of them drawn to the average; fees by contract.',
    );
  });

  it('take an account with few finished payments for an average one, and go by the fee where nothing is known', () => {
    const rate = (paid: number, finished: number) => [
      { currency: 'NGN', method: 'CARD', amount: { from: 0, to: null }, paid, finished },
    ];
    const fees = [aFee({ percentBasisPoints: 150 }), aFee({ percentBasisPoints: 100 })];
    const first = (left: ReturnType<typeof rate>, right: ReturnType<typeof rate>) => {
      const accounts = [
        { ...PAYSTACK, fees: fees[0] ?? null, successRates: left },
        { ...FLUTTERWAVE, fees: fees[1] ?? null, successRates: right },
      ];
      const names = ['paystack-main', 'flutterwave-main'];
      return planOf(decided({ ruleSet: under({ strategy: 'expected_value', accounts: names }), accounts }))[0];
    };
    expect(first([], [])).toBe('flutterwave-main');
    expect(first(rate(1_800, 2_000), rate(0, 1))).toBe('paystack-main');
    expect(first(rate(1_800, 2_000), rate(1, 1))).toBe('flutterwave-main');
    expect(first(rate(1_800, 2_000), rate(1_400, 2_000))).toBe('paystack-main');
  });
});
