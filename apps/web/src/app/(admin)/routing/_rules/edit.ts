import type { Rule, RuleDocument } from './document.ts';

/** Replaces one rule. */
export function withRule(document: RuleDocument, rule: Rule): RuleDocument {
  return { ...document, rules: document.rules.map((each) => (each.ruleId === rule.ruleId ? rule : each)) };
}

/** Puts a rule in at a place, from 0; those there and after move down. */
export function insertRule(document: RuleDocument, rule: Rule, at: number): RuleDocument {
  return { ...document, rules: [...document.rules.slice(0, at), rule, ...document.rules.slice(at)] };
}

export function withoutRule(document: RuleDocument, ruleId: string): RuleDocument {
  return { ...document, rules: document.rules.filter((rule) => rule.ruleId !== ruleId) };
}

/** Takes an entry from one place of a list and puts it at another. */
export function moveInList<Entry>(list: readonly Entry[], from: number, to: number): Entry[] {
  const rest = list.filter((_, at) => at !== from);
  const moved = list[from];
  return moved === undefined ? rest : [...rest.slice(0, to), moved, ...rest.slice(to)];
}

/** The initial content of a rule that is created from a cell of the map. */
export interface RuleWish {
  readonly ruleId: string;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly from: number;
  readonly to: number | null;
  readonly countries: readonly string[] | null;
  readonly accounts: readonly string[];
}

export function newRule({ ruleId, currency, methods, from, to, countries, accounts }: RuleWish, name: string): Rule {
  const when = { currency, methods, amount: { from, to }, countries };
  return { ruleId, name, enabled: true, when, then: { strategy: 'priority', accounts } };
}
