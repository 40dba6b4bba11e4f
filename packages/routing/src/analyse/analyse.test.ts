import { describe, expect, it } from 'vitest';
import { anAccount, aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import type { RoutableAccount, RuleSet } from '../types.ts';
import { analyse } from './analyse.ts';
import type { Finding, FindingKind } from './finding.ts';

const MAIN = anAccount('paystack-main');
const SECOND = anAccount('flutterwave-main');

function found(ruleSet: RuleSet, accounts: readonly RoutableAccount[], ...kinds: FindingKind[]): Finding[] {
  return analyse(ruleSet, accounts).findings.filter((finding) => kinds.includes(finding.kind));
}

const messages = (findings: readonly Finding[]) => findings.map((finding) => finding.message);

describe('an analysis', () => {
  it('finds nothing in a rule set that covers everything with two accounts', () => {
    const accounts = [
      { ...MAIN, methods: ['CARD' as const] },
      { ...SECOND, methods: ['CARD' as const] },
    ];
    const ruleSet = aRuleSet(
      [
        aRule('small', aTarget('paystack-main', 'flutterwave-main'), { amount: { from: 0, to: 5_000 } }),
        aRule('large', aTarget('flutterwave-main', 'paystack-main'), { amount: { from: 5_001, to: null } }),
      ],
      ['paystack-main', 'flutterwave-main'],
    );
    expect(analyse(ruleSet, accounts)).toEqual({ findings: [], omitted: 0 });
  });

  it('names overlaps with a payment and the rule that wins it', () => {
    const ruleSet = aRuleSet([
      aRule('ussd', aTarget('paystack-main'), { methods: ['USSD'] }),
      aRule('small', aTarget('paystack-main'), { amount: { from: 0, to: 5_000 } }),
      aRule('from 5,000', aTarget('paystack-main'), { amount: { from: 5_000, to: null } }),
    ]);
    expect(messages(found(ruleSet, [MAIN], 'overlap'))).toEqual([
      'NGN 5,000.00 by card matches rules 2 and 3; rule 2 always wins.',
    ]);
  });

  it('distinguishes duplicates, shadowed rules and rules that others cover together', () => {
    const target = aTarget('paystack-main');
    const ruleSet = aRuleSet([
      aRule('low', target, { amount: { from: 0, to: 10 } }),
      aRule('high', target, { amount: { from: 11, to: 20 }, methods: ['USSD', 'CARD'] }),
      aRule('same as 2', target, { amount: { from: 11, to: 20 }, methods: ['CARD', 'USSD'] }),
      aRule('within 1', target, { amount: { from: 3, to: 7 }, countries: ['GH'] }),
      aRule('within 1 and 2', target, { amount: { from: 5, to: 15 } }),
      aRule('nothing', target, { amount: { from: 0, to: 0 }, methods: ['TRANSFER'] }),
    ]);
    expect(messages(found(ruleSet, [MAIN], 'duplicate', 'shadowed', 'unreachable', 'overlap'))).toEqual([
      'Rule 3 has the same conditions as rule 2, so it never decides; NGN 11.00 by card matches both.',
      'Rule 4 never decides: rule 1 takes every payment it matches, such as NGN 3.00 by card from GH.',
      'Rule 5 never decides: rules 1 and 2 together take every payment it matches, such as NGN 5.00 by card.',
      'Rule 6 never decides: no payment has an amount in its band.',
    ]);
  });

  it('finds gaps in amount, also those that depend on the country', () => {
    const ruleSet = aRuleSet(
      [
        aRule('small', aTarget('paystack-main'), { amount: { from: 0, to: 5_000 } }),
        aRule('large', aTarget('paystack-main'), { amount: { from: 20_001, to: null } }),
        aRule('middle, Ghana', aTarget('paystack-main'), { amount: { from: 10_000, to: 20_000 }, countries: ['GH'] }),
      ],
      ['paystack-main'],
    );
    const accounts = [{ ...MAIN, methods: ['CARD' as const] }];
    expect(messages(found(ruleSet, accounts, 'gap'))).toEqual([
      'No rule covers payments by card of NGN 5,001 to NGN 20,000 from countries no rule names, such as NGN 5,001.00 by card; the default order takes them.',
      'No rule covers payments by card of NGN 5,001 to NGN 9,999 from GH, such as NGN 5,001.00 by card from GH; the default order takes them.',
    ]);
  });

  it('checks every account a list names against the payments that reach it', () => {
    const accounts = [
      MAIN,
      { ...SECOND, maxAmount: 1_000 },
      anAccount('off', { enabled: false }),
      anAccount('bare', { configured: false }),
      anAccount('ussd', { methods: ['USSD'] }),
    ];
    const ruleSet = aRuleSet([
      aRule('cards', aTarget('ussd', 'paystack-main', 'flutterwave-main', 'off', 'bare', 'gone')),
      aRule('transfers', aTarget('paystack-main', 'ussd'), { methods: ['TRANSFER'] }),
    ]);
    const kinds: FindingKind[] = [
      'incapable_account',
      'partly_incapable_account',
      'disabled_account',
      'unknown_account',
      'fallback_never_reached',
    ];
    expect(messages(found(ruleSet, accounts, ...kinds)).sort()).toEqual([
      'Rule 1 names account gone, which does not exist.',
      'Rule 1 names bare, which has no usable credentials.',
      'Rule 1 names off, which is disabled.',
      'Rule 1 names ussd, which can take none of the payments that come there: for NGN 1.00 by card, it does not take payments by card.',
      'Rule 2 names ussd, which can take none of the payments that come there: for NGN 1.00 by transfer, it does not take payments by transfer.',
    ]);
    const limited = messages(
      found(
        ruleSet,
        [MAIN, { ...SECOND, maxAmount: 1_000 }, anAccount('cards', { methods: ['CARD', 'TRANSFER', 'USSD'] })],
        'partly_incapable_account',
      ),
    );
    expect(limited).toEqual([
      'Rule 1 names flutterwave-main, which takes NGN 1 to NGN 1,000, not NGN 1,001.00; for example, NGN 1,001.00 by card.',
    ]);
  });

  it('finds payments with one account or none, splits that do not add up, and fees that cannot be compared', () => {
    const ruleSet = aRuleSet([
      aRule(
        'split',
        { strategy: 'weighted', split: [{ account: 'paystack-main', percent: 90 }] },
        { amount: { from: 0, to: 2_000 } },
      ),
      aRule('cheap', { strategy: 'lowest_cost', accounts: ['paystack-main'] }, { amount: { from: 2_001, to: null } }),
    ]);
    const accounts = [
      { ...MAIN, maxAmount: 9_000 },
      { ...SECOND, maxAmount: 1_000 },
    ];
    const kinds: FindingKind[] = ['no_account', 'no_second_choice', 'bad_split', 'missing_fees', 'unlisted_account'];
    expect(messages(found(ruleSet, accounts, 'account_limit', ...kinds))).toEqual([
      'Rule 1 splits payments by percentages that add up to 90, not 100.',
      'paystack-main takes at most NGN 9,000: above that no account can take payments of rule 2 and NGN by transfer, NGN by USSD without a rule; it is skipped above that in rule 2. For example, NGN 9,001.00 by card.',
      'Rule 2 prefers the lowest cost, but paystack-main has no fee schedule, so it comes last.',
      'flutterwave-main takes at most NGN 1,000: above that only paystack-main can take payments of rules 1 and 2 and NGN by transfer, NGN by USSD without a rule. For example, NGN 1,001.00 by card.',
      'flutterwave-main is in no rule and not in the default order: it is tried only behind those that are listed and healthy.',
    ]);
  });

  it('folds what follows from one limit of one account, and names every rule and account concerned', () => {
    const accounts = [MAIN, { ...SECOND, minAmount: 500, maxAmount: 1_000 }, anAccount('ussd', { methods: ['USSD'] })];
    const both = aTarget('flutterwave-main', 'paystack-main');
    const ruleSet = aRuleSet(
      [
        aRule('small', both, { amount: { from: 0, to: 800 } }),
        aRule('middle', both, { amount: { from: 801, to: 2_000 } }),
        aRule('large', both, { amount: { from: 2_001, to: null } }),
        aRule('ussd', aTarget('ussd', 'flutterwave-main'), { methods: ['USSD'], amount: { from: 0, to: 100 } }),
      ],
      ['paystack-main', 'flutterwave-main'],
    );
    const [below, above, ...more] = found(ruleSet, accounts, 'account_limit');
    expect(more).toEqual([]);
    expect(above).toMatchObject({
      severity: 'warning',
      limit: { accountId: 'flutterwave-main', bound: 'max', amount: 1_000 },
      ruleIds: ['middle', 'large'],
      accountIds: ['flutterwave-main', 'paystack-main'],
      consequences: [
        { kind: 'incapable_account', positions: [2], accountIds: ['flutterwave-main'] },
        { kind: 'no_second_choice', positions: [1, 2], places: [{ currency: 'NGN', method: 'TRANSFER' }] },
        { kind: 'partly_incapable_account', positions: [1], accountIds: ['flutterwave-main'] },
      ],
    });
    expect(below).toMatchObject({
      limit: { accountId: 'flutterwave-main', bound: 'min', amount: 500 },
      ruleIds: ['small', 'ussd'],
      consequences: [
        { kind: 'no_second_choice', positions: [0], places: [{ currency: 'NGN', method: 'TRANSFER' }] },
        { kind: 'partly_incapable_account', positions: [0] },
        { kind: 'fallback_never_reached', positions: [3] },
      ],
    });
    expect(found(ruleSet, accounts, 'no_second_choice', 'incapable_account', 'partly_incapable_account')).toEqual([]);
  });

  it('does not fold a finding that is its limit’s only one, and names the limit', () => {
    const accounts = [MAIN, SECOND, anAccount('monnify', { methods: ['CARD'], maxAmount: 1_000 })];
    const ruleSet = aRuleSet([aRule('cards', aTarget('monnify', 'paystack-main'))]);
    expect(found(ruleSet, accounts, 'account_limit')).toEqual([]);
    expect(found(ruleSet, accounts, 'partly_incapable_account')).toMatchObject([
      { limit: { accountId: 'monnify', bound: 'max', amount: 1_000 }, consequences: [] },
    ]);
  });

  it('is ordered by severity, what is folded too', () => {
    const accounts = [{ ...MAIN, maxAmount: 9_000 }, { ...SECOND, maxAmount: 1_000 }, anAccount('off', { enabled: false })];
    const ruleSet = aRuleSet([
      aRule('cards', aTarget('off', 'paystack-main')),
      aRule('never', aTarget('paystack-main'), { amount: { from: 5, to: 10 } }),
    ]);
    const order = ['critical', 'warning', 'info'];
    const { findings } = analyse(ruleSet, accounts);
    const severities = findings.map(({ severity }) => order.indexOf(severity));
    expect(severities).toEqual(severities.toSorted((left, right) => left - right));
    expect(new Set(severities).size).toBe(3);
    expect(findings[0]).toMatchObject({ kind: 'account_limit', severity: 'critical' });
  });

  it('stays bounded for ten thousand rules that all overlap', () => {
    const rules = Array.from({ length: 10_000 }, (_, index) =>
      aRule(`r${index}`, aTarget('paystack-main'), { amount: { from: 10_000 - index, to: 10_000 + index * 2 } }),
    );
    const { findings, omitted } = analyse(aRuleSet(rules, ['paystack-main']), [MAIN]);
    expect(findings).toHaveLength(1_000);
    expect(omitted).toBeGreaterThan(9_000);
  });
});
