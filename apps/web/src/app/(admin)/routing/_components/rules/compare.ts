import { isSameJson } from '@switchyard/routing/same-json';
import type { Rule, RuleDocument } from './document.ts';

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
  return isSame && isSameJson(one.expectations ?? [], other.expectations ?? []);
}

/** Equality independent of the order of fields, which the database does not preserve. */
export function isSameRule(one: Rule, other: Rule): boolean {
  return isSameJson(one, other);
}
