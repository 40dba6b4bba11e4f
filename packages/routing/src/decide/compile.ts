import {
  type BandTable,
  type BandTree,
  bandKey,
  buildBandTree,
  cutBands,
  describeBand,
  firstInTree,
  type PlacedBand,
  winnerAt,
} from '../amount-band.ts';
import { describeKeyConditions } from '../keys/key-text.ts';
import { compileKeyConditions, type KeyMatcher, type KeysByName, keysByName } from '../keys/match-keys.ts';
import { comparesKeys, keyValue, namedValue, type UsedKeys, usedKeys } from '../keys/payment-keys.ts';
import { minuteOfWeek } from '../keys/week-time.ts';
import type { MetadataValue, PaymentKeys, PaymentMethod, RoutablePayment, Rule, RuleSet, RuleTarget } from '../types.ts';

/**
 * A compiled rule set. Finding the rule of a payment takes two map look-ups and one binary search, or
 * two where rules name the customer's country: its cost grows with the logarithm of the number of rules and allocates nothing. Rules that
 * compare keys are found by the value of a key that they name, in a tree of amounts.
 */
export interface CompiledRuleSet {
  readonly ruleSet: RuleSet;
  /** By position in the rule set. */
  readonly rules: readonly CompiledRule[];
  readonly byCurrency: ReadonlyMap<string, ReadonlyMap<PaymentMethod, MethodIndex>>;
  /** The keys that its enabled rules compare; null for none. */
  readonly keys: UsedKeys | null;
}

/** The parts of a rule that a decision needs, laid out so that a decision under any of many rules touches little memory. */
export interface CompiledRule {
  readonly ruleId: string;
  readonly name: string;
  /** Equal targets of one rule set are one object. */
  readonly target: CompiledTarget;
  /** `0-5000` */
  readonly bandKey: string;
  /** `rule "Small cards" (NGN 0 to NGN 5,000)`, with what it says of keys: `(NGN 0 and more, Tier is gold)` */
  readonly text: string;
  /** Its conditions on keys; null where it has none. */
  readonly matchesKeys: KeyMatcher | null;
  /** Conditions left to compare of a rule that was found among those on keys; null for none. */
  readonly remaining: { readonly matches: KeyMatcher | null; readonly countries: readonly string[] | null } | null;
}

/** A rule's target with its accounts collected. */
export interface CompiledTarget {
  readonly target: RuleTarget;
  /** The account ids it names, in the order written. */
  readonly accounts: readonly string[];
}

interface MethodIndex {
  /** Rules without a country condition. */
  readonly anyCountry: BandTable;
  /** Rules that name a country, under each country they name. */
  readonly byCountry: ReadonlyMap<string, BandTable>;
  /** Rules that compare keys; null for none. */
  readonly keyed: KeyedIndex | null;
}

/** Rules that compare keys: those that name values of a metadata key under each of them, the others in `rest`. */
interface KeyedIndex {
  readonly rest: BandTree | null;
  readonly byKey: readonly { readonly name: string; readonly byValue: ReadonlyMap<MetadataValue, BandTree> }[];
}

/** Compiles a parsed rule set. Disabled rules are dropped. Takes n log n of rules × methods × countries. */
export function compileRuleSet(ruleSet: RuleSet): CompiledRuleSet {
  const drafts = new Map<string, Map<PaymentMethod, MethodDraft>>();
  const declared = keysByName(ruleSet.keys);
  for (const [position, rule] of ruleSet.rules.entries()) {
    if (!rule.enabled) continue;
    const placed = { position, band: rule.when.amount };
    const methods = getOrAdd(drafts, rule.when.currency, () => new Map<PaymentMethod, MethodDraft>());
    for (const method of rule.when.methods) {
      const draft = getOrAdd(methods, method, () => ({ anyCountry: [], byCountry: new Map(), rest: [], byKey: new Map() }));
      if (comparesKeys(rule.when)) {
        addKeyed(draft, rule, placed, declared);
        continue;
      }
      if (!rule.when.countries) draft.anyCountry.push(placed);
      for (const country of rule.when.countries ?? []) getOrAdd(draft.byCountry, country, () => []).push(placed);
    }
  }
  const rules = compileRules(ruleSet.rules, declared);
  return { ruleSet, rules, byCurrency: mapValues(drafts, (methods) => mapValues(methods, cutDraft)), keys: usedKeys(ruleSet) };
}

/** The condition by whose values a rule is filed: the first that names values of a key and does not hold without one. */
function filingCondition({ metadata = [] }: Rule['when']) {
  for (const condition of metadata) if (condition.is === 'one_of' && !condition.orAbsent) return condition;
  return null;
}

