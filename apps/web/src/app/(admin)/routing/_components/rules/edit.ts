import type { Rule, RuleDocument } from './document.ts';

/** Replaces one rule. */
export function withRule(document: RuleDocument, rule: Rule): RuleDocument {
  return { ...document, rules: document.rules.map((each) => (each.ruleId === rule.ruleId ? rule : each)) };
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
