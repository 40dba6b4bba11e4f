import { SHARE_FROM } from '@switchyard/routing';
import { methodTitle } from '#/copy/gateways.ts';
import { amountText, bandText } from './amounts.ts';
import type { Account, Rule, Strategy, Target } from './document.ts';

/** An account's label; a removed account is named by the end of its id. */
export function labelIn(accounts: readonly Pick<Account, 'accountId' | 'label'>[], accountId: string): string {
  return accounts.find((account) => account.accountId === accountId)?.label ?? `removed account (${accountId.slice(-6)})`;
}

/** In place of a result of rules that cannot decide yet. */
export const NOT_COMPLETE = 'The draft cannot be evaluated yet: fix the errors on the Rules tab first.';

/** The strategies of a rule as people read them, each with its effect. */
export const STRATEGY_LABELS: Readonly<Record<Strategy, { readonly name: string; readonly meaning: string }>> = {
  priority: { name: 'In this order', meaning: 'The first account that can take the payment gets it.' },
  weighted: { name: 'Split by share', meaning: 'Each account gets its share of the payments.' },
  success_rate: { name: 'Highest success rate', meaning: 'The account with the highest recent success rate comes first.' },
  lowest_cost: { name: 'Lowest fee', meaning: 'The account with the lowest fee for the amount comes first.' },
};

/** `Card and USSD`, `Card, Bank and 3 more`. */
function methodsText(methods: readonly string[]): string {
  if (methods.length === 0) return 'No method';
  return joined(methods.map(methodTitle), 4);
}

/** The conditions of a rule, in words: `Card and USSD · NGN 0 to 5,000 · from NG`. */
export function conditionsText({ when }: Rule): string {
  const parts = [methodsText(when.methods), bandText(when.currency, when.amount)];
  if (when.amount.to === null && typeof when.amount.from === 'number' && when.amount.from <= 1) parts.push(when.currency);
  if (when.countries && when.countries.length > 0) parts.push(`from ${joined(when.countries, 4)}`);
  return parts.join(' · ');
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
