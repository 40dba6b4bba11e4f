import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from './analyse.ts';
import { accountsOf } from './compile.ts';
import { matchesRule } from './explain.ts';
import type { Finding, FindingKind } from './finding.ts';
import { MAX_AMOUNT } from './money.ts';
import { accountsArbitrary, COUNTRIES, METHODS, ruleSetArbitrary } from './testing/arbitraries.ts';
import { aPayment } from './testing/samples.ts';
import type { RoutableAccount, RoutablePayment, RuleSet } from './types.ts';

function found(ruleSet: RuleSet, accounts: readonly RoutableAccount[], ...kinds: FindingKind[]): Finding[] {
  return analyse(ruleSet, accounts).findings.filter((finding) => kinds.includes(finding.kind));
}

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
