import type { MetadataCondition, MetadataKey, MetadataValue, PaymentKeys } from '../types.ts';
import { comparesKeys, type KeyConditions, keyValue, namedValue } from './payment-keys.ts';
import { type MinuteRange, minutesOf } from './week-time.ts';

/** Compares a payment's keys with a rule's conditions; `minute` is that of the week, -1 where the time is not known. */
export type KeyMatcher = (keys: PaymentKeys, minute: number) => boolean;

/** Declarations by name. */
export type KeysByName = ReadonlyMap<string, MetadataKey>;

/** Declarations of a rule set by name. */
export function keysByName(keys: readonly MetadataKey[] | undefined): KeysByName {
  return new Map((keys ?? []).map((key) => [key.name, key]));
}

/** Compiles a rule's conditions on keys; null for none. */
export function compileKeyConditions(when: KeyConditions, declared: KeysByName): KeyMatcher | null {
  if (!comparesKeys(when)) return null;
  const { customer, metadata = [] } = when;
  const minutes = when.weekdays === undefined && when.hours === undefined ? null : minutesOf(when);
  const tests = metadata.map((condition) => ({
    name: condition.key,
    holds: compileMetadataCondition(condition, declared.get(condition.key)),
  }));
  return (keys, minute) => {
    if (customer !== undefined && keys.customer !== customer) return false;
    if (minutes !== null && !isWithin(minutes, minute)) return false;
    for (const { name, holds } of tests) if (!holds(keyValue(keys, name))) return false;
    return true;
  };
}

/** True if one of the ranges holds the minute. */
export function isWithin(ranges: readonly MinuteRange[], minute: number): boolean {
  for (const { from, to } of ranges) if (from <= minute && minute <= to) return true;
  return false;
}

/** Compiles a condition on one metadata key; undefined is an absent value. */
export function compileMetadataCondition(
  condition: MetadataCondition,
  key: MetadataKey | undefined,
): (value: MetadataValue | undefined) => boolean {
  switch (condition.is) {
    case 'present':
      return (value) => value !== undefined;
    case 'absent':
      return (value) => value === undefined;
    case 'one_of':
    case 'none_of': {
      const { is, orAbsent = false } = condition;
      const values = condition.values.map((value) => namedValue(key, value));
      const [only] = values;
      // Most conditions name one value, and a set of one is slower to reach.
      if (values.length === 1) return (value) => (value === undefined ? orAbsent : (value === only) === (is === 'one_of'));
      const named: ReadonlySet<MetadataValue> = new Set(values);
      return (value) => (value === undefined ? orAbsent : named.has(value) === (is === 'one_of'));
    }
    case 'between': {
      const { orAbsent = false } = condition;
      const from = condition.from ?? Number.NEGATIVE_INFINITY;
      const to = condition.to ?? Number.POSITIVE_INFINITY;
      return (value) => (value === undefined ? orAbsent : typeof value === 'number' && from <= value && value <= to);
    }
    default:
      return condition satisfies never;
  }
}
