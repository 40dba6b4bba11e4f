import { type BandTable, bandKey, cutBands, describeBand, type PlacedBand, winnerAt } from '../amount-band.ts';
import type { PaymentMethod, Rule, RuleSet, RuleTarget } from '../types.ts';

/**
 * A compiled rule set. Finding the rule of a payment takes two map look-ups and one binary search, or
 * two where rules name the customer's country: its cost grows with the logarithm of the number of rules and allocates nothing.
 */
export interface CompiledRuleSet {
  readonly ruleSet: RuleSet;
  /** By position in the rule set. */
  readonly rules: readonly CompiledRule[];
  readonly byCurrency: ReadonlyMap<string, ReadonlyMap<PaymentMethod, MethodIndex>>;
}

/** The parts of a rule that a decision needs, laid out so that a decision under any of many rules touches little memory. */
export interface CompiledRule {
  readonly ruleId: string;
  readonly name: string;
  /** Equal targets of one rule set are one object. */
  readonly target: CompiledTarget;
  /** `0-5000` */
  readonly bandKey: string;
  /** `rule "Small cards" (NGN 0 to NGN 5,000)` */
  readonly text: string;
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
}

/** Compiles a parsed rule set. Disabled rules are dropped. Takes n log n of rules × methods × countries. */
export function compileRuleSet(ruleSet: RuleSet): CompiledRuleSet {
  const drafts = new Map<string, Map<PaymentMethod, MethodDraft>>();
  for (const [position, rule] of ruleSet.rules.entries()) {
    if (!rule.enabled) continue;
    const placed = { position, band: rule.when.amount };
    const methods = getOrAdd(drafts, rule.when.currency, () => new Map<PaymentMethod, MethodDraft>());
    for (const method of rule.when.methods) {
      const draft = getOrAdd(methods, method, () => ({ anyCountry: [], byCountry: new Map() }));
      if (!rule.when.countries) draft.anyCountry.push(placed);
      for (const country of rule.when.countries ?? []) getOrAdd(draft.byCountry, country, () => []).push(placed);
    }
  }
  const rules = compileRules(ruleSet.rules);
  return { ruleSet, rules, byCurrency: mapValues(drafts, (methods) => mapValues(methods, cutDraft)) };
}

/**
 * The first enabled rule that matches, or null. Without a method nothing matches. A rule that names countries matches only
 * payments whose customer's country is known and among them.
 */
export function findRule(
  compiled: CompiledRuleSet,
  payment: {
    readonly currency: string;
    readonly method: PaymentMethod | null;
    readonly amount: number;
    readonly customerCountry: string | null;
  },
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
  return position < 0 ? null : (compiled.rules[position] ?? null);
}

function compileRules(rules: readonly Rule[]): CompiledRule[] {
  const targets = new Map<string, CompiledTarget>();
  return rules.map(({ ruleId, name, when, then: target }) => {
    const compiled = getOrAdd(targets, JSON.stringify(target), () => ({ target, accounts: accountsOf(target) }));
    const text = `rule "${name}" (${describeBand(when.currency, when.amount)})`;
    return { ruleId, name, target: compiled, bandKey: bandKey(when.amount), text };
  });
}

/** The account ids a target names, in the order written. */
export function accountsOf(target: RuleTarget): readonly string[] {
  return target.strategy === 'weighted' ? target.split.map((share) => share.account) : target.accounts;
}

interface MethodDraft {
  readonly anyCountry: PlacedBand[];
  readonly byCountry: Map<string, PlacedBand[]>;
}

function cutDraft(draft: MethodDraft): MethodIndex {
  return { anyCountry: cutBands(draft.anyCountry), byCountry: mapValues(draft.byCountry, cutBands) };
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
