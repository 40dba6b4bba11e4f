import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from './analyse.ts';
import { accountsOf } from './compile.ts';
import { matchesRule } from './explain.ts';
import type { Finding, FindingKind } from './finding.ts';
import { MAX_AMOUNT } from './money.ts';
import { accountsArbitrary, COUNTRIES, METHODS, ruleSetArbitrary } from './testing/arbitraries.ts';
import { anAccount, aPayment, aRule, aRuleSet, aTarget } from './testing/samples.ts';
import type { RoutableAccount, RoutablePayment, RuleSet } from './types.ts';

const MAIN = anAccount('paystack-main');
const SECOND = anAccount('flutterwave-main');

function found(ruleSet: RuleSet, accounts: readonly RoutableAccount[], ...kinds: FindingKind[]): Finding[] {
  return analyse(ruleSet, accounts).findings.filter((finding) => kinds.includes(finding.kind));
}

const messages = (findings: readonly Finding[]) => findings.map((finding) => finding.message);

describe('an analysis', () => {
  it('says nothing against a rule set that covers everything with two accounts', () => {
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
    expect(messages(found(ruleSet, [MAIN], 'overlap'))).toEqual(['NGN 5,000 CARD matches rules 2 and 3; rule 2 always wins.']);
  });

  it('tells duplicates, shadowed rules and rules that others cover together apart', () => {
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
      'Rule 3 has the same conditions as rule 2, so it never decides; NGN 11 CARD matches both.',
      'Rule 4 never decides: rule 1 takes every payment it matches, such as NGN 3 CARD from GH.',
      'Rule 5 never decides: rules 1 and 2 together take every payment it matches, such as NGN 5 CARD.',
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
      'No rule covers CARD of NGN 5,001 to NGN 20,000 from countries no rule names, such as NGN 5,001 CARD; the default order serves.',
      'No rule covers CARD of NGN 5,001 to NGN 9,999 from GH, such as NGN 5,001 CARD from GH; the default order serves.',
    ]);
  });

  it('holds every account a list names against the payments that come to it', () => {
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
      'Rule 1 names flutterwave-main, which takes NGN 1 to NGN 1,000, not NGN 1,001; NGN 1,001 CARD shows it.',
      'Rule 1 names off, which is switched off.',
      'Rule 1 names ussd, which can take none of the payments that come there: for NGN 1 CARD, it does not take CARD.',
      'Rule 2 names ussd, which can take none of the payments that come there: for NGN 1 TRANSFER, it does not take TRANSFER.',
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
    expect(
      messages(found(ruleSet, accounts, 'no_account', 'no_second_choice', 'bad_split', 'missing_fees', 'unlisted_account')),
    ).toEqual([
      'No account can take NGN 9,001 CARD under rule 2.',
      'No account can take NGN 9,001 TRANSFER.',
      'No account can take NGN 9,001 USSD.',
      'Rule 1 splits payments by percentages that add up to 90, not 100.',
      'Only paystack-main can take NGN 1,001 CARD under rule 1.',
      'Only paystack-main can take NGN 2,001 CARD under rule 2.',
      'Only paystack-main can take NGN 1,001 TRANSFER.',
      'Only paystack-main can take NGN 1,001 USSD.',
      'Rule 2 prefers the lowest cost, but paystack-main has no fee schedule, so it comes last.',
      'flutterwave-main is in no rule and not in the default order: it is tried only when all others are out.',
    ]);
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

/** Every payment of the small world, and a very large one of each sort. */
const EVERY_PAYMENT: readonly RoutablePayment[] = ['NGN', 'USD'].flatMap((currency) =>
  METHODS.flatMap((method) =>
    [null, 'BJ', ...COUNTRIES].flatMap((customerCountry) =>
      [...Array.from({ length: 100 }, (_, index) => index + 1), MAX_AMOUNT].map((amount) =>
        aPayment({ currency, method, customerCountry, amount }),
      ),
    ),
  ),
);

/** The positions of the enabled rules that match each payment, first to last; only payments some rule or able account concerns. */
function survey(ruleSet: RuleSet, accounts: readonly RoutableAccount[]) {
  const concerns = (payment: RoutablePayment) =>
    ruleSet.rules.some(
      ({ enabled, when }) =>
        enabled && when.currency === payment.currency && payment.method && when.methods.includes(payment.method),
    ) ||
    accounts.some(
      (account) =>
        account.enabled &&
        account.configured &&
        account.currencies.includes(payment.currency) &&
        payment.method &&
        account.methods.includes(payment.method),
    );
  return EVERY_PAYMENT.filter(concerns).map((payment) => ({
    payment,
    matching: ruleSet.rules.flatMap((rule, position) => (matchesRule(rule, payment) ? [position] : [])),
    able: accounts.filter((account) => isAbleFor(account, payment)),
  }));
}

function isAbleFor(account: RoutableAccount, payment: RoutablePayment): boolean {
  return (
    account.enabled &&
    account.configured &&
    account.currencies.includes(payment.currency) &&
    payment.method !== null &&
    account.methods.includes(payment.method) &&
    account.minAmount <= payment.amount &&
    payment.amount <= (account.maxAmount ?? Number.POSITIVE_INFINITY)
  );
}

describe('an analysis, held against every payment of a small world', () => {
  const worlds = fc.tuple(ruleSetArbitrary, accountsArbitrary);
  const RUNS = { numRuns: 60 };

  it('finds exactly the overlaps and the rules that never decide', () => {
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        const seen = survey(ruleSet, accounts);
        const deciding = new Set(seen.map(({ matching }) => matching[0]));
        const pairs = new Set<string>();
        const takers = new Map<number, Set<number>>();
        for (const { matching } of seen) {
          const [winner, ...losers] = matching;
          for (const loser of losers) {
            if (winner === undefined) continue;
            if (deciding.has(loser)) pairs.add(`${winner}>${loser}`);
            else takers.set(loser, (takers.get(loser) ?? new Set()).add(winner));
          }
        }
        const overlaps = found(ruleSet, accounts, 'overlap');
        expect(new Set(overlaps.map((finding) => finding.positions.join('>')))).toEqual(pairs);
        const idle = ruleSet.rules.flatMap((rule, position) => (rule.enabled && !deciding.has(position) ? [position] : []));
        const never = found(ruleSet, accounts, 'shadowed', 'unreachable', 'duplicate');
        expect(never.map((finding) => finding.positions.at(-1)).sort()).toEqual(idle.sort());
        for (const finding of never) {
          const by = takers.get(finding.positions.at(-1) ?? -1)?.size ?? 0;
          if (finding.kind === 'shadowed') expect(by).toBe(1);
          if (finding.kind === 'unreachable') expect(by).not.toBe(1);
        }
      }),
      RUNS,
    );
  });

  it('finds a gap around exactly the payments that no rule matches', () => {
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        const gaps = found(ruleSet, accounts, 'gap').map((finding) => finding.gap);
        const named = (payment: RoutablePayment) =>
          ruleSet.rules.some(
            ({ enabled, when }) =>
              enabled &&
              when.currency === payment.currency &&
              payment.method !== null &&
              when.methods.includes(payment.method) &&
              when.countries?.includes(payment.customerCountry ?? ''),
          );
        const isAround = (gap: Finding['gap'], payment: RoutablePayment) =>
          gap?.currency === payment.currency &&
          gap.method === payment.method &&
          gap.from <= payment.amount &&
          payment.amount <= (gap.to ?? MAX_AMOUNT) &&
          (named(payment) ? gap.countries.includes(payment.customerCountry ?? '') : gap.others);
        const wrong = survey(ruleSet, accounts).filter(
          ({ payment, matching }) => gaps.filter((gap) => isAround(gap, payment)).length !== (matching.length === 0 ? 1 : 0),
        );
        expect(wrong).toEqual([]);
      }),
      RUNS,
    );
  });

  it('finds thin choice exactly where a payment has one account or none', () => {
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        const expected = new Set<string>();
        for (const { payment, matching, able } of survey(ruleSet, accounts)) {
          const asked = matching[0] ?? `${payment.currency}|${payment.method}`;
          if (able.length < 2) expected.add(`${able.length === 0 ? 'no_account' : 'no_second_choice'} ${asked}`);
        }
        const told = found(ruleSet, accounts, 'no_account', 'no_second_choice').map(
          ({ kind, positions, example }) => `${kind} ${positions[0] ?? `${example?.currency}|${example?.method}`}`,
        );
        expect(new Set(told)).toEqual(expected);
        expect(told).toHaveLength(expected.size);
      }),
      RUNS,
    );
  });

  it('finds exactly the accounts that cannot take all the payments of a rule that names them', () => {
    const kinds: FindingKind[] = ['incapable_account', 'fallback_never_reached', 'partly_incapable_account'];
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        const expected: string[] = [];
        const seen = survey(ruleSet, accounts);
        for (const [position, rule] of ruleSet.rules.entries()) {
          const own = seen.filter(({ matching }) => matching[0] === position);
          for (const [place, accountId] of own.length === 0 ? [] : accountsOf(rule.then).entries()) {
            const account = accounts.find((entry) => entry.accountId === accountId);
            if (!account?.enabled || !account.configured) continue;
            const able = own.filter((entry) => entry.able.includes(account)).length;
            const never = place === 0 ? 'incapable_account' : 'fallback_never_reached';
            if (able < own.length) expected.push(`${able === 0 ? never : 'partly_incapable_account'} ${position} ${accountId}`);
          }
        }
        const told = found(ruleSet, accounts, ...kinds)
          .filter((finding) => finding.positions.length > 0)
          .map(({ kind, positions, accountIds }) => `${kind} ${positions[0]} ${accountIds[0]}`);
        expect(told.sort()).toEqual(expected.sort());
      }),
      RUNS,
    );
  });

  it('gives each finding a payment that shows it', () => {
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        for (const { kind, example, positions, accountIds, severity } of analyse(ruleSet, accounts).findings) {
          if (!example) continue;
          const payment = aPayment(example);
          const matching = ruleSet.rules.flatMap((rule, position) => (matchesRule(rule, payment) ? [position] : []));
          const able = accounts.filter((account) => isAbleFor(account, payment)).map((account) => account.accountId);
          if (kind === 'overlap') expect(matching).toEqual(expect.arrayContaining([...positions]));
          if (kind === 'overlap') expect(matching[0]).toBe(positions[0]);
          if (kind === 'gap') expect(matching).toEqual([]);
          if (kind === 'no_account' || kind === 'no_second_choice') expect(able).toEqual(accountIds);
          if (kind.includes('incapable') || kind === 'fallback_never_reached') expect(able).not.toContain(accountIds[0]);
          if (positions.length === 1 && severity !== 'critical' && kind !== 'unreachable') expect(matching[0]).toBe(positions[0]);
          if (kind === 'shadowed' || kind === 'duplicate') expect(matching).toContain(positions.at(-1));
        }
      }),
      RUNS,
    );
  });
});
