import { type CompiledRule, type CompiledRuleSet, compileRuleSet, findRule } from '../decide/compile.ts';
import { isInCell } from '../keys/key-cells.ts';
import { minuteOfWeek } from '../keys/week-time.ts';
import type { RoutablePayment, Rule, RuleSet } from '../types.ts';
import { computeCoveragePairs, type ExamplePayment, exampleIn, type PlanePair } from './coverage.ts';
import type { Finding, FindingKind, Gap } from './finding.ts';

/** A rule by its id, its name, and its place from 0 in its rule set. */
export interface RuleReference {
  readonly ruleId: string;
  readonly name: string;
  readonly position: number;
}

/** Payments that one rule decides under what is active and another under a draft. */
export interface Takeover {
  /** The active rule that decides them now; null for the default order. */
  readonly from: RuleReference | null;
  /** The rule of the draft that would decide them; null for the default order. */
  readonly to: RuleReference | null;
  /** One such payment. */
  readonly example: ExamplePayment;
  /** How many of the payments counted are such. */
  readonly payments: number;
}

/** Payments that two rules of one rule set match: the earlier decides them. */
export interface Overlap {
  readonly winner: RuleReference;
  /** The later rule that matches them too. */
  readonly loser: RuleReference;
  /** How many of the payments counted both match. */
  readonly payments: number;
}

/** Payments that a rule decides; `ruleId` null for the default order. */
export interface DecidedCount {
  readonly ruleId: string | null;
  readonly payments: number;
}

/** Payments alike for every rule, counted. */
export interface PaymentCount extends Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry' | 'keys'> {
  readonly payments: number;
}

/**
 * Where a draft overlaps what is in force: every pair of different rules of which one decides a payment now and the other would, with
 * such a payment and how many of `traffic` are such. Exact: the space of payments is laid out for both rule sets at once, so that a
 * pair is named if and only if a payment shows it, whether or not there was one. Rules are the same when their ids are. Most
 * payments first.
 */
export function findTakeovers(live: RuleSet, draft: RuleSet, traffic: readonly PaymentCount[]): Takeover[] {
  const examples = new Map<string, { readonly from: number; readonly to: number; readonly example: ExamplePayment }>();
  for (const pair of computeCoveragePairs(live, draft)) {
    for (const { from, to, amount } of sharedSpans(pair)) {
      if (isSameRule(live, from, draft, to) || examples.has(pairKey(from, to))) continue;
      examples.set(pairKey(from, to), { from, to, example: exampleIn({ plane: pair.left }, amount) });
    }
  }
  const counts = countPairs(compileRuleSet(live), compileRuleSet(draft), traffic);
  return Array.from(examples, ([key, { from, to, example }]) => ({
    from: referTo(live, from),
    to: referTo(draft, to),
    example,
    payments: counts.get(key) ?? 0,
  })).sort((left, right) => right.payments - left.payments);
}

/** How many of `traffic` each rule of a rule set decides; rules that decide none are left out. */
export function countDecided(ruleSet: RuleSet, traffic: readonly PaymentCount[]): DecidedCount[] {
  const compiled = compileRuleSet(ruleSet);
  const counts = new Map<string | null, number>();
  for (const payment of traffic) {
    const ruleId = findRule(compiled, payment)?.ruleId ?? null;
    counts.set(ruleId, (counts.get(ruleId) ?? 0) + payment.payments);
  }
  return Array.from(counts, ([ruleId, payments]) => ({ ruleId, payments })).sort((left, right) => right.payments - left.payments);
}

/** Pairs of rules held against every payment counted; more would take long for a set of thousands of rules that all overlap. */
const OVERLAPS_MAX = 500;

/** The overlaps that {@link analyse} finds, with how many of `traffic` are concerned; only those with at least one, most first. */
export function countOverlaps(
  ruleSet: RuleSet,
  findings: readonly Pick<Finding, 'kind' | 'positions'>[],
  traffic: readonly PaymentCount[],
): Overlap[] {
  const pairs = findings
    .filter(({ kind }) => RIVALRIES.has(kind))
    .flatMap(pairsOf)
    .slice(0, OVERLAPS_MAX);
  const byWinner = Map.groupBy(
    pairs.map((pair) => ({ ...pair, payments: 0 })),
    ({ winner }) => winner,
  );
  const compiled = compileRuleSet(ruleSet);
  const positions = new Map(compiled.rules.map((rule, position) => [rule, position]));
  for (const payment of traffic) {
    const rule = findRule(compiled, payment);
    for (const pair of byWinner.get(rule === null ? -1 : (positions.get(rule) ?? -1)) ?? []) {
      const later = ruleSet.rules[pair.loser];
      const matches = compiled.rules[pair.loser]?.matchesKeys ?? null;
      if (later !== undefined && isMatch(later, payment) && matchesKeys(matches, payment)) pair.payments += payment.payments;
    }
  }
  return Array.from(byWinner.values())
    .flat()
    .flatMap(({ winner, loser, payments }) => {
      const [first, second] = [referTo(ruleSet, winner), referTo(ruleSet, loser)];
      return payments === 0 || first === null || second === null ? [] : [{ winner: first, loser: second, payments }];
    })
    .sort((left, right) => right.payments - left.payments);
}

const RIVALRIES: ReadonlySet<FindingKind> = new Set<FindingKind>(['overlap', 'duplicate', 'shadowed', 'unreachable']);

