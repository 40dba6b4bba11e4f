import type { MetadataKey } from '@switchyard/routing';
import { isSameJson } from '@switchyard/routing/same-json';
import type { Rule, RuleDocument } from './document.ts';

/** Replaces one rule. */
export function withRule(document: RuleDocument, rule: Rule): RuleDocument {
  return { ...document, rules: document.rules.map((each) => (each.ruleId === rule.ruleId ? rule : each)) };
}

/** The document with declarations of the keys that its rules compare: the merchant's, or its own where the merchant has none. */
export function withDeclarations(document: RuleDocument, declared: readonly MetadataKey[]): RuleDocument {
  const names = new Set(document.rules.flatMap(({ when }) => when.metadata?.map(({ key }) => key) ?? []));
  const known = [...declared, ...(document.keys ?? []).filter(({ name }) => !declared.some((key) => key.name === name))];
  const keys = known.filter(({ name }) => names.has(name));
  const { keys: _, ...rest } = document;
  return keys.length === 0 ? rest : { keys, ...rest };
}

/** Inserts a rule at an index, from 0. */
export function insertRule(document: RuleDocument, rule: Rule, at: number): RuleDocument {
  return { ...document, rules: [...document.rules.slice(0, at), rule, ...document.rules.slice(at)] };
}

/** The document without one rule. */
export function withoutRule(document: RuleDocument, ruleId: string): RuleDocument {
  return { ...document, rules: document.rules.filter((rule) => rule.ruleId !== ruleId) };
}

/** Moves an entry of a list from one index to another. */
export function moveInList<Entry>(list: readonly Entry[], from: number, to: number): Entry[] {
  const rest = list.filter((_, at) => at !== from);
  const moved = list[from];
  return moved === undefined ? rest : [...rest.slice(0, to), moved, ...rest.slice(to)];
}

/** The initial content of a rule that is created from a cell of the map. */
export interface NewRuleValues {
  readonly ruleId: string;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly from: number;
  readonly to: number | null;
  readonly countries: readonly string[] | null;
  readonly accounts: readonly string[];
}

/** A rule with the `priority` strategy, enabled. */
export function newRule({ ruleId, currency, methods, from, to, countries, accounts }: NewRuleValues, name: string): Rule {
  const when = { currency, methods, amount: { from, to }, countries };
  return { ruleId, name, enabled: true, when, then: { strategy: 'priority', accounts } };
}

/** The differences of two conflicting documents. */
interface Comparison {
  readonly onlyMine: readonly Rule[];
  readonly onlyTheirs: readonly Rule[];
  readonly changed: readonly { readonly mine: Rule; readonly theirs: Rule }[];
  /** Rules in both sets have another order. */
  readonly order: boolean;
  readonly defaultOrder: boolean;
}

/** Compares by the rules' ids. */
export function compareDocuments(mine: RuleDocument, theirs: RuleDocument): Comparison {
  const other = new Map(theirs.rules.map((rule) => [rule.ruleId, rule]));
  const own = new Set(mine.rules.map(({ ruleId }) => ruleId));
  const shared = mine.rules.filter(({ ruleId }) => other.has(ruleId));
  const changed = shared.flatMap((rule) => {
    const their = other.get(rule.ruleId);
    return their !== undefined && !isSameRule(rule, their) ? [{ mine: rule, theirs: their }] : [];
  });
  const theirOrder = theirs.rules.filter(({ ruleId }) => own.has(ruleId)).map(({ ruleId }) => ruleId);
  return {
    onlyMine: mine.rules.filter(({ ruleId }) => !other.has(ruleId)),
    onlyTheirs: theirs.rules.filter(({ ruleId }) => !own.has(ruleId)),
    changed,
    order: shared.some(({ ruleId }, at) => ruleId !== theirOrder[at]),
    defaultOrder: !isSameJson(mine.defaultOrder, theirs.defaultOrder),
  };
}

/** True if two documents have the same content. */
export function isSameDocument(one: RuleDocument, other: RuleDocument): boolean {
  const { onlyMine, onlyTheirs, changed, order, defaultOrder } = compareDocuments(one, other);
  const isSame = [onlyMine, onlyTheirs, changed].every((list) => list.length === 0) && !order && !defaultOrder;
  const { keys = [], expectations = [] } = one;
  return isSame && isSameJson(expectations, other.expectations ?? []) && isSameJson(keys, other.keys ?? []);
}

/** Equality independent of the order of fields, which the database does not preserve. */
export function isSameRule(one: Rule, other: Rule): boolean {
  return isSameJson(one, other);
}
