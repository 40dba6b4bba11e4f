import { minorToDecimal, readMinor, readMinorAsDecimal } from '../amount.ts';
import type { AccountAccess, Failure, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { failure } from '../outcomes.ts';
import { cardLast4Of, payerOf, readCardCountry } from '../payers.ts';
import type { Redactor } from '../redact.ts';
import { evaluateState, otherReference, readWord, unpaid, unreadableAmount, type Verdict } from '../states.ts';
import { api } from './api.ts';
import { methodOf } from './settings.ts';
import { type Transaction, transactionStateOf } from './wire.ts';

/**
 * The outcome of a payment from its transaction, which must have our reference and mode. A failed one is a try that was
 * declined: Paystack lets the customer try again on the same page.
 */
export function evaluateTransaction(found: Transaction, account: AccountAccess, query: VerifyQuery, redactor: Redactor): Verdict {
  if (found.reference !== query.reference) return otherReference(api.title);
  const otherMode = otherModeOf(account, [found]);
  if (otherMode !== null) return { outcome: 'unknown', failure: otherMode };
  return evaluateState(api, transactionStateOf(found.status), found.status, {
    received: (reversed) => received(found, query, reversed),
    unpaid(row) {
      const reason = redactor.text(found.gateway_response ?? found.message ?? 'no reason given');
      return unpaid(row, `Paystack reports that the payment failed: ${reason}`);
    },
  });
}

function received(found: Transaction, query: VerifyQuery, reversed: boolean): Verdict {
  const minor = readMinor(found.amount);
  if (minor === null) return unreadableAmount(api.title, 'a count of kobo');
  const price = withoutAddedFees(minor, found);
  return {
    outcome: 'yes',
    value: {
      reference: found.reference,
      transactionId: found.id,
      // Anything but the order's price stays as it is, for the caller to compare.
      amount: minorToDecimal(price === query.amount * 100n ? price : minor),
      currency: found.currency,
      fee: readMinorAsDecimal(found.fees),
      method: readWord(methodOf, found.channel),
      ...cardOf(found),
      ...senderOf(found),
      paidAt: readTime(found.paid_at),
      reversed,
    },
  };
}

/** `authorization.country_code` and `last4` of a transaction (https://paystack.com/docs/api/transaction/#verify), of cards alone. */
function cardOf({ channel, authorization }: Transaction): Pick<ReceivedPayment, 'cardCountry' | 'cardLast4'> {
  if (readWord(methodOf, channel) !== 'CARD') return {};
  const country = readCardCountry(authorization?.country_code);
  const last4 = cardLast4Of(authorization?.last4);
  return country === null ? last4 : { cardCountry: country, ...last4 };
}

/**
 * `authorization.sender_*` of a transfer, the number masked: `XXXXXXX553` ("Pay with transfer, charge.success",
 * https://paystack.com/docs/payments/payment-channels/#pay-with-transfer).
 */
function senderOf({ channel, authorization }: Transaction): Pick<ReceivedPayment, 'payer'> {
  if (readWord(methodOf, channel) !== 'TRANSFER') return {};
  const { sender_bank: bank, sender_name: name, sender_bank_account_number: accountNumber } = authorization ?? {};
  return payerOf({ bank, name, accountNumber });
}

/**
 * Merchants may have Paystack add its fee on top of the price. The customer then pays more than requested by exactly that fee, and the
 * price is what was received.
 */
export function withoutAddedFees(amount: bigint, paid: Pick<Transaction, 'fees' | 'requested_amount'>): bigint {
  const fees = readMinor(paid.fees);
  const requested = readMinor(paid.requested_amount);
  return fees !== null && requested !== null && amount > requested && amount - requested === fees ? requested : amount;
}

/** The failure of an answer with a row of the other mode, or null. Rows without a domain are taken as the account's. */
export function otherModeOf(
  { mode }: AccountAccess,
  rows: readonly { readonly domain?: string | null | undefined }[],
): Failure | null {
  const isOther = rows.some(({ domain }) => (domain === 'test' || domain === 'live') && domain !== mode);
  const message = `${api.title} answered from another mode, the account is ${mode}.`;
  return isOther ? failure('our_configuration', 'invalid_credentials', message) : null;
}
