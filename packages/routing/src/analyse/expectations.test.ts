import { describe, expect, it } from 'vitest';
import { parseRuleSet } from '../rule-set/rule-set.ts';
import { anAccount, aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import type { PaymentKeys, RuleTarget } from '../types.ts';
import { checkExpectations } from './expectations.ts';

const accounts = [anAccount('paystack-main'), anAccount('flutterwave-main')];
const payment = { currency: 'NGN', amount: 2_500, method: 'CARD', customerCountry: null } as const;

function check(target: RuleTarget, ...goesTo: string[]) {
  const ruleSet = { ...aRuleSet([aRule('cards', target)]), expectations: [{ name: 'small cards', payment, goesTo }] };
  expect(parseRuleSet(JSON.parse(JSON.stringify(ruleSet)))).toEqual({ ok: true, ruleSet });
  return checkExpectations(ruleSet, accounts)[0];
}

describe('an expectation', () => {
  it('holds when the payment goes to the expected account, and breaks when it goes elsewhere', () => {
    expect(check(aTarget('paystack-main'), 'paystack-main')).toMatchObject({
      holds: true,
      message: 'NGN 2,500.00 by card goes to paystack-main, as expected.',
    });
    expect(check(aTarget('paystack-main'), 'flutterwave-main')).toMatchObject({
      holds: false,
      message: 'NGN 2,500.00 by card goes to paystack-main, and not to flutterwave-main.',
    });
  });

  it('must allow for every account between which a split or a comparison may choose', () => {
    const split = [
      { account: 'paystack-main', percent: 99 },
      { account: 'flutterwave-main', percent: 1 },
    ];
    expect(check({ strategy: 'weighted', split }, 'paystack-main')).toMatchObject({ holds: false });
    expect(check({ strategy: 'weighted', split }, 'paystack-main', 'flutterwave-main')).toMatchObject({ holds: true });
    const alone = split.map((share, index) => ({ ...share, percent: index === 0 ? 100 : 0 }));
    expect(check({ strategy: 'weighted', split: alone }, 'paystack-main')).toMatchObject({ holds: true });
    const names = ['paystack-main', 'flutterwave-main'];
    const compared: RuleTarget = { strategy: 'success_rate', accounts: names, minSamples: 1, explorationPercent: 0 };
    expect(check(compared, 'paystack-main')).toMatchObject({ holds: false, mayGoTo: names });
  });

  it('breaks when no account can take the payment', () => {
    const ruleSet = { ...aRuleSet([]), expectations: [{ name: 'small cards', payment, goesTo: ['paystack-main'] }] };
    expect(checkExpectations(ruleSet, [])[0]).toMatchObject({ holds: false, mayGoTo: [] });
  });

  it('is refused as a document when it names no account, amount or known method', () => {
    const broken = { name: 'x', payment: { ...payment, amount: 0, method: 'CASH' }, goesTo: [] };
    const parsed = parseRuleSet({ ...aRuleSet([]), expectations: [broken] });
    expect(parsed.ok ? [] : parsed.problems.map(({ field }) => field)).toEqual([
      'expectations.0.payment.amount',
      'expectations.0.payment.method',
      'expectations.0.goesTo',
    ]);
  });

  it('may name values of keys, which are compared as those of payments', () => {
    const key = { name: 'tier', label: 'Tier', type: 'enum', values: ['gold'], ignoreCase: true } as const;
    const rule = aRule('gold', aTarget('flutterwave-main'), {
      metadata: [{ key: 'tier', is: 'one_of', values: ['gold'] }],
      hours: { from: '22:00', to: '06:00' },
    });
    const payment = { currency: 'NGN', amount: 2_500, method: 'CARD', customerCountry: null } as const;
    const expects = (keys: PaymentKeys) => ({ name: 'gold', payment: { ...payment, keys }, goesTo: ['flutterwave-main'] });
    const expectations = [
      expects({ metadata: { tier: 'GOLD' }, time: 'sat 05:59' }),
      expects({ metadata: { tier: 'GOLD' }, time: 'sat 06:00' }),
      expects({ metadata: { tier: 'GOLD' } }),
      expects({ time: 'mon 22:00' }),
    ];
    const ruleSet = { ...aRuleSet([rule], ['paystack-main']), keys: [key], expectations };
    const accounts = [anAccount('paystack-main'), anAccount('flutterwave-main')];
    expect(checkExpectations(ruleSet, accounts).map(({ holds }) => holds)).toEqual([true, false, false, false]);
  });
});
