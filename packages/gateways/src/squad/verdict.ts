import { minorToDecimal, readMinor } from '../amount.ts';
import type { Failure, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import type { CallFailure, WireReply } from '../http.ts';
import { failure, protocolViolation, unrecognisedStatus } from '../outcomes.ts';
import { title } from './account.ts';
import { methodOf, settings } from './settings.ts';
import { type Refusal, readRefusal, type Transaction, transactionStateOf } from './wire.ts';

/** An outcome before its call is attached. */
export type Verdict =
  | { readonly outcome: 'yes'; readonly value: ReceivedPayment }
  | { readonly outcome: 'no' | 'unknown'; readonly failure: Failure };

/**
 * The outcome of a payment from its transaction, which must have our reference. A failed one counts as refused, although Squad lets
 * the customer try again on the same page: money that arrives later is found by verifying again.
 */
export function evaluateTransaction(found: Transaction, query: VerifyQuery): Verdict {
  if (found.transaction_ref !== query.reference) {
    return unknown('provider_fault', 'reference_mismatch', `${title} answered about another reference.`);
  }
  const state = transactionStateOf(found.transaction_status);
  switch (state) {
    case 'paid':
      return received(found);
    case 'failed':
      return { outcome: 'no', failure: failure('customer', 'declined', `${title} reports that the payment failed.`) };
    case 'unfinished': {
      const word = found.transaction_status.toLowerCase();
      return unknown('customer', 'not_paid_yet', `The customer has not finished paying (${word}).`);
    }
    case 'unrecognised':
      return { outcome: 'unknown', failure: unrecognisedStatus(title, found.transaction_status) };
    default:
      return state satisfies never;
  }
}

function received(found: Transaction): Verdict {
  const minor = readMinor(found.transaction_amount);
  if (minor === null) {
    return unknown('provider_fault', 'malformed_answer', `${title} gave an amount that is not a count of kobo.`);
  }
  const value: ReceivedPayment = {
    reference: found.transaction_ref,
    transactionId: found.transaction_ref,
    amount: minorToDecimal(minor),
    currency: found.transaction_currency_id,
    fee: null,
    method: methodOf[(found.transaction_type ?? '').toLowerCase()] ?? null,
    // `created_at` is when the transaction began, and a placeholder in some answers.
    paidAt: null,
    reversed: false,
  };
  return { outcome: 'yes', value };
}

/** Failure that an unsuccessful answer states, in whichever shape: a refusal of the key, of the request, or a fault of Squad's own. */
export function failureOf(reply: Extract<WireReply, { kind: 'answer' }>): CallFailure {
  const refused = readRefusal(reply.json);
  if (refused === null) return protocolViolation(title, reply);
  const said = reply.redactor.text(saidBy(refused));
  const nothingDone = !reply.repeated;
  const status = refused.status ?? reply.status;
  if (status >= 500) {
    const message = `${title} reports a fault of its own (${status}): ${said}`;
    return { class: 'provider_fault', code: 'http_5xx', message, nothingDone: false };
  }
  if (status === 401 || status === 403) {
    const message = `${title} did not accept the account's credentials (${status}): ${said}`;
    return { class: 'our_configuration', code: 'invalid_credentials', message, nothingDone };
  }
  const code = settings.duplicateMessage.test(said) ? 'duplicate_reference' : 'request_rejected';
  return { class: 'our_configuration', code, message: `${title} refused: ${said}`, nothingDone };
}

function saidBy({ message }: Refusal): string {
  return message === null || message === '' ? 'no reason given' : message;
}

/** True if an error answer says that there is no such transaction. */
export function isNotFound(reply: Extract<WireReply, { kind: 'answer' }>): boolean {
  const refused = readRefusal(reply.json);
  if (refused === null || !settings.notFoundStatuses.some((known) => known === reply.status)) return false;
  return settings.notFoundMessage.test(refused.message ?? '');
}

/** Verdict on an unknown reference. */
export function notFound(): Exclude<Verdict, { outcome: 'yes' }> {
  const message = `${title} knows no such transaction.`;
  return settings.notFoundIsFinal
    ? { outcome: 'no', failure: failure('our_configuration', 'not_found', message) }
    : unknown('customer', 'not_paid_yet', message);
}

function unknown(
  of: Failure['class'],
  code: Failure['code'],
  message: string,
): { readonly outcome: 'unknown'; readonly failure: Failure } {
  return { outcome: 'unknown', failure: failure(of, code, message) };
}
