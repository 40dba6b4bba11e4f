import { methodWord } from '../health-text.ts';
import { formatMoney } from '../money.ts';
import type { PaymentMethod, RoutablePayment } from '../types.ts';

/*
 * Findings are read in the dashboard, which has words for methods. The sentences of decisions keep the codes: they are stored, and
 * merchants compare them with what they sent.
 */

/** A payment as an example: `NGN 2,500.00 by card`; `NGN 2,500.00 by mobile money from GH` where a country is known. */
export function describeExample(payment: Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry'>): string {
  const { currency, amount, method, customerCountry } = payment;
  const base = `${formatMoney(currency, amount)} ${method === null ? 'without a method' : `by ${methodWord(method)}`}`;
  return customerCountry === null ? base : `${base} from ${customerCountry}`;
}

/** Payments in a currency by a method: `NGN by transfer`. */
export function describePlace({ currency, method }: { readonly currency: string; readonly method: PaymentMethod }): string {
  return `${currency} by ${methodWord(method)}`;
}
