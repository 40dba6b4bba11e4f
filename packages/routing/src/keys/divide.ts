import type { MetadataCondition, MetadataKey, Rule } from '../types.ts';
import type { IntegerRange, KeyCell } from './key-cells.ts';

import { compileMetadataCondition, type KeysByName } from './match-keys.ts';
import { namedValue } from './payment-keys.ts';
import { type MinuteRange, minutesOf, WEEK_MINUTES } from './week-time.ts';

/** A rule and its place in its rule set, from 0. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly position: number;
}

/** Payments that differ for no rule but by amount: a class of countries, cells of the keys, and the rules that can match there, in order. */
export interface Division<Placed extends PlacedRule> {
  /** Empty for all countries that no rule names, and for customers of unknown country. */
  readonly countries: readonly string[];
  readonly cells: readonly KeyCell[];
  readonly rules: readonly Placed[];
}

/**
 * Divides all payments of one currency and method into classes that the rules treat alike, apart from amounts: every payment is in exactly
 * one. A key is divided only where a rule that can still match compares it. Null when the work exceeds `budget`, which is lowered by what
 * was done.
 */
export function divide<Placed extends PlacedRule>(
  rules: readonly Placed[],
  declared: KeysByName,
  budget: { left: number },
): Division<Placed>[] | null {
  let divisions: Division<Placed>[] = [{ countries: [], cells: [], rules }];
  for (const axis of axesOf(rules, declared)) {
    const next: Division<Placed>[] = [];
    for (const division of divisions) {
      const parts = divideAlong(axis, division.rules, budget);
      if (parts === null) return null;
      for (const { at, rules: own } of parts) {
        if (at === null) next.push(division);
        else if (axis.key === 'country') next.push({ ...division, countries: axis.countriesOf(at), rules: own });
        else next.push({ ...division, cells: [...division.cells, axis.cellOf(at)], rules: own });
      }
    }
    divisions = next;
  }
  return divisions;
}

/** One key: its values in points that all rules treat alike. */
type Axis = {
  readonly points: number;
  /** The first and last points, in pairs, where a rule's condition holds; null where it has none. */
  readonly spansOf: (rule: Rule) => readonly number[] | null;
} & (
  | { readonly key: 'country'; readonly countriesOf: (points: readonly number[]) => readonly string[] }
  | { readonly key: 'other'; readonly cellOf: (points: readonly number[]) => KeyCell }
);

/** A class of points with the rules that can match there; `at` null where no rule compares the key. */
interface Part<Placed> {
  readonly at: readonly number[] | null;
  readonly rules: readonly Placed[];
}

function divideAlong<Placed extends PlacedRule>(
  axis: Axis,
  rules: readonly Placed[],
  budget: { left: number },
): Part<Placed>[] | null {
  const free: number[] = [];
  const bound: (readonly [number, readonly number[]])[] = [];
  for (const [index, { rule }] of rules.entries()) {
    const spans = axis.spansOf(rule);
    if (spans === null) free.push(index);
    else bound.push([index, spans]);
  }
  if (bound.length === 0) return [{ at: null, rules }];
  const lists: number[][] = Array.from({ length: axis.points }, () => []);
  for (const [index, spans] of bound) {
    for (let at = 0; at < spans.length; at += 2) {
      const last = spans[at + 1] ?? -1;
      budget.left -= last - (spans[at] ?? 0) + 1;
      if (budget.left < 0) return null;
      for (let point = spans[at] ?? 0; point <= last; point += 1) lists[point]?.push(index);
    }
  }
  const classes = Map.groupBy(lists.keys(), (point) => lists[point]?.join() ?? '');
  const parts: Part<Placed>[] = [];
  for (const at of classes.values()) {
    const own = lists[at[0] ?? 0] ?? [];
    budget.left -= own.length + free.length;
    if (budget.left < 0) return null;
    const indices = [...free, ...own].sort((left, right) => left - right);
    parts.push({ at, rules: indices.flatMap((index) => rules[index] ?? []) });
  }
  return parts;
}

