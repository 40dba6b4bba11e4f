import { readMinorAsDecimal } from '../amount.ts';
import { classOf, rowOf } from '../error-code.ts';
import type { ErrorCode, VerifyQuery } from '../gateway.ts';
import { cardLast4Of } from '../payers.ts';
import type { Redactor } from '../redact.ts';
import { otherReference, readWord, unknown, unpaid, unrecognised, type Verdict } from '../states.ts';
import { api } from './api.ts';
import { type ResponseState, responseStateOf } from './response-codes.ts';
import { methodOf, settings } from './settings.ts';
import { currencyFrom, readWireTime, type Transaction } from './wire.ts';

/** The outcome of a payment from its response code. What was paid or declined must carry our reference. */
export function evaluateTransaction(found: Transaction, query: VerifyQuery, redactor: Redactor): Verdict {
  const state = responseStateOf(found.ResponseCode);
  const row = rowOf(api.errorCodes, { code: found.ResponseCode });
  const said = redactor.text(found.ResponseDescription ?? 'no reason given');
  const isOurs = found.MerchantReference === query.reference;
  switch (state) {
    case 'approved':
      return isOurs ? received(found, query) : otherReference(api.title);
    case 'approved_in_part':
      return isOurs
        ? received(found, query, `Interswitch does not say that the whole amount was paid: ${said}`)
        : otherReference(api.title);
    case 'pending':
      return unknown('customer', 'not_paid_yet', `The customer has not finished paying: ${said}`);
    case 'not_found':
      // There is no transaction until the customer begins.
      return unknown('customer', 'not_paid_yet', 'The customer has not begun to pay.');
    case 'declined':
    case 'error':
    case 'wrong_merchant':
    case 'undecided':
    case 'unrecognised':
      return row === null
        ? unrecognised(api.title, found.ResponseCode ?? '')
        : counted(evaluateError(state, row, said, isOurs), row);
    default:
      return state satisfies never;
  }
}

/** The outcome of a payment whose response code is in the table of error codes. */
function evaluateError(
  state: Exclude<ResponseState, 'approved' | 'approved_in_part' | 'pending' | 'not_found'>,
  row: ErrorCode,
  said: string,
  own: boolean,
): Verdict {
  const paymentFailed = unpaid(row, `Interswitch reports that the payment failed: ${said}`);
  switch (state) {
    case 'declined':
      return own ? paymentFailed : otherReference(api.title);
    case 'error':
      return own && !settings.amountMismatchMessage.test(said) ? paymentFailed : amountMismatch(said);
    case 'wrong_merchant':
      return unknown(classOf(row), 'invalid_credentials', `Interswitch does not know the merchant code: ${said}`);
    case 'undecided':
    case 'unrecognised':
      return unknown(classOf(row), 'undecided', `Interswitch leaves open whether the customer paid: ${said}`);
    default:
      return state satisfies never;
  }
}

/** The verdict with the code of its row, to be counted by. */
function counted(verdict: Verdict, { code }: ErrorCode): Verdict {
  return verdict.outcome === 'yes' ? verdict : { ...verdict, failure: { ...verdict.failure, gatewayCode: code } };
}

/** Money may have come, of another amount: staff have to look. */
function amountMismatch(said: string): Verdict {
  return unknown('our_configuration', 'reference_mismatch', `Interswitch found no payment of the order's amount: ${said}`);
}

function received(found: Transaction, query: VerifyQuery, doubt?: string): Verdict {
  const amount = readMinorAsDecimal(found.Amount);
  const currency = currencyFrom(found.CurrencyCode);
  if (amount === null || currency === null) {
    return unknown('provider_fault', 'malformed_answer', 'Interswitch gave an amount or a currency that cannot be read.');
  }
  return {
    outcome: 'yes',
    value: {
      reference: query.reference,
      transactionId: transactionIdOf(found.RetrievalReferenceNumber, found.PaymentReference) ?? query.reference,
      amount,
      currency,
      fee: null,
      method: readWord(methodOf, found.Channel) ?? methodFromCard(found.CardNumber),
      ...cardLast4Of(found.CardNumber),
      paidAt: readWireTime(found.TransactionDate),
      reversed: false,
      ...(doubt !== undefined && { doubt }),
    },
  };
}

/** The retrieval reference number, the one id that look-ups, lists, webhooks and returns all carry; else another one. */
export function transactionIdOf(retrievalReference: string | null | undefined, other: string | null | undefined): string | null {
  for (const id of [retrievalReference, other]) {
    if (id !== null && id !== undefined && /^[\x21-\x7e]{1,100}$/.test(id)) return id;
  }
  return null;
}

/** Answers without a channel show a masked card where one paid. */
function methodFromCard(cardNumber: unknown): string | null {
  return typeof cardNumber === 'string' && cardNumber !== '' ? 'CARD' : null;
}
