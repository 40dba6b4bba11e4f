import { compareDecimals, readDecimal } from '../amount.ts';
import type { ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { cardLast4Of, payerOf, readCardCountry } from '../payers.ts';
import type { Redactor } from '../redact.ts';
import { evaluateState, otherReference, readWord, unpaid, unreadableAmount, type Verdict } from '../states.ts';
import { api } from './api.ts';
import { methodOf } from './settings.ts';
import { type Transaction, transactionStateOf } from './wire.ts';

/** The outcome of a payment from its transaction, which must have our reference. */
export function evaluateTransaction(found: Transaction, query: VerifyQuery, redactor: Redactor): Verdict {
  if (found.tx_ref !== query.reference) return otherReference(api.title);
  return evaluateState(api, transactionStateOf(found.status), found.status, {
    received: () => received(found),
    unpaid: (row) =>
      unpaid(row, `Flutterwave reports that the payment failed: ${redactor.text(found.processor_response ?? 'no reason given')}`),
  });
}

function received(found: Transaction): Verdict {
  const amount = receivedAmount(found);
  if (amount === null) return unreadableAmount(api.title, 'a decimal number');
  return {
    outcome: 'yes',
    value: {
      reference: found.tx_ref,
      transactionId: found.id,
      amount,
      currency: found.currency,
      fee: readDecimal(found.app_fee),
      method: readWord(methodOf, found.payment_type),
      ...cardOf(found),
      ...originatorOf(found),
      paidAt: readTime(found.created_at),
      reversed: false,
    },
  };
}

/**
 * `card.country` and `last_4digits` of a transaction (https://developer.flutterwave.com/v3.0/reference/verify-transaction); the country is `NG`
 * or `NIGERIA NG`.
 */
function cardOf({ card }: Transaction): Pick<ReceivedPayment, 'cardCountry' | 'cardLast4'> {
  const country = readCardCountry(card?.country);
  const last4 = cardLast4Of(card?.last_4digits);
  return country === null ? last4 : { cardCountry: country, ...last4 };
}

/**
 * `originatorname`, `bankname` and `originatoraccountnumber`, masked, of a transfer: in the webhook's `meta_data` ("Structure of a webhook payload",
 * https://developer.flutterwave.com/docs/webhooks#structure-of-a-webhook-payload), and in `meta` of the transaction.
 */
function originatorOf({ payment_type: type, meta }: Transaction): Pick<ReceivedPayment, 'payer'> {
  if (readWord(methodOf, type) !== 'TRANSFER') return {};
  return payerOf({ bank: meta?.bankname, name: meta?.originatorname, accountNumber: meta?.originatoraccountnumber });
}

/** The charged amount exceeds the order's where the customer bears the fee. Where it is less, it is all that was received. */
export function receivedAmount(found: Pick<Transaction, 'amount' | 'charged_amount'>): string | null {
  const requested = readDecimal(found.amount);
  const charged = readDecimal(found.charged_amount ?? found.amount);
  if (requested === null || charged === null) return null;
  return compareDecimals(charged, requested) < 0 ? charged : requested;
}