function axesOf(rules: readonly PlacedRule[], declared: KeysByName): Axis[] {
  const names = new Set(rules.flatMap(({ rule }) => rule.when.metadata?.map(({ key }) => key) ?? []));
  return [
    ...(rules.some(({ rule }) => rule.when.countries) ? [countryAxis(rules)] : []),
    ...(rules.some(({ rule }) => rule.when.customer !== undefined) ? [CUSTOMER_AXIS] : []),
    ...Array.from(names, (name) => metadataAxis(name, declared.get(name), rules)),
    ...(rules.some(({ rule }) => rule.when.weekdays ?? rule.when.hours) ? [timeAxis(rules)] : []),
  ];
}

/** The first point is every country that no rule names, and a country that is not known. */
function countryAxis(rules: readonly PlacedRule[]): Axis {
  const countries = Array.from(new Set(rules.flatMap(({ rule }) => rule.when.countries ?? [])));
  const pointOf = new Map(countries.map((country, at) => [country, at + 1]));
  return {
    key: 'country',
    points: countries.length + 1,
    spansOf: ({ when }) => when.countries?.flatMap((country) => twice(pointOf.get(country))) ?? null,
    countriesOf: (points) => points.flatMap((point) => countries[point - 1] ?? []),
  };
}

function twice(point: number | undefined): number[] {
  return point === undefined ? [] : [point, point];
}

const HISTORIES = ['new', 'returning'] as const;

const CUSTOMER_AXIS: Axis = {
  key: 'other',
  points: HISTORIES.length + 1,
  spansOf: ({ when: { customer } }) => (customer === undefined ? null : twice(HISTORIES.indexOf(customer))),
  cellOf: (points) => ({
    key: 'customer',
    values: points.flatMap((point) => HISTORIES[point] ?? []),
    absent: points.includes(HISTORIES.length),
  }),
};

function conditionOn(name: string, { when }: Rule): MetadataCondition | undefined {
  return when.metadata?.find(({ key }) => key === name);
}

function metadataAxis(name: string, key: MetadataKey | undefined, rules: readonly PlacedRule[]): Axis {
  const conditions = rules.flatMap(({ rule }) => conditionOn(name, rule) ?? []);
  return key?.type === 'integer' ? integerAxis(name, key, conditions) : valueAxis(name, key, conditions);
}

/** The points of a text, an enum or a truth value: each named value, then another value where there is one, then absent. */
function valueAxis(name: string, key: MetadataKey | undefined, conditions: readonly MetadataCondition[]): Axis {
  const named = conditions.flatMap((condition) =>
    'values' in condition ? condition.values.map((value) => namedValue(key, value)) : [],
  );
  const isOpen = key === undefined || key.type === 'string';
  const values = Array.from(new Set(isOpen ? named : key.type === 'enum' ? key.values : [true, false]));
  const pointOf = new Map<string | boolean, number>(values.map((value, at) => [value, at]));
  const absent = values.length + (isOpen ? 1 : 0);
  return {
    key: 'other',
    points: absent + 1,
    spansOf: (rule) => {
      const condition = conditionOn(name, rule);
      if (condition === undefined) return null;
      if (condition.is !== 'one_of') return spansWhere(condition, key, values, isOpen);
      const own = new Set(condition.values.flatMap((value) => pointOf.get(namedValue(key, value)) ?? []));
      return [...own, ...(condition.orAbsent ? [absent] : [])].flatMap(twice);
    },
    cellOf: (points) => ({
      key: 'metadata',
      name,
      values: points.flatMap((point) => values[point] ?? []),
      except: isOpen && points.includes(values.length) ? values.filter((value) => typeof value === 'string') : null,
      absent: points.includes(absent),
    }),
  };
}

/** Tries a condition at every point. */
function spansWhere(
  condition: MetadataCondition,
  key: MetadataKey | undefined,
  values: readonly (string | boolean)[],
  isOpen: boolean,
): number[] {
  const holds = compileMetadataCondition(condition, key);
  // Another value is one that no rule names, and so is unequal to all.
  const another = condition.is === 'present' || condition.is === 'none_of';
  const results = [...values.map((value) => holds(value)), ...(isOpen ? [another] : []), holds(undefined)];
  return results.flatMap((isHolding, point) => (isHolding ? [point, point] : []));
}

