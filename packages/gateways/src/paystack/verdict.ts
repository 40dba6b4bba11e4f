import { minorToDecimal, readMinor, type WireAmount } from '../amount.ts';
import type { AccountAccess, Failure, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { failure, unrecognisedStatus } from '../outcomes.ts';
import type { Redactor } from '../redact.ts';
import { methodOf, settings } from './settings.ts';
import { type Refusal, type Transaction, transactionStateOf } from './wire.ts';

/** An outcome before its call is attached. */
export type Verdict =
  | { readonly outcome: 'yes'; readonly value: ReceivedPayment }
  | { readonly outcome: 'no' | 'unknown'; readonly failure: Failure };

/**
 * The outcome of a payment from its transaction, which must have our reference and mode. A failed one counts as refused, although
 * Paystack lets the customer try again on the same page: money that arrives later is found by verifying again.
 */
export function evaluateTransaction(found: Transaction, account: AccountAccess, query: VerifyQuery, redactor: Redactor): Verdict {
  if (found.reference !== query.reference) {
    return unknown('provider_fault', 'reference_mismatch', 'Paystack answered about another reference.');
  }
  if ((found.domain === 'test' || found.domain === 'live') && found.domain !== account.mode) {
    const message = `Paystack answered from its ${found.domain} mode, the account is ${account.mode}.`;
    return unknown('our_configuration', 'invalid_credentials', message);
  }
  const state = transactionStateOf(found.status);
  switch (state) {
    case 'paid':
    case 'reversed':
      return received(found, query, state === 'reversed');
    case 'failed': {
      const reason = redactor.text(found.gateway_response ?? found.message ?? 'no reason given');
      return { outcome: 'no', failure: failure('customer', 'declined', `Paystack reports that the payment failed: ${reason}`) };
    }
    case 'unfinished':
      return unknown('customer', 'not_paid_yet', `The customer has not finished paying (${found.status}).`);
    case 'unrecognised':
      return { outcome: 'unknown', failure: unrecognisedStatus('Paystack', found.status) };
    default:
      return state satisfies never;
  }
}

function received(found: Transaction, query: VerifyQuery, reversed: boolean): Verdict {
  const minor = readMinor(found.amount);
  if (minor === null)
    return unknown('provider_fault', 'malformed_answer', 'Paystack gave an amount that is not a count of kobo.');
  const fees = optionalMinor(found.fees);
  const value: ReceivedPayment = {
    reference: found.reference,
    transactionId: found.id,
    amount: minorToDecimal(withoutAddedFees(minor, fees, optionalMinor(found.requested_amount), query)),
    currency: found.currency,
    fee: fees === null ? null : minorToDecimal(fees),
    method: methodOf[found.channel ?? ''] ?? null,
    paidAt: readDate(found.paid_at),
    reversed,
  };
  return { outcome: 'yes', value };
}

/**
 * Merchants may have Paystack add its fee on top of the price. The customer then pays more than the order by exactly that
 * fee, and the price is what was received. Anything less exact stays as it is, for the caller to compare.
 */
function withoutAddedFees(amount: bigint, fees: bigint | null, requested: bigint | null, query: VerifyQuery): bigint {
  const addedFees = fees !== null && requested !== null && amount > requested && amount - requested === fees;
  return addedFees && requested === query.amount * 100n ? requested : amount;
}

function optionalMinor(value: WireAmount | null | undefined): bigint | null {
  return value === null || value === undefined ? null : readMinor(value);
}

function readDate(text: string | null | undefined): Date | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}

/** True if an error answer says that there is no such transaction or refund. */
export function isNotFound(refused: Refusal, status: number): boolean {
  if (!settings.notFoundStatuses.some((known) => known === status)) return false;
  const code = refused.code ?? '';
  return settings.notFoundCodes.some((known) => known === code) || settings.notFoundMessage.test(refused.message ?? '');
}

/** True if an error answer says that the reference has been used before. */
export function isDuplicate(refused: Refusal): boolean {
  const code = refused.code ?? '';
  return settings.duplicateCodes.some((known) => known === code) || settings.duplicateMessage.test(refused.message ?? '');
}

function unknown(of: Failure['class'], code: Failure['code'], message: string): Verdict {
  return { outcome: 'unknown', failure: failure(of, code, message) };
}
