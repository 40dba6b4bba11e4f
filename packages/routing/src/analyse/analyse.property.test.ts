import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsOf } from '../decide/compile.ts';
import { MAX_AMOUNT } from '../money.ts';
import { matchesRule } from '../recompute/explain.ts';
import { accountsArbitrary, COUNTRIES, METHODS, ruleSetArbitrary } from '../testing/arbitraries.ts';
import { aPayment } from '../testing/samples.ts';
import type { RoutableAccount, RoutablePayment, RuleSet } from '../types.ts';
import { analyse } from './analyse.ts';
import type { AccountLimit, Finding, FindingKind } from './finding.ts';

function found(ruleSet: RuleSet, accounts: readonly RoutableAccount[], ...kinds: FindingKind[]): Finding[] {
  return analyse(ruleSet, accounts).findings.filter((finding) => kinds.includes(finding.kind));
}

/** One finding about one rule, one currency and method without a rule, or the default order, with folded findings expanded. */
interface Unfolded {
  readonly kind: FindingKind;
  /** The rule's position, `NGN|CARD` without a rule, or `default`. */
  readonly of: string;
  readonly accountIds: readonly string[];
  readonly limit: AccountLimit | null;
}

/** Findings of these kinds as if nothing were folded. */
function unfolded(ruleSet: RuleSet, accounts: readonly RoutableAccount[], ...kinds: FindingKind[]): Unfolded[] {
  return analyse(ruleSet, accounts).findings.flatMap((finding): Unfolded[] => {
    const { kind, positions, accountIds, limit, example } = finding;
    if (kind !== 'account_limit') {
      if (!kinds.includes(kind)) return [];
      const isThin = kind === 'no_account' || kind === 'no_second_choice';
      const elsewhere = isThin ? `${example?.currency}|${example?.method}` : 'default';
      return [{ kind, of: String(positions[0] ?? elsewhere), accountIds, limit }];
    }
    return finding.consequences
      .filter((consequence) => kinds.includes(consequence.kind))
      .flatMap((consequence) => {
        const of = [
          ...consequence.positions.map(String),
          ...consequence.places.map(({ currency, method }) => `${currency}|${method}`),
          ...(consequence.inDefaultOrder ? ['default'] : []),
        ];
        return of.map((one) => ({ kind: consequence.kind, of: one, accountIds: consequence.accountIds, limit }));
      });
  });
}

const limitText = (limit: AccountLimit | null) => (limit === null ? 'none' : `${limit.accountId} ${limit.bound} ${limit.amount}`);

/** Why an account cannot take a payment: null when it can. */
function refusalOf(account: RoutableAccount, payment: RoutablePayment): string | null {
  const { accountId, minAmount, maxAmount } = account;
  if (!account.currencies.includes(payment.currency) || !account.methods.some((method) => method === payment.method))
    return 'none';
  if (payment.amount < minAmount) return limitText({ accountId, bound: 'min', amount: minAmount });
  if (maxAmount !== null && payment.amount > maxAmount) return limitText({ accountId, bound: 'max', amount: maxAmount });
  return null;
}

