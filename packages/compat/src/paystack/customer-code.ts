import { readNumber } from '../numbers/numbers.ts';
import type { CustomerFilter } from '../transactions/list-transactions.ts';

const PREFIX = 'CUS_';
const RADIX = 36;

/** Paystack's code of a customer, which leads back to the number. */
export function customerCode(number: number): string {
  return `${PREFIX}${number.toString(RADIX)}`;
}

/** A customer by the id, the code or the e-mail address. */
export function readCustomer(text: string): CustomerFilter {
  const code = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const number = /^[0-9a-z]{1,11}$/.test(code) ? readNumber(Number.parseInt(code, RADIX)) : readNumber(text);
  return number === null ? { email: text } : { number };
}
