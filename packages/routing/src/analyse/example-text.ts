import { describePayment } from '../decide/sentence.ts';
import { methodWord } from '../health-text.ts';
import { describePaymentKeys } from '../keys/key-text.ts';
import type { KeysByName } from '../keys/match-keys.ts';
import type { PaymentMethod, RoutablePayment } from '../types.ts';

/**
 * A payment as an example: `NGN 2,500.00 by card`; `NGN 2,500.00 by mobile money from GH` where a country is known, `NGN 2,500.00 by card
 * (a new customer, Tier gold)` with values of keys.
 */
export function describeExample(
  payment: Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry' | 'keys'>,
  declared?: KeysByName,
): string {
  const clauses = describePaymentKeys(payment.keys ?? {}, declared);
  return `${describePayment(payment)}${clauses.length === 0 ? '' : ` (${clauses.join(', ')})`}`;
}

/** Payments in a currency by a method: `NGN by transfer`. */
export function describePlace({ currency, method }: { readonly currency: string; readonly method: PaymentMethod }): string {
  return `${currency} by ${methodWord(method)}`;
}