/** The limit without which one more account could take the payment: the greatest below it, else the least above it. */
function nearestLimit(accounts: readonly RoutableAccount[], payment: RoutablePayment): string {
  const limited = accounts.filter(
    (account) => account.enabled && account.configured && !['none', null].includes(refusalOf(account, payment)),
  );
  const isAbove = ({ minAmount }: RoutableAccount) => payment.amount < minAmount;
  const below = limited.filter((account) => !isAbove(account)).toSorted((a, b) => (b.maxAmount ?? 0) - (a.maxAmount ?? 0));
  const above = limited.filter(isAbove).toSorted((a, b) => a.minAmount - b.minAmount);
  const nearest = below[0] ?? above[0];
  return nearest === undefined ? 'none' : (refusalOf(nearest, payment) ?? 'none');
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

describe('an analysis, compared to every payment of a small space', () => {
  const worlds = fc.tuple(ruleSetArbitrary, accountsArbitrary);
  /** `PROPERTY_TIMES=100 npm test -- unit analyse.property` looks a hundred times as long. */
  const RUNS = { numRuns: 20 * Number(process.env.PROPERTY_TIMES ?? 1) };

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
          const kind = able.length === 0 ? 'no_account' : 'no_second_choice';
          const alone = able[0]?.accountId ?? '';
          if (able.length < 2) expected.add(`${kind} ${asked} ${alone} by ${nearestLimit(accounts, payment)}`);
        }
        const reported = unfolded(ruleSet, accounts, 'no_account', 'no_second_choice').map(
          ({ kind, of, accountIds, limit }) => `${kind} ${of} ${accountIds.join()} by ${limitText(limit)}`,
        );
        expect(new Set(reported)).toEqual(expected);
        expect(reported).toHaveLength(expected.size);
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
        const lists = ruleSet.rules.map((rule, position) => ({
          of: String(position),
          named: accountsOf(rule.then),
          own: seen.filter(({ matching }) => matching[0] === position),
        }));
        for (const { of, named, own } of [...lists, { of: 'default', named: ruleSet.defaultOrder, own: seen }]) {
          for (const [place, accountId] of own.length === 0 ? [] : named.entries()) {
            const account = accounts.find((entry) => entry.accountId === accountId);
            if (!account?.enabled || !account.configured) continue;
            const causes = new Set(own.flatMap(({ payment }) => refusalOf(account, payment) ?? []));
            const able = own.some((entry) => entry.able.includes(account));
            const never = place === 0 ? 'incapable_account' : 'fallback_never_reached';
            if (!able) expected.push(`${never} ${of} ${accountId} by ${causes.size === 1 ? [...causes][0] : 'none'}`);
            else if (of !== 'default') {
              for (const cause of causes) expected.push(`partly_incapable_account ${of} ${accountId} by ${cause}`);
            }
          }
        }
        const reported = unfolded(ruleSet, accounts, ...kinds).map(
          ({ kind, of, accountIds, limit }) => `${kind} ${of} ${accountIds[0]} by ${limitText(limit)}`,
        );
        expect(reported.sort()).toEqual(expected.sort());
      }),
      RUNS,
    );
  });

  it('names each limit once, with every rule and account that what follows from it concerns', () => {
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        const { findings } = analyse(ruleSet, accounts);
        const limits = findings.flatMap(({ limit }) => (limit === null ? [] : [limitText(limit)]));
        expect(new Set(limits).size).toBe(limits.length);
        for (const finding of findings) {
          const { kind, limit, consequences, positions, ruleIds, accountIds, severity } = finding;
          expect(consequences.length > 0).toBe(kind === 'account_limit');
          expect(ruleIds).toEqual(positions.map((position) => ruleSet.rules[position]?.ruleId));
          if (kind !== 'account_limit') continue;
          expect(new Set(positions)).toEqual(new Set(consequences.flatMap((each) => each.positions)));
          expect(new Set(accountIds)).toEqual(new Set([limit?.accountId, ...consequences.flatMap((each) => each.accountIds)]));
          expect(severity).toBe(consequences[0]?.severity);
        }
      }),
      RUNS,
    );
  });

  it('is sorted by severity', () => {
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        const order = ['critical', 'warning', 'info'];
        const severities = analyse(ruleSet, accounts).findings.map(({ severity }) => order.indexOf(severity));
        expect(severities).toEqual(severities.toSorted((left, right) => left - right));
      }),
      RUNS,
    );
  });

  it('gives each finding a payment that shows it', () => {
    fc.assert(
      fc.property(worlds, ([ruleSet, accounts]) => {
        const { findings } = analyse(ruleSet, accounts);
        const folded = findings.flatMap(({ consequences }) => consequences);
        for (const { example, positions, places, inDefaultOrder } of folded) {
          const matching = ruleSet.rules.findIndex((rule) => example !== null && matchesRule(rule, aPayment(example)));
          const isPlace = places.some(({ currency, method }) => currency === example?.currency && method === example.method);
          expect(positions.includes(matching) || (matching < 0 && isPlace) || inDefaultOrder).toBe(true);
        }
        const single = folded.map((consequence) => ({ ...consequence, positions: [] }));
        for (const { kind, example, positions, accountIds, severity } of [...findings, ...single]) {
          if (!example || kind === 'account_limit') continue;
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
