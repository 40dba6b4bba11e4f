import { describeAmounts } from '../amount-band.ts';
import { accountsOf } from '../decide/compile.ts';
import { methodWord } from '../health-text.ts';
import { isDivisible } from '../keys/divide.ts';
import { describeCell } from '../keys/key-cells.ts';
import { type KeysByName, keysByName } from '../keys/match-keys.ts';
import { comparesKeys } from '../keys/payment-keys.ts';
import { MAX_AMOUNT } from '../money.ts';
import type { RoutableAccount, RuleSet } from '../types.ts';
import { canTake, findUnfitAccounts, findUnfitDefaults, limitAgainst } from './analyse-accounts.ts';
import { against, findRuleOverlaps } from './analyse-rules.ts';
import { type CoveragePlane, type CoverageSpan, computeCoverage, exampleIn } from './coverage.ts';
import { type Analysis, compareSeverity, describeExample, type Finding, type Gap } from './finding.ts';
import { foldByLimit } from './fold-findings.ts';

/** Most findings returned at once. */
export const FINDINGS_MAX = 1_000;

/**
 * Everything that is wrong or doubtful about a rule set before a payment has met it: rules that never decide or overlap,
 * payments that no rule covers, accounts that cannot do what they are named for, payments with one account or none.
 *
 * Exact: conditions are boxes over currency, method, country, keys and amount, and the whole space of payments is laid out in
 * spans, so that a finding is made if and only if a payment shows it; `example` is that payment. Health and overrides play
 * no part. Payments without a method are not analysed, since no rule matches them. What follows from one limit of one account is
 * one finding, with the limit. The gravest findings come first, and at most {@link FINDINGS_MAX} of them; one rule is compared with at
 * most twenty others.
 */
export function analyse(ruleSet: RuleSet, accounts: readonly RoutableAccount[]): Analysis {
  const planes = computeCoverage(ruleSet, accounts);
  const spans = planes.flatMap((plane) => plane.spans);
  const decided = Map.groupBy(spans, (span) => span.winner);
  const found = foldByLimit(ruleSet, accounts, [
    ...findRuleOverlaps(ruleSet, planes),
    ...findGaps(ruleSet, planes, accounts),
    ...findUnfitAccounts(ruleSet, accounts, decided),
    ...findUnfitDefaults(ruleSet, accounts, spans),
    ...Array.from(Map.groupBy(spans, askedOf).values()).flatMap((own) => findThinChoice(ruleSet, own, accounts)),
    ...findBadTargets(ruleSet, accounts, decided),
    ...findUnlisted(ruleSet, accounts),
  ]).sort(compareSeverity);
  return { findings: found.slice(0, FINDINGS_MAX), omitted: Math.max(0, found.length - FINDINGS_MAX) };
}

/**
 * One finding per currency, method and band; the classes of countries that share the band are merged, and so are cells of keys that share
 * band and countries.
 */
function findGaps(ruleSet: RuleSet, planes: readonly CoveragePlane[], accounts: readonly RoutableAccount[]): Finding[] {
  const places = Map.groupBy(planes, (plane) => `${plane.currency}|${plane.method}`);
  return Array.from(places.values()).flatMap((own) => {
    const cellsIn = Map.groupBy(own, countriesKey);
    const uncovered = own.flatMap((plane) => plane.spans.filter((span) => span.winner < 0));
    const gaps = Array.from(Map.groupBy(uncovered, (span) => `${span.from}-${span.to} ${cellsKey(span.plane)}`).values());
    const alike = Map.groupBy(gaps, (spans) => {
      const countries = spans.map(({ plane }) => countriesKey(plane)).sort();
      return `${spans[0]?.from}-${spans[0]?.to} ${countries.join(';')}`;
    });
    return Array.from(alike.values()).flatMap((same) => gapFinding(ruleSet, same, cellsIn, accounts) ?? []);
  });
}

function countriesKey({ countries }: CoveragePlane): string {
  return countries.join();
}

function cellsKey({ cells }: CoveragePlane): string {
  return cells.length === 0 ? '' : JSON.stringify(cells);
}

/** `same` holds, for each cell of keys, the spans of the classes of countries concerned; `all` every plane of a class of countries. */
function gapFinding(
  ruleSet: RuleSet,
  same: readonly (readonly CoverageSpan[])[],
  all: ReadonlyMap<string, readonly CoveragePlane[]>,
  accounts: readonly RoutableAccount[],
): Finding | null {
  const [spans = []] = same;
  const first = spans[0];
  if (!first) return null;
  const declared = keysByName(ruleSet.keys);
  const { currency, method } = first.plane;
  const countries = spans.flatMap((span) => span.plane.countries);
  const others = spans.some((span) => span.plane.countries.length === 0);
  const isOfAllKeys = spans.every(({ plane }) => all.get(countriesKey(plane))?.length === same.length);
  const keys = isOfAllKeys ? null : same.map(([span]) => span?.plane.cells ?? []);
  const to = first.to === MAX_AMOUNT ? null : first.to;
  const gap: Gap = { currency, method, from: first.from, to, countries, others, keys };
  const example = exampleIn(first, first.from);
  const isServed = piecesOf(first, accounts).every((amount) => accounts.some((account) => canTake(account, first, amount)));
  const where = spans.length === all.size ? '' : ` from ${describeCountries(gap)}`;
  const outcome = isServed ? 'the default order takes them' : 'no account can take some of them';
  const message = `No rule covers payments by ${methodWord(method)} of ${describeAmounts(currency, gap)}${where}${describeKeys(gap, declared)}, such as ${describeExample(example, declared)}; ${outcome}.`;
  return { kind: 'gap', severity: isServed ? 'info' : 'warning', ...against(ruleSet, []), gap, example, message };
}