/** The rule found against comes last. */
function pairsOf({ positions }: Pick<Finding, 'positions'>): { readonly winner: number; readonly loser: number }[] {
  const loser = positions.at(-1);
  return loser === undefined ? [] : positions.slice(0, -1).map((winner) => ({ winner, loser }));
}

function matchesKeys(matches: CompiledRule['matchesKeys'], { keys = {} }: PaymentCount): boolean {
  return matches === null || matches(keys, minuteOfWeek(keys.time));
}

/** True if a rule's conditions but those on keys hold: as `matchesRule`, without its sentences, as this runs once per payment and pair. */
function isMatch({ enabled, when }: Rule, { currency, amount, method, customerCountry }: PaymentCount): boolean {
  return (
    enabled &&
    when.currency === currency &&
    method !== null &&
    when.methods.includes(method) &&
    when.amount.from <= amount &&
    amount <= (when.amount.to ?? Number.POSITIVE_INFINITY) &&
    (!when.countries || (customerCountry !== null && when.countries.includes(customerCountry)))
  );
}

/** The amounts of a plane in pieces that one rule decides on either side; -1 where none does. */
function* sharedSpans({ left, right }: PlanePair) {
  let atLeft = 0;
  let atRight = 0;
  for (;;) {
    const onLeft = left.spans[atLeft];
    const onRight = right.spans[atRight];
    if (!onLeft || !onRight) return;
    yield { from: onLeft.winner, to: onRight.winner, amount: Math.max(onLeft.from, onRight.from) };
    if (onLeft.to <= onRight.to) atLeft += 1;
    if (onRight.to <= onLeft.to) atRight += 1;
  }
}

function countPairs(live: CompiledRuleSet, draft: CompiledRuleSet, traffic: readonly PaymentCount[]): Map<string, number> {
  const positionIn = ({ rules }: CompiledRuleSet) => new Map(rules.map((rule, position) => [rule, position]));
  const livePositions = positionIn(live);
  const draftPositions = positionIn(draft);
  const counts = new Map<string, number>();
  for (const payment of traffic) {
    const before = findRule(live, payment);
    const after = findRule(draft, payment);
    const from = before === null ? -1 : (livePositions.get(before) ?? -1);
    const to = after === null ? -1 : (draftPositions.get(after) ?? -1);
    const key = pairKey(from, to);
    counts.set(key, (counts.get(key) ?? 0) + payment.payments);
  }
  return counts;
}

function isSameRule(live: RuleSet, from: number, draft: RuleSet, to: number): boolean {
  return live.rules[from]?.ruleId === draft.rules[to]?.ruleId;
}

function pairKey(from: number, to: number): string {
  return `${from}>${to}`;
}

function referTo({ rules }: RuleSet, position: number): RuleReference | null {
  const rule = rules[position];
  return rule === undefined ? null : { ruleId: rule.ruleId, name: rule.name, position };
}

/**
 * Findings about payments of which `traffic` has none: gaps, limits of accounts that no payment is beyond, and payments that one account
 * alone can take where the rule decided none, or none of the currency and method was without a rule. Findings about rules and accounts
 * as such are never among them.
 */
export function findUnmet(ruleSet: RuleSet, findings: readonly Finding[], traffic: readonly PaymentCount[]): Finding[] {
  const compiled = compileRuleSet(ruleSet);
  const undecided = traffic.filter((payment) => findRule(compiled, payment) === null);
  const named = countriesNamed(ruleSet);
  const isNamed = ({ currency, method, customerCountry }: PaymentCount) => named.has(`${currency}|${method}|${customerCountry}`);
  const deciding = new Set(traffic.map((payment) => findRule(compiled, payment)?.ruleId));
  return findings.filter(({ kind, gap, limit, ruleIds, example }) => {
    if (kind === 'no_second_choice') {
      if (ruleIds.length > 0) return !ruleIds.some((ruleId) => deciding.has(ruleId));
      return !undecided.some(({ currency, method }) => currency === example?.currency && method === example.method);
    }
    if (kind === 'gap') return gap !== null && !undecided.some((payment) => isIn(gap, payment, isNamed(payment)));
    if (kind !== 'account_limit' || limit === null) return false;
    const { bound, amount } = limit;
    return !traffic.some((payment) => (bound === 'min' ? payment.amount < amount : payment.amount > amount));
  });
}

/** Every currency, method and country that an enabled rule names together. */
function countriesNamed({ rules }: RuleSet): Set<string> {
  const named = rules.flatMap(({ enabled, when: { currency, methods, countries } }) =>
    enabled ? methods.flatMap((method) => (countries ?? []).map((country) => `${currency}|${method}|${country}`)) : [],
  );
  return new Set(named);
}

/** True if a payment that no rule matches is in a gap; `isNamed` says that a rule of its currency and method names its country. */
function isIn({ currency, method, from, to, countries, others, keys }: Gap, payment: PaymentCount, isNamed: boolean): boolean {
  const { customerCountry: country, keys: values = {} } = payment;
  return (
    payment.currency === currency &&
    payment.method === method &&
    from <= payment.amount &&
    payment.amount <= (to ?? Number.POSITIVE_INFINITY) &&
    (isNamed ? country !== null && countries.includes(country) : others) &&
    (keys === null || keys.some((cells) => cells.every((cell) => isInCell(cell, values))))
  );
}
