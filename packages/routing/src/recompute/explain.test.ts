import { describe, expect, it } from 'vitest';
import { aHealth, anAccount, aPayment, aRule, aRuleSet, aTarget, DECIDED_AT } from '../testing/samples.ts';
import type { DecisionInputs } from '../types.ts';
import { compareDecisions, explainDecision } from './explain.ts';

const inputs: DecisionInputs = {
  policy: 1,
  payment: aPayment({ amount: 7_500 }),
  accounts: [anAccount('paystack-main'), anAccount('flutterwave-main')],
  health: [],
  overrides: [],
  decidedAt: DECIDED_AT,
};
const ruleSet = aRuleSet([
  aRule('small', aTarget('paystack-main'), { amount: { from: 0, to: 5_000 } }),
  aRule('ussd abroad', aTarget('paystack-main'), { methods: ['USSD'], countries: ['GH'] }),
  aRule('off', aTarget('paystack-main'), {}, { enabled: false }),
  aRule('cards', aTarget('flutterwave-main')),
  aRule('cards again', aTarget('paystack-main')),
]);

describe('the explanation of a decision', () => {
  it('reports for each rule in order whether it wins, is shadowed or fails, and by which condition', () => {
    const { rules } = explainDecision({ inputs, ruleSet });
    const failed = rules.map((rule) => rule.conditions.filter((condition) => !condition.holds));
    expect(rules.map((rule) => rule.verdict)).toEqual(['fails', 'fails', 'fails', 'wins', 'shadowed']);
    expect(failed.map((conditions) => conditions.map((condition) => condition.condition))).toEqual([
      ['amount'],
      ['method', 'country'],
      ['enabled'],
      [],
      [],
    ]);
    expect(failed[0]?.[0]?.message).toBe('NGN 0 to NGN 5,000, and the payment is NGN 7,500.00');
  });

  it('calls matching rules bypassed when a gateway was requested', () => {
    const requested = { ...inputs, payment: aPayment({ amount: 7_500, requestedGateway: 'paystack' }) };
    const { rules } = explainDecision({ inputs: requested, ruleSet });
    expect(rules.map((rule) => rule.verdict)).toEqual(['fails', 'fails', 'fails', 'bypassed', 'bypassed']);
  });
});

describe('two decisions for one payment', () => {
  const before = explainDecision({ inputs, ruleSet }).decision;

  it('are the same when the same accounts are tried in the same order', () => {
    expect(compareDecisions(before, explainDecision({ inputs, ruleSet }).decision)).toMatchObject({
      same: true,
      differences: [],
    });
  });

  it('differ by order, rule and eligibility, each in a sentence', () => {
    const now = explainDecision({
      inputs: {
        ...inputs,
        accounts: [anAccount('flutterwave-main'), anAccount('monnify-main')],
        health: [aHealth('flutterwave-main', 'down')],
      },
      ruleSet: aRuleSet([]),
    }).decision;
    expect(compareDecisions(before, now)).toEqual({
      same: false,
      recommendedBefore: 'flutterwave-main',
      recommendedNow: 'monnify-main',
      differences: [
        'The order was flutterwave-main, paystack-main and is now monnify-main, flutterwave-main.',
        'It followed rule cards and now follows no rule.',
        'monnify-main is new.',
        'flutterwave-main was healthy and is now down.',
        'paystack-main is gone.',
      ],
    });
  });
});