/** Files a rule under the values of the first key whose value it names, else with the rest. */
function addKeyed(draft: MethodDraft, { when }: Rule, placed: PlacedBand, declared: KeysByName): void {
  const naming = filingCondition(when);
  if (naming === null) {
    draft.rest.push(placed);
    return;
  }
  const byValue = getOrAdd(draft.byKey, naming.key, () => new Map<MetadataValue, PlacedBand[]>());
  const values = new Set(naming.values.map((value) => namedValue(declared.get(naming.key), value)));
  for (const value of values) getOrAdd(byValue, value, () => []).push(placed);
}

/**
 * The first enabled rule that matches, or null. Without a method nothing matches. A rule that names countries matches only
 * payments whose customer's country is known and among them.
 */
export function findRule(
  compiled: CompiledRuleSet,
  payment: Pick<RoutablePayment, 'currency' | 'method' | 'amount' | 'customerCountry' | 'keys'>,
): CompiledRule | null {
  if (payment.method === null) return null;
  const index = compiled.byCurrency.get(payment.currency)?.get(payment.method);
  if (!index) return null;
  let position = winnerAt(index.anyCountry, payment.amount);
  const local = payment.customerCountry === null ? undefined : index.byCountry.get(payment.customerCountry);
  if (local) {
    const localPosition = winnerAt(local, payment.amount);
    if (localPosition >= 0 && (position < 0 || localPosition < position)) position = localPosition;
  }
  if (index.keyed !== null) position = findKeyedRule(compiled.rules, index.keyed, payment, position);
  return position < 0 ? null : (compiled.rules[position] ?? null);
}

const NO_KEYS: PaymentKeys = {};

/** Position of the first rule that compares keys and matches before `known`; else `known`, which is -1 for none. */
function findKeyedRule(
  rules: readonly CompiledRule[],
  { rest, byKey }: KeyedIndex,
  { amount, customerCountry, keys = NO_KEYS }: Pick<RoutablePayment, 'amount' | 'customerCountry' | 'keys'>,
  known: number,
): number {
  const minute = minuteOfWeek(keys.time);
  const holds = (position: number) => {
    const remaining = rules[position]?.remaining;
    if (remaining === undefined || remaining === null) return true;
    const { countries, matches } = remaining;
    if (countries !== null && (customerCountry === null || !countries.includes(customerCountry))) return false;
    return matches === null || matches(keys, minute);
  };
  const none = rules.length;
  let first = known < 0 ? none : known;
  if (rest !== null) first = firstInTree(rest, amount, first, holds);
  for (const { name, byValue } of byKey) {
    const value = keyValue(keys, name);
    const tree = value === undefined ? undefined : byValue.get(value);
    if (tree !== undefined) first = firstInTree(tree, amount, first, holds);
  }
  return first === none ? -1 : first;
}

function compileRules(rules: readonly Rule[], declared: KeysByName): CompiledRule[] {
  const targets = new Map<string, CompiledTarget>();
  return rules.map(({ ruleId, name, when, then: target }) => {
    const compiled = getOrAdd(targets, JSON.stringify(target), () => ({ target, accounts: accountsOf(target) }));
    const matches = compileKeyConditions(when, declared);
    const also =
      matches === null
        ? ''
        : describeKeyConditions(when, declared)
            .map((clause) => `, ${clause}`)
            .join('');
    const text = `rule "${name}" (${describeBand(when.currency, when.amount)}${also})`;
    const remaining = matches === null ? null : remainingOf(when, declared);
    return { ruleId, name, target: compiled, bandKey: bandKey(when.amount), text, matchesKeys: matches, remaining };
  });
}

function remainingOf(when: Rule['when'], declared: KeysByName): CompiledRule['remaining'] {
  const filed = filingCondition(when);
  const metadata = when.metadata?.filter((condition) => condition !== filed) ?? [];
  const matches = compileKeyConditions({ ...when, metadata }, declared);
  const countries = when.countries ?? null;
  return matches === null && countries === null ? null : { matches, countries };
}

/** The account ids a target names, in the order written. */
export function accountsOf(target: RuleTarget): readonly string[] {
  return target.strategy === 'weighted' ? target.split.map((share) => share.account) : target.accounts;
}

interface MethodDraft {
  readonly anyCountry: PlacedBand[];
  readonly byCountry: Map<string, PlacedBand[]>;
  readonly rest: PlacedBand[];
  readonly byKey: Map<string, Map<MetadataValue, PlacedBand[]>>;
}

function cutDraft({ anyCountry, byCountry, rest, byKey }: MethodDraft): MethodIndex {
  const keyed: KeyedIndex = {
    rest: rest.length === 0 ? null : buildBandTree(rest),
    byKey: Array.from(byKey, ([name, byValue]) => ({ name, byValue: mapValues(byValue, buildBandTree) })),
  };
  return {
    anyCountry: cutBands(anyCountry),
    byCountry: mapValues(byCountry, cutBands),
    keyed: rest.length === 0 && byKey.size === 0 ? null : keyed,
  };
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function mapValues<K, V, W>(map: ReadonlyMap<K, V>, change: (value: V) => W): Map<K, W> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value)]));
}
