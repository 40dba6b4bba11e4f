import {
  groupDigits,
  type KeyConditions,
  type MetadataCondition,
  type MetadataKey,
  SHARE_FROM,
  WEEKDAYS,
} from '@switchyard/routing';
import { describeKeyConditions, keysByName } from '@switchyard/routing/keys';
import { methodTitle } from '#/copy/gateways.ts';
import { groupDecimal } from '#/format/amounts.ts';
import type { Account, Rule, Strategy, Target, Typed } from './document.ts';

/** An account's label; a removed account is named by the end of its id. */
export function labelIn(accounts: readonly Pick<Account, 'accountId' | 'label'>[], accountId: string): string {
  return accounts.find((account) => account.accountId === accountId)?.label ?? `removed account (${accountId.slice(-6)})`;
}

/** Names an account of a move; null is none. */
export function accountNamer(accounts: Parameters<typeof labelIn>[0]): (accountId: string | null) => string {
  return (accountId) => (accountId === null ? 'no account' : labelIn(accounts, accountId));
}

/** In place of a result of rules that cannot decide yet. */
export const NOT_COMPLETE = 'The draft cannot be evaluated yet: fix the errors on the Rules tab first.';

/** The strategies of a rule as people read them, each with its effect. */
export const STRATEGY_LABELS: Readonly<Record<Strategy, { readonly name: string; readonly meaning: string }>> = {
  priority: { name: 'In this order', meaning: 'The first account that can take the payment gets it.' },
  weighted: { name: 'Split by share', meaning: 'Each account gets its share of the payments.' },
  success_rate: { name: 'Highest success rate', meaning: 'The account with the highest recent success rate comes first.' },
  lowest_cost: { name: 'Lowest fee', meaning: 'The account with the lowest fee for the amount comes first.' },
  expected_value: {
    name: 'Highest expected value',
    meaning: 'The account with the highest chance of success times what the fee leaves of the amount comes first.',
  },
};

/** `Card and USSD`, `Card, Bank and 3 more`. */
function methodsText(methods: readonly string[]): string {
  if (methods.length === 0) return 'No method';
  return joined(methods.map(methodTitle), 4);
}

/** The conditions of a rule, in words: `Card and USSD · NGN 0 to 5,000 · from NG · Tier is gold`. */
export function conditionsText({ when }: Rule, keys: readonly MetadataKey[] = []): string {
  const parts = [methodsText(when.methods), bandText(when.currency, when.amount)];
  if (when.amount.to === null && typeof when.amount.from === 'number' && when.amount.from <= 1) parts.push(when.currency);
  if (when.countries && when.countries.length > 0) parts.push(`from ${joined(when.countries, 4)}`);
  parts.push(...keyConditionsText(when, keys));
  return parts.join(' · ');
}

/** A rule's conditions on keys, a clause each; what is not complete yet is left out. */
export function keyConditionsText(when: Rule['when'], keys: readonly MetadataKey[]): string[] {
  return describeKeyConditions(toKeyConditions(when), keysByName(keys));
}

/** The conditions on keys that are complete, as the engine reads them. */
export function toKeyConditions({ customer, weekdays, hours, metadata = [] }: Rule['when']): KeyConditions {
  const days = WEEKDAYS.filter((day) => weekdays?.includes(day));
  const conditions = metadata.flatMap((condition): MetadataCondition[] => {
    if (condition.is !== 'between') return [condition];
    const { from, to, ...rest } = condition;
    return typeof from === 'string' || typeof to === 'string' ? [] : [{ ...rest, from, to }];
  });
  return {
    ...((customer === 'new' || customer === 'returning') && { customer }),
    ...(days.length > 0 && { weekdays: days }),
    ...(hours !== undefined && { hours }),
    ...(conditions.length > 0 && { metadata: conditions }),
  };
}

/** Where a rule sends payments: `paystack-main, then flutterwave-main`. */
export function targetText(target: Target, labelOf: (accountId: string) => string): string {
  switch (target.strategy) {
    case 'priority':
      return target.accounts.map(labelOf).join(', then ') || 'no account';
    case 'weighted':
      return target.split.map(({ account, percent }) => `${amountText(percent)}% ${labelOf(account)}`).join(', ') || 'no account';
    case 'success_rate':
      return `the highest success rate of ${target.accounts.map(labelOf).join(', ') || 'no account'}`;
    case 'lowest_cost':
      return `the lowest ${target.fees === 'effective' ? 'fee charged lately' : 'fee'} of ${target.accounts.map(labelOf).join(', ') || 'no account'}`;
    case 'expected_value':
      return `the highest expected value of ${target.accounts.map(labelOf).join(', ') || 'no account'}`;
    default:
      return target satisfies never;
  }
}

/** `one, two and three`; long lists are cut. */
export function joined(parts: readonly string[], limit = Number.POSITIVE_INFINITY): string {
  const shown = parts.length > limit ? [...parts.slice(0, limit - 1), `${parts.length - limit + 1} more`] : [...parts];
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/** `1 payment`, `312 payments`. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** A rule's part of the payments: `7%`, `<1%`; `3 of 11` where they are too few for a percentage. */
export function trafficShareText(part: number, whole: number): string {
  if (whole < SHARE_FROM) return `${part} of ${whole}`;
  const share = part / whole;
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`;
}

/** `7.2%`; null of fewer than 20 payments, of which a share says little. */
export function shareText(part: number, whole: number): string | null {
  return whole < SHARE_FROM ? null : `${((part / whole) * 100).toFixed(1)}%`;
}

/** A number as it is, or what was typed instead in quotes. */
export function amountText(value: Typed): string {
  return typeof value === 'number' ? groupDigits(value) : `“${value}”`;
}

/** `NGN 0 to 5,000`, `exactly NGN 5,000`, `NGN 20,001 and more`, `Any amount`. */
export function bandText(currency: string, { from, to }: { readonly from: Typed; readonly to: Typed | null }): string {
  if (to === null) return from === 0 || from === 1 ? 'Any amount' : `${currency} ${amountText(from)} and more`;
  if (from === to) return `exactly ${currency} ${amountText(from)}`;
  return `${currency} ${amountText(from)} to ${amountText(to)}`;
}

/** A column of the map, `5k – 20k`: a band from 5,001 is shown as beginning at 5k, one of a single amount by that amount. */
export function bandHead({ from, to }: { readonly from: number; readonly to: number | null }): string {
  if (from === to) return shortAmount(from);
  const low = from > 1 && (from - 1) % 100 === 0 ? shortAmount(from - 1) : shortAmount(from <= 1 ? 0 : from);
  if (to === null) return from <= 1 ? 'Any amount' : `over ${low}`;
  return `${low} – ${shortAmount(to)}`;
}

/** An edge of the map, short enough for a narrow column: `5k`, `1.5m`, `20,001`. */
export function shortAmount(value: number): string {
  if (value >= 1_000_000 && value % 100_000 === 0) return `${value / 1_000_000}m`;
  if (value >= 1_000 && value % 100 === 0) return `${value / 1_000}k`;
  return groupDigits(value);
}

/** Hundredths of a main unit as an exact decimal with its sign: `−1,250.50`. */
export function signedHundredths(value: bigint): string {
  const size = value < 0n ? -value : value;
  const decimal = `${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
  return `${value === 0n ? '' : value < 0n ? '−' : '+'}${groupDecimal(decimal)}`;
}