/** The points of an integer: intervals cut at the edges of the conditions, then absent. */
function integerAxis(name: string, key: MetadataKey, conditions: readonly MetadataCondition[]): Axis {
  const starts = cut(
    conditions.flatMap((condition) => {
      if (condition.is !== 'between') return [];
      return [...(condition.from === null ? [] : [condition.from]), ...(condition.to === null ? [] : [condition.to + 1])];
    }),
    Number.NEGATIVE_INFINITY,
  );
  const absent = starts.length;
  return {
    key: 'other',
    points: absent + 1,
    spansOf: (rule) => {
      const condition = conditionOn(name, rule);
      if (condition === undefined) return null;
      const ifAbsent = compileMetadataCondition(condition, key)(undefined) ? [absent, absent] : [];
      if (condition.is === 'present') return [0, absent - 1];
      if (condition.is !== 'between') return ifAbsent;
      const from = condition.from === null ? 0 : pointAt(starts, condition.from);
      const to = condition.to === null ? absent - 1 : pointAt(starts, condition.to);
      return [from, to, ...ifAbsent];
    },
    cellOf: (points) => ({
      key: 'integer',
      name,
      ranges: joinRanges(points.filter((point) => point < absent)).map(([first, last]): IntegerRange => {
        const from = starts[first] ?? 0;
        const next = starts[last + 1];
        return { from: Number.isFinite(from) ? from : null, to: next === undefined ? null : next - 1 };
      }),
      absent: points.includes(absent),
    }),
  };
}

function timeAxis(rules: readonly PlacedRule[]): Axis {
  const isTimed = ({ when }: Rule) => when.weekdays !== undefined || when.hours !== undefined;
  const edges = rules.flatMap(({ rule }) =>
    isTimed(rule) ? minutesOf(rule.when).flatMap(({ from, to }) => [from, to + 1]) : [],
  );
  const starts = cut(edges, 0).filter((start) => start < WEEK_MINUTES);
  return {
    key: 'other',
    points: starts.length,
    spansOf: ({ when }) => {
      if (when.weekdays === undefined && when.hours === undefined) return null;
      return minutesOf(when).flatMap(({ from, to }) => [pointAt(starts, from), pointAt(starts, to)]);
    },
    cellOf: (points) => ({
      key: 'time',
      minutes: joinRanges(points).map(
        ([first, last]): MinuteRange => ({ from: starts[first] ?? 0, to: (starts[last + 1] ?? WEEK_MINUTES) - 1 }),
      ),
    }),
  };
}

/** The starts of the intervals that edges cut, ascending, beginning with `first`. */
function cut(edges: readonly number[], first: number): number[] {
  return Array.from(new Set([first, ...edges])).sort((left, right) => left - right);
}

/** Index of the last start that is not above the value. */
function pointAt(starts: readonly number[], value: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Ascending points as runs: first and last of each. */
function joinRanges(points: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const point of points) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === point - 1) last[1] = point;
    else runs.push([point, point]);
  }
  return runs;
}

/** Most steps that dividing the payments of a rule set may take; a rule set of more is refused. */
export const DIVISION_STEPS_MAX = 2_000_000;

/** True if the payments that a rule set treats differently can be divided within {@link DIVISION_STEPS_MAX}. */
export function isDivisible(rules: readonly Rule[], declared: KeysByName): boolean {
  const groups = new Map<string, PlacedRule[]>();
  for (const [position, rule] of rules.entries()) {
    if (!rule.enabled) continue;
    for (const method of rule.when.methods) {
      const key = `${rule.when.currency}|${method}`;
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({ rule, position });
    }
  }
  const budget = { left: DIVISION_STEPS_MAX };
  return Array.from(groups.values()).every((group) => divide(group, declared, budget) !== null);
}
