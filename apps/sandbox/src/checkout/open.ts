import { randomInt } from 'node:crypto';
import type { Account, Checkout } from '../ledger/records.ts';
import { isoTime, type Simulator } from '../simulator.ts';
import { announceForgery } from '../webhooks/announce.ts';

/** The fields of a checkout that the merchant's call sets; the rest begins empty. */
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

/** Opens a hosted page for a validated request of a merchant. */
export function openCheckout(simulator: Simulator, account: Account, request: CheckoutRequest): Checkout {
  const checkout: Checkout = {
    id: simulator.ledger.nextId(),
    accountId: account.id,
    ...request,
    bankAccount: String(randomInt(1_000_000_000, 9_999_999_999)),
    createdAt: isoTime(simulator),
    closed: false,
    hidden: false,
    listedOnly: false,
    charges: [],
    reversed: 0,
    disputes: [],
    settlementDelayDays: 0,
  };
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  announceForgery(simulator, checkout);
  return checkout;
}

const lowerAlphanumerics = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A random text of this many lower-case letters and digits, from the system's secure source. */
export function randomToken(length: number): string {
  return Array.from({ length }, () => lowerAlphanumerics[randomInt(lowerAlphanumerics.length)]).join('');
}
