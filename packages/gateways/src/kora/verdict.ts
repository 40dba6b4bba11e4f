import { readDecimal, type WireAmount } from '../amount.ts';
import type { Failure, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { failure, unrecognisedStatus } from '../outcomes.ts';
import type { Redactor } from '../redact.ts';
import { methodOf, settings } from './settings.ts';
import { type Charge, chargeStateOf, type Refusal } from './wire.ts';

/** An outcome before its call is attached. */
export type Verdict =
  | { readonly outcome: 'yes'; readonly value: ReceivedPayment }
  | { readonly outcome: 'no' | 'unknown'; readonly failure: Failure };

/**
 * The outcome of a payment from its charge, which must have our reference. A failed or expired one counts as refused, unless the
 * same answer says that money was transferred: that proves neither payment nor its absence, and staff have to look. Later money is
 * found by verifying again.
 */
export function evaluateCharge(found: Charge, query: VerifyQuery, redactor: Redactor): Verdict {
  if (found.reference !== query.reference) {
    return unknown('provider_fault', 'reference_mismatch', 'Kora answered about another reference.');
  }
  const state = chargeStateOf(found.status);
  switch (state) {
    case 'paid':
      return received(found);
    case 'failed':
      return refused(found, redactor);
    case 'unfinished':
      return unknown('customer', 'not_paid_yet', `The customer has not finished paying (${found.status}).`);
    case 'unrecognised':
      return { outcome: 'unknown', failure: unrecognisedStatus('Kora', found.status) };
    default:
      return state satisfies never;
  }
}

/**
 * The amount that counts as received is `amount_accepted`: an excess that Kora returns, or refuses, is not in it, while `amount_paid`
 * is all that the customer transferred ("Handling Underpayments and Overpayments for Bank Transfer Payments",
 * https://developers.korapay.com/docs/handling-underpayments-and-overpayments). Answers without it are about other ways to pay.
 */
function received(found: Charge): Verdict {
  return receivedOf(found, found.amount_accepted ?? found.amount_paid ?? found.amount);
}

function receivedOf(found: Charge, money: WireAmount, doubt?: string): Verdict {
  const amount = readDecimal(money);
  if (amount === null) {
    return unknown('provider_fault', 'malformed_answer', 'Kora gave an amount that is not a decimal number.');
  }
  const value: ReceivedPayment = {
    reference: found.reference,
    transactionId: found.reference,
    amount,
    currency: found.currency,
    fee: optionalDecimal(found.fee),
    method: methodOf[found.payment_method ?? ''] ?? null,
    paidAt: null,
    reversed: false,
    ...(doubt !== undefined && { doubt }),
  };
  return { outcome: 'yes', value };
}

/** Which of the two Kora does with an underpayment, keep or return it, is a preference on its dashboard: the answer does not say. */
function refused(found: Charge, redactor: Redactor): Verdict {
  const { amount_paid: paid, status, message } = found;
  if (paid !== null && paid !== undefined && readDecimal(paid) !== '0') {
    const doubt = `Kora reports a transfer for a charge that is ${status}, and may have returned it: see its dashboard.`;
    return receivedOf(found, paid, doubt);
  }
  const reason = redactor.text(message ?? status);
  return { outcome: 'no', failure: failure('customer', 'declined', `Kora reports that the payment failed: ${reason}`) };
}

/** A decimal that only informs. */
export function optionalDecimal(value: WireAmount | null | undefined): string | null {
  return value === null || value === undefined ? null : readDecimal(value);
}

/** True if an error answer says that there is no such charge or refund. */
export function isNotFound(refusal: Refusal, status: number): boolean {
  return settings.notFoundStatuses.some((known) => known === status) && settings.notFoundMessage.test(refusal.message ?? '');
}

/** True if an error answer says that the reference has been used before. */
export function isDuplicate(refusal: Refusal): boolean {
  return settings.duplicateMessage.test(refusal.message ?? '');
}

function unknown(of: Failure['class'], code: Failure['code'], message: string): Verdict {
  return { outcome: 'unknown', failure: failure(of, code, message) };
}
