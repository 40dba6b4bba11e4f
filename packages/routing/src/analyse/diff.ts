import { type FieldChange, fieldChanges, isSameJson } from '../same-json.ts';
import type { Rule, RuleSet } from '../types.ts';

/** A rule that only one of two rule sets has. */
export interface PlacedRule {
  /** Place in its rule set, from 0. */
  readonly position: number;
  readonly rule: Rule;
}

/** A rule that both rule sets have, with the fields that differ. */
export interface ChangedRule {
  readonly ruleId: string;
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

/** How two rule sets differ, rule by rule; rules are the same when their ids are. */
export interface RuleSetDiff {
  readonly same: boolean;
  readonly added: readonly PlacedRule[];
  readonly removed: readonly PlacedRule[];
  /** Rules whose place among those that stay has changed: the fewest that explain the new order. */
  readonly moved: readonly { readonly ruleId: string; readonly name: string; readonly from: number; readonly to: number }[];
  readonly changed: readonly ChangedRule[];
  /** Null when unchanged. */
  readonly defaultOrder: { readonly before: readonly string[]; readonly after: readonly string[] } | null;
  readonly expectations: { readonly before: number; readonly after: number } | null;
  /** Declarations of metadata keys, by their labels. */
  readonly keys: { readonly before: readonly string[]; readonly after: readonly string[] } | null;
}

/** Compares two rule sets by structure. The version is not compared. */
export function diffRuleSets(before: RuleSet, after: RuleSet): RuleSetDiff {
  const earlier = placedById(before);
  const later = placedById(after);
  const added = Array.from(later.values()).filter(({ rule }) => !earlier.has(rule.ruleId));
  const removed = Array.from(earlier.values()).filter(({ rule }) => !later.has(rule.ruleId));
  const kept = Array.from(later.values()).flatMap(({ position, rule }) => {
    const was = earlier.get(rule.ruleId);
    return was ? [{ from: was.position, to: position, was: was.rule, rule }] : [];
  });
  const still = new Set(longestRise(kept.map(({ from }) => from)));
  const moved = kept
    .filter((_, index) => !still.has(index))
    .map(({ from, to, rule }) => ({ ruleId: rule.ruleId, name: rule.name, from, to }));
  const changed = kept.flatMap(({ was, rule }) => {
    const fields = fieldChanges(was, rule);
    return fields.length === 0 ? [] : [{ ruleId: rule.ruleId, name: rule.name, fields }];
  });
  const defaultOrder = isSameJson(before.defaultOrder, after.defaultOrder)
    ? null
    : { before: before.defaultOrder, after: after.defaultOrder };
  const expectations = isSameJson(before.expectations ?? [], after.expectations ?? [])
    ? null
    : { before: before.expectations?.length ?? 0, after: after.expectations?.length ?? 0 };
  const labels = ({ keys = [] }: RuleSet) => keys.map(({ label }) => label);
  const keys = isSameJson(before.keys ?? [], after.keys ?? []) ? null : { before: labels(before), after: labels(after) };
  const same = [added, removed, moved, changed].every((list) => list.length === 0) && !defaultOrder && !expectations && !keys;
  return { same, added, removed, moved, changed, defaultOrder, expectations, keys };
}

function placedById(ruleSet: RuleSet): Map<string, PlacedRule> {
  return new Map(ruleSet.rules.map((rule, position) => [rule.ruleId, { position, rule }]));
}

/** Indexes of a longest strictly rising run of `values`, in n log n. */
function longestRise(values: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const rise: number[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) rise.push(at);
  return rise.reverse();
}