/** Most cells of keys that a gap's sentence names. */
const CELLS_SHOWN = 3;

function describeKeys({ keys }: Gap, declared: KeysByName): string {
  if (keys === null) return '';
  const cells = keys.slice(0, CELLS_SHOWN).map((each) => each.map((cell) => describeCell(cell, declared)).join(', '));
  const more = keys.length - cells.length;
  return ` with ${cells.join('; or ')}${more > 0 ? `; or ${more} more` : ''}`;
}

function describeCountries({ countries, others }: Gap): string {
  const named = countries.slice(0, 5).join(', ');
  if (!others) return named;
  return named === '' ? 'countries no rule names' : `${named} and countries no rule names`;
}

/** Spans whose choice of accounts is reported together: those of a rule, or those of a currency and method without one. */
function askedOf({ winner, plane }: CoverageSpan): string {
  return winner < 0 ? `${plane.currency}|${plane.method}` : String(winner);
}

/**
 * Payments of one such group that one account alone can take, or none: one finding of each kind, account that is alone, and limit
 * that it follows from.
 */
function findThinChoice(ruleSet: RuleSet, spans: readonly CoverageSpan[], accounts: readonly RoutableAccount[]): Finding[] {
  const found = new Map<string, Finding>();
  for (const span of spans) {
    for (const amount of piecesOf(span, accounts)) {
      const able = accounts.filter((account) => canTake(account, span, amount));
      const kind = able.length === 0 ? 'no_account' : 'no_second_choice';
      if (able.length > 1) continue;
      const limit = limitAgainst(accounts, span, amount);
      const key = `${kind} ${able[0]?.accountId} ${limit?.accountId} ${limit?.bound}`;
      if (found.has(key)) continue;
      const example = exampleIn(span, amount);
      const who = able[0] ? `Only ${able[0].label} can` : 'No account can';
      const position = span.winner;
      const under = position < 0 ? '' : ` under rule ${position + 1}`;
      const rules = against(ruleSet, position < 0 ? [] : [position]);
      const accountIds = able.map((account) => account.accountId);
      const message = `${who} take ${describeExample(example, keysByName(ruleSet.keys))}${under}.`;
      found.set(key, { kind, severity: able[0] ? 'warning' : 'critical', ...rules, accountIds, example, limit, message });
    }
  }
  return Array.from(found.values());
}

/** Amounts that represent the whole span: its low end, and every amount where an account becomes eligible or ineligible. */
function piecesOf(span: CoverageSpan, accounts: readonly RoutableAccount[]): number[] {
  const edges = accounts.flatMap(({ minAmount, maxAmount }) => (maxAmount === null ? [minAmount] : [minAmount, maxAmount + 1]));
  return [span.from, ...edges.filter((edge) => edge > span.from && edge <= span.to)];
}

function findBadTargets(
  ruleSet: RuleSet,
  accounts: readonly RoutableAccount[],
  decided: ReadonlyMap<number, readonly CoverageSpan[]>,
): Finding[] {
  const withoutFees = new Set(accounts.filter((account) => account.fees === null).map((account) => account.accountId));
  return ruleSet.rules.flatMap(({ enabled, then: target }, position): Finding[] => {
    const first = decided.get(position)?.[0];
    if (!enabled) return [];
    const common = { ...against(ruleSet, [position]), example: first ? exampleIn(first, first.from) : null };
    if (target.strategy === 'weighted') {
      const total = target.split.reduce((sum, share) => sum + share.percent, 0);
      if (total === 100 && target.split.every((share) => share.percent >= 0)) return [];
      const message = `Rule ${position + 1} splits payments by percentages that add up to ${total}, not 100.`;
      return [{ ...common, kind: 'bad_split', severity: 'critical', accountIds: accountsOf(target), message }];
    }
    const comparesFees = target.strategy === 'lowest_cost' || target.strategy === 'expected_value';
    const unpriced = comparesFees ? target.accounts.filter((accountId) => withoutFees.has(accountId)) : [];
    if (unpriced.length === 0) return [];
    const labels = accounts.filter((account) => unpriced.includes(account.accountId)).map((account) => account.label);
    const what = target.strategy === 'lowest_cost' ? 'the lowest cost' : 'the highest expected value';
    const message = `Rule ${position + 1} prefers ${what}, but ${labels.join(', ')} has no fee schedule, so it comes last.`;
    return [{ ...common, kind: 'missing_fees', severity: 'warning', accountIds: unpriced, message }];
  });
}

function findUnlisted(ruleSet: RuleSet, accounts: readonly RoutableAccount[]): Finding[] {
  const listed = new Set(ruleSet.defaultOrder);
  for (const { then: target } of ruleSet.rules) for (const accountId of accountsOf(target)) listed.add(accountId);
  const unlisted = accounts.filter((account) => account.enabled && account.configured && !listed.has(account.accountId));
  return unlisted.map(({ accountId, label }) => {
    const message = `${label} is in no rule and not in the default order: it is tried only behind those that are listed and healthy.`;
    return {
      kind: 'unlisted_account',
      severity: 'info',
      ...against(ruleSet, []),
      accountIds: [accountId],
      example: null,
      message,
    };
  });
}

/**
 * The problem of a rule set whose conditions on keys combine in too many ways to be analysed exactly; empty where they can be. Ask before a rule
 * set is analysed or published.
 */
export function combinationProblems({ rules, keys }: RuleSet): { readonly field: string; readonly message: string }[] {
  const isKeyed = rules.some(({ enabled, when }) => enabled && comparesKeys(when));
  if (!isKeyed || isDivisible(rules, keysByName(keys))) return [];
  return [{ field: 'rules', message: 'must combine fewer conditions on keys: there are too many combinations to check' }];
}
