import type { LiveCheck } from '../queries/use-check.ts';
import type { Rule } from '../rules/document.ts';
import type { Note, RuleField } from '../rules/findings.ts';

/** An empty rule that was just added, and the fields of it that were changed or left. */
export interface NewRule {
  readonly ruleId: string;
  readonly touched: ReadonlySet<RuleField>;
}

/** The new rule with some fields touched. */
export function touch(rule: NewRule, fields: readonly RuleField[]): NewRule {
  return fields.every((field) => rule.touched.has(field)) ? rule : { ...rule, touched: new Set([...rule.touched, ...fields]) };
}

/** A check without what it says of fields of a new rule that were not touched yet: an empty rule is no mistake while it is written. */
export function withoutUntouched(check: LiveCheck, rules: readonly Rule[], added: NewRule | null): LiveCheck {
  const place = added === null ? -1 : rules.findIndex(({ ruleId }) => ruleId === added.ruleId);
  if (added === null || place < 0) return check;
  const isShown = ({ position, field }: Note) =>
    position !== place || (field === 'rule' ? added.touched.size > 0 : added.touched.has(field));
  const { byRule, ofDefaultOrder, ofAll, all } = check.notes;
  return {
    ...check,
    notes: {
      byRule: new Map(Array.from(byRule, ([position, notes]) => [position, notes.filter(isShown)])),
      ofDefaultOrder,
      ofAll: ofAll.filter(isShown),
      all: all.filter(isShown),
    },
  };
}
