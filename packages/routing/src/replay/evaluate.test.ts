import { describe, expect, it } from 'vitest';
import { aFee, aHealth, anAccount, anOverride, aPayment, aRule, aRuleSet, aTarget, DECIDED_AT } from '../testing/samples.ts';
import { evaluate } from './evaluate.ts';

describe('a trial payment', () => {
  const evaluation = evaluate({
    payment: aPayment({ amount: 6_000 }),
    ruleSet: aRuleSet([
      aRule('small', aTarget('paystack-main'), { amount: { from: 0, to: 5_000 } }),
      aRule('cards', aTarget('a-main')),
    ]),
    accounts: [
      anAccount('paystack-main', { currencies: ['USD'], maxAmount: 100 }),
      anAccount('a-main', { fees: aFee({ flat: 50 }) }),
      anAccount('b-main'),
      anAccount('c-main'),
    ],
    health: [aHealth('b-main', 'down')],
    overrides: [anOverride('c-main', 'drain')],
    decidedAt: DECIDED_AT,
  });

  it('meets every condition of every rule', () => {
    expect(
      evaluation.rules.map((rule) => [
        rule.verdict,
        rule.conditions.filter((entry) => !entry.holds).map((entry) => entry.condition),
      ]),
    ).toEqual([
      ['fails', ['amount']],
      ['wins', []],
    ]);
  });

  it('is checked against every account, with every ineligible reason', () => {
    const against = evaluation.accounts.map((account) => account.conditions.filter(({ outcome }) => outcome !== 'holds'));
    expect(against).toEqual([
      [
        { condition: 'currency', outcome: 'fails', detail: 'Takes USD' },
        { condition: 'amount', outcome: 'fails', detail: 'NGN 1 to NGN 100' },
      ],
      [],
      [
        {
          condition: 'health',
          outcome: 'attention',
          detail: 'Down since 14:02 UTC: checkouts take 9.0 s on average (Paystack, all methods).',
        },
      ],
      [{ condition: 'operator', outcome: 'fails', detail: 'ada@example.com: drain, Settlement is late.' }],
    ]);
    expect(evaluation.accounts.map((account) => account.place)).toEqual([null, 0, 1, null]);
    expect(evaluation.accounts[1]?.feeInHundredths).toBe(5_000);
  });

  it('shows poor health even where an operator forces the account', () => {
    const forced = evaluate({
      payment: aPayment(),
      ruleSet: aRuleSet([]),
      accounts: [anAccount('b-main')],
      health: [aHealth('b-main', 'down')],
      overrides: [anOverride('b-main', 'force')],
      decidedAt: DECIDED_AT,
    });
    expect(forced.accounts[0]).toMatchObject({
      place: 0,
      conditions: expect.arrayContaining([
        {
          condition: 'health',
          outcome: 'attention',
          detail: 'Down since 14:02 UTC: checkouts take 9.0 s on average (Paystack, all methods).',
        },
        { condition: 'operator', outcome: 'attention', detail: 'ada@example.com: force, Settlement is late.' },
      ]),
    });
  });
});
