import { methodWord, type PaymentMethod } from '@switchyard/routing';
import type { OverrideAction } from '../copy/health.ts';

/** The payments that depend on an account: those of the last 24 hours, and the methods that no other account takes. */
interface AccountUse {
  readonly payments: number;
  readonly onlyFor: readonly PaymentMethod[];
}

/** Effect of an override on payments, in figures. `from` is the start of a planned one: `From 25 Nov, 02:00`. */
export function describeImpact(action: OverrideAction, use: AccountUse | undefined, method: string, from: string | null): string {
  if (use === undefined) return 'Counting the payments that go there…';
  const figure = `${use.payments.toLocaleString('en')} ${use.payments === 1 ? 'payment' : 'payments'}`;
  const past = `${figure} went there in the last 24 hours.`;
  const begin = from === null ? 'New' : `${from}, new`;
  if (action === 'force') return `${past} ${begin} payments by ${method} try this account first, even while it is down.`;
  const moved = `${past} ${begin} payments by ${method} go to the next account of their rule; open checkouts can still be paid.`;
  if (use.onlyFor.length === 0) return moved;
  const alone = use.onlyFor.map((word) => methodWord(word)).join(', ');
  return `${moved} No other account takes ${alone}: those payments would fail.`;
}
