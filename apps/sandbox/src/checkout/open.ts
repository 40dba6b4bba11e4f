import { randomInt } from 'node:crypto';
import type { Account, Checkout } from '../ledger/records.ts';
import { type Desk, isoTime } from '../simulator.ts';
import { announceForgery } from '../webhooks/announce.ts';

export type CheckoutRequest = Pick<
  Checkout,
  | 'token'
  | 'reference'
  | 'amount'
  | 'currency'
  | 'email'
  | 'customerName'
  | 'phone'
  | 'returnUrl'
  | 'cancelUrl'
  | 'channels'
  | 'title'
  | 'metadata'
  | 'expiresAt'
  | 'maxFailures'
>;

/** Opens a hosted page for a merchant's request that has passed every rule. */
export function openCheckout(desk: Desk, account: Account, wish: CheckoutRequest): Checkout {
  const checkout: Checkout = {
    id: desk.books.nextId(),
    accountId: account.id,
    ...wish,
    bankAccount: String(randomInt(1_000_000_000, 9_999_999_999)),
    createdAt: isoTime(desk),
    closed: false,
    hidden: false,
    charges: [],
  };
  desk.books.put({ kind: 'checkout', record: checkout });
  announceForgery(desk, checkout);
  return checkout;
}

const lowerAlphanumerics = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function randomToken(length: number): string {
  return Array.from({ length }, () => lowerAlphanumerics[randomInt(lowerAlphanumerics.length)]).join('');
}
