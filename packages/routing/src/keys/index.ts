import type { MetadataKey, PaymentKeys } from '../types.ts';
import { divide } from './divide.ts';
import { exampleKeys } from './key-cells.ts';
import { compileKeyConditions, keysByName } from './match-keys.ts';
import { comparesKeys, type KeyConditions } from './payment-keys.ts';
import { minuteOfWeek } from './week-time.ts';

export { describeKeyConditions } from './key-text.ts';
export { keysByName } from './match-keys.ts';

/** True if conditions on keys hold for a payment's values; true without any. */
export function matchesKeys(conditions: KeyConditions, keys: PaymentKeys, declared: readonly MetadataKey[]): boolean {
  const matches = compileKeyConditions(conditions, keysByName(declared));
  return matches === null || matches(keys, minuteOfWeek(keys.time));
}

/** Values of keys for which conditions on them hold; null without conditions, and where no value fulfils them. */
export function keysThatMatch(conditions: KeyConditions, declared: readonly MetadataKey[]): PaymentKeys | null {
  if (!comparesKeys(conditions)) return null;
  const rule = {
    ruleId: '',
    name: '',
    enabled: true,
    when: { currency: 'NGN', methods: ['CARD' as const], amount: { from: 0, to: null }, ...conditions },
    then: { strategy: 'priority' as const, accounts: [] },
  };
  const divisions = divide([{ rule, position: 0 }], keysByName(declared), { left: Number.POSITIVE_INFINITY });
  const own = divisions?.find(({ rules }) => rules.length > 0);
  return own === undefined ? null : exampleKeys(own.cells);
}
