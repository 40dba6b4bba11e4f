import { type BandTable, cutBands, type PlacedBand, upperBound } from '../amount-band.ts';
import { MAX_AMOUNT } from '../money.ts';
import type { PaymentMethod, RoutableAccount, RoutablePayment, Rule, RuleSet } from '../types.ts';

/** A payment that demonstrates a finding, with the fields that conditions read. */
export type ExamplePayment = Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry'> & {
  readonly method: PaymentMethod;
};

/**
 * One piece of the space of payments that no rule divides further: a currency, a method, a class of countries and a span
 * of amounts, all decided by the same rule. Together the spans cover every possible payment exactly once.
 */
export interface CoverageSpan {
  readonly plane: CoveragePlane;
  readonly from: number;
  /** Inclusive; the largest amount there is, where open-ended. */
  readonly to: number;
  /** Position of the rule that decides, or -1. */
  readonly winner: number;
}

/** A currency, a method, and customers' countries that all rules treat alike. */
export interface CoveragePlane {
  readonly currency: string;
  readonly method: PaymentMethod;
  /** Countries of the class; empty for all that no rule names, and for customers of unknown country. */
  readonly countries: readonly string[];
  /** The enabled rules that can match here, first to last. */
  readonly bands: readonly PlacedBand[];
  readonly spans: readonly CoverageSpan[];
}

/** Lays the space of payments out: every currency and method that a rule names or an account takes. */
export function computeCoverage(ruleSet: RuleSet, accounts: readonly RoutableAccount[]): readonly CoveragePlane[] {
  const rules = groupRules(ruleSet);
  for (const { enabled, configured, currencies, methods } of accounts) {
    if (!enabled || !configured) continue;
    for (const currency of currencies) for (const method of methods) findOrAddGroup(rules, currency, method);
  }
  return Array.from(rules.values()).flatMap(planesOf);
}

/** The same currency, method and class of countries under two rule sets. */
export interface PlanePair {
  readonly left: CoveragePlane;
  readonly right: CoveragePlane;
}

/** Lays the space of payments out for two rule sets at once: every currency and method that a rule of either names. */
export function computeCoveragePairs(left: RuleSet, right: RuleSet): readonly PlanePair[] {
  const leftGroups = groupRules(left);
  const rightGroups = groupRules(right);
  return Array.from(new Set([...leftGroups.keys(), ...rightGroups.keys()])).flatMap((key) => {
    const known = leftGroups.get(key) ?? rightGroups.get(key);
    if (known === undefined) return [];
    const of = (groups: ReadonlyMap<string, RuleGroup>): RuleGroup => groups.get(key) ?? { ...known, rules: [] };
    const leftGroup = of(leftGroups);
    const rightGroup = of(rightGroups);
    const classes = countryClasses([...leftGroup.rules, ...rightGroup.rules]);
    return classes.map((countries) => ({ left: planeOf(leftGroup, countries), right: planeOf(rightGroup, countries) }));
  });
}

/** The payment at the low end of a span, or at `amount` in it. */
export function exampleIn({ plane }: Pick<CoverageSpan, 'plane'>, amount: number): ExamplePayment {
  return { currency: plane.currency, amount, method: plane.method, customerCountry: plane.countries[0] ?? null };
}

/** Positions of spans that a band touches, in order. */
export function* spansIn(plane: CoveragePlane, band: PlacedBand['band']): Generator<CoverageSpan> {
  let low = 0;
  let high = plane.spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((plane.spans[middle]?.to ?? 0) < band.from) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < plane.spans.length; at += 1) {
    const span = plane.spans[at];
    if (!span || span.from > upperBound(band)) return;
    yield span;
  }
}

interface RuleGroup {
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly rules: { readonly rule: Rule; readonly position: number }[];
}

function groupRules(ruleSet: RuleSet): Map<string, RuleGroup> {
  const groups = new Map<string, RuleGroup>();
  for (const [position, rule] of ruleSet.rules.entries()) {
    if (!rule.enabled) continue;
    for (const method of rule.when.methods) findOrAddGroup(groups, rule.when.currency, method).rules.push({ rule, position });
  }
  return groups;
}

function findOrAddGroup(groups: Map<string, RuleGroup>, currency: string, method: PaymentMethod): RuleGroup {
  const key = `${currency}|${method}`;
  const group = groups.get(key) ?? { currency, method, rules: [] };
  groups.set(key, group);
  return group;
}

function planesOf(group: RuleGroup): CoveragePlane[] {
  return countryClasses(group.rules).map((countries) => planeOf(group, countries));
}

/** One class of countries of a group; each of them meets the same rules. */
function planeOf(group: RuleGroup, countries: readonly string[]): CoveragePlane {
  const matches = group.rules.filter(({ rule }) => !rule.when.countries || rule.when.countries.includes(countries[0] ?? ''));
  const bands = matches.map(({ rule, position }) => ({ position, band: rule.when.amount }));
  const spans: CoverageSpan[] = [];
  const plane: CoveragePlane = { currency: group.currency, method: group.method, countries, bands, spans };
  pushSpans(spans, plane, cutBands(bands));
  return plane;
}

/** Countries named by the same rules form one class; the first class is all other countries. */
function countryClasses(rules: RuleGroup['rules']): readonly (readonly string[])[] {
  const named = new Map<string, number[]>();
  for (const [index, { rule }] of rules.entries()) {
    for (const country of rule.when.countries ?? []) {
      const indices = named.get(country) ?? [];
      indices.push(index);
      named.set(country, indices);
    }
  }
  const classes = new Map<string, string[]>();
  for (const [country, indices] of named) {
    const key = indices.join();
    classes.set(key, [...(classes.get(key) ?? []), country]);
  }
  return [[], ...classes.values()];
}

/** Amounts run from 1 to the maximum; bands of the table beyond it match no payment. */
function pushSpans(spans: CoverageSpan[], plane: CoveragePlane, { starts, winners }: BandTable): void {
  for (const [index, start] of starts.entries()) {
    const from = Math.max(start, 1);
    const to = Math.min((starts[index + 1] ?? Number.POSITIVE_INFINITY) - 1, MAX_AMOUNT);
    if (from <= to) spans.push({ plane, from, to, winner: winners[index] ?? -1 });
  }
}
