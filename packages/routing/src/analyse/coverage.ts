import { type BandTable, cutBands, type PlacedBand, upperBound } from '../amount-band.ts';
import { type Division, divide, type PlacedRule } from '../keys/divide.ts';
import { exampleKeys, type KeyCell } from '../keys/key-cells.ts';
import { type KeysByName, keysByName } from '../keys/match-keys.ts';
import { MAX_AMOUNT } from '../money.ts';
import type { PaymentMethod, RoutableAccount, RoutablePayment, RuleSet } from '../types.ts';

/** A payment that demonstrates a finding, with the fields that conditions read. */
export type ExamplePayment = Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry' | 'keys'> & {
  readonly method: PaymentMethod;
};

/**
 * One piece of the space of payments that no rule divides further: a currency, a method, a class of countries, cells of the keys that
 * rules compare, and a span of amounts, all decided by the same rule. Together the spans cover every possible payment exactly once.
 */
export interface CoverageSpan {
  readonly plane: CoveragePlane;
  readonly from: number;
  /** Inclusive; the largest amount there is, where open-ended. */
  readonly to: number;
  /** Position of the rule that decides, or -1. */
  readonly winner: number;
}

/** A currency, a method, and customers' countries and values of keys that all rules treat alike. */
export interface CoveragePlane {
  readonly currency: string;
  readonly method: PaymentMethod;
  /** Countries of the class; empty for all that no rule names, and for customers of unknown country. */
  readonly countries: readonly string[];
  /** One cell of each key that a rule compares here. */
  readonly cells: readonly KeyCell[];
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
  const declared = keysByName(ruleSet.keys);
  return Array.from(rules.values()).flatMap((group) =>
    divided(group.rules, declared).map((division) => planeOf(group, division)),
  );
}

/** Rule sets whose payments cannot be divided in reasonable time were refused before, by `combinationProblems`. */
function divided<Placed extends PlacedRule>(rules: readonly Placed[], declared: KeysByName): readonly Division<Placed>[] {
  return divide(rules, declared, { left: Number.POSITIVE_INFINITY }) ?? [];
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
  // Both name the merchant's keys: where a declaration changed meanwhile, examples are of the later one.
  const declared = keysByName([...(left.keys ?? []), ...(right.keys ?? [])]);
  return Array.from(new Set([...leftGroups.keys(), ...rightGroups.keys()])).flatMap((key) => {
    const known = leftGroups.get(key) ?? rightGroups.get(key);
    if (known === undefined) return [];
    const of = (groups: ReadonlyMap<string, RuleGroup>): RuleGroup => groups.get(key) ?? { ...known, rules: [] };
    const leftGroup = of(leftGroups);
    const rightGroup = of(rightGroups);
    const both: SidedRule[] = [
      ...leftGroup.rules.map((placed) => ({ ...placed, isLeft: true })),
      ...rightGroup.rules.map((placed) => ({ ...placed, isLeft: false })),
    ];
    return divided(both, declared).map(({ rules, ...division }) => ({
      left: planeOf(leftGroup, { ...division, rules: rules.filter(({ isLeft }) => isLeft) }),
      right: planeOf(rightGroup, { ...division, rules: rules.filter(({ isLeft }) => !isLeft) }),
    }));
  });
}

interface SidedRule extends PlacedRule {
  readonly isLeft: boolean;
}

/** The payment at the low end of a span, or at `amount` in it. */
export function exampleIn({ plane }: Pick<CoverageSpan, 'plane'>, amount: number): ExamplePayment {
  const { currency, method, countries, cells } = plane;
  const example = { currency, amount, method, customerCountry: countries[0] ?? null };
  return cells.length === 0 ? example : { ...example, keys: exampleKeys(cells) };
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
  readonly rules: PlacedRule[];
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

/** One division of a group's payments, laid out by amount. */
function planeOf({ currency, method }: RuleGroup, { countries, cells, rules }: Division<PlacedRule>): CoveragePlane {
  const bands = rules.map(({ rule, position }) => ({ position, band: rule.when.amount }));
  const spans: CoverageSpan[] = [];
  const plane: CoveragePlane = { currency, method, countries, cells, bands, spans };
  pushSpans(spans, plane, cutBands(bands));
  return plane;
}

/** Amounts run from 1 to the maximum; bands of the table beyond it match no payment. */
function pushSpans(spans: CoverageSpan[], plane: CoveragePlane, { starts, winners }: BandTable): void {
  for (const [index, start] of starts.entries()) {
    const from = Math.max(start, 1);
    const to = Math.min((starts[index + 1] ?? Number.POSITIVE_INFINITY) - 1, MAX_AMOUNT);
    if (from <= to) spans.push({ plane, from, to, winner: winners[index] ?? -1 });
  }
}
