import { compareDecimals, readDecimal, type WireAmount } from '../amount.ts';
import type { Failure, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { failure, unrecognisedStatus } from '../outcomes.ts';
import type { Redactor } from '../redact.ts';
import { methodOf, settings } from './settings.ts';
import { type Refusal, type Transaction, transactionStateOf } from './wire.ts';

/** An outcome before its call is attached. */
export type Verdict =
  | { readonly outcome: 'yes'; readonly value: ReceivedPayment }
  | { readonly outcome: 'no' | 'unknown'; readonly failure: Failure };

/** The outcome of a payment from its transaction, which must have our reference. */
export function evaluateTransaction(found: Transaction, query: VerifyQuery, redactor: Redactor): Verdict {
  if (found.tx_ref !== query.reference) {
    return unknown('provider_fault', 'reference_mismatch', 'Flutterwave answered about another reference.');
  }
  const state = transactionStateOf(found.status);
  switch (state) {
    case 'paid':
      return received(found);
    case 'failed': {
      const reason = redactor.text(found.processor_response ?? 'no reason given');
      return {
        outcome: 'no',
        failure: failure('customer', 'declined', `Flutterwave reports that the payment failed: ${reason}`),
      };
    }
    case 'unfinished':
      return unknown('customer', 'not_paid_yet', 'The customer has not finished paying (pending).');
    case 'unrecognised':
      return { outcome: 'unknown', failure: unrecognisedStatus('Flutterwave', found.status) };
    default:
      return state satisfies never;
  }
}

/** Flutterwave keeps no transaction until the customer acts, so one that is not found is one that was not paid yet. */
export function notOpenedYet(): Verdict {
  return unknown('customer', 'not_paid_yet', 'The customer has not begun to pay.');
}

function received(found: Transaction): Verdict {
  const asked = readDecimal(found.amount);
  const charged = found.charged_amount === null || found.charged_amount === undefined ? asked : readDecimal(found.charged_amount);
  if (asked === null || charged === null) {
    return unknown('provider_fault', 'malformed_answer', 'Flutterwave gave an amount that is not a decimal number.');
  }
  const value: ReceivedPayment = {
    reference: found.tx_ref,
    transactionId: found.id,
    // The charged amount exceeds the order's where the customer bears the fee. Where it is less, it is all that was received.
    amount: compareDecimals(charged, asked) < 0 ? charged : asked,
    currency: found.currency,
    fee: readFee(found.app_fee),
    method: methodOf[found.payment_type ?? ''] ?? null,
    paidAt: readDate(found.created_at),
    reversed: false,
  };
  return { outcome: 'yes', value };
}

function readFee(fee: WireAmount | null | undefined): string | null {
  return fee === null || fee === undefined ? null : readDecimal(fee);
}

function readDate(text: string | null | undefined): Date | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}

/** True if an error answer says that there is no such transaction or refund. */
export function isNotFound(refused: Refusal, status: number): boolean {
  return settings.notFoundStatuses.some((known) => known === status) && settings.notFoundMessage.test(refused.message ?? '');
}

function unknown(of: Failure['class'], code: Failure['code'], message: string): Verdict {
  return { outcome: 'unknown', failure: failure(of, code, message) };
}
