import { readDecimal, type WireAmount } from '../amount.ts';
import type { ErrorCode, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { payerOf } from '../payers.ts';
import type { Redactor } from '../redact.ts';
import { evaluateState, otherReference, readState, readWord, unpaid, unreadableAmount, type Verdict } from '../states.ts';
import { api } from './api.ts';
import { methodOf } from './settings.ts';
import { acceptedAmount, type Charge, chargeStates } from './wire.ts';

/**
 * The outcome of a payment from its charge, which must have our reference. A failed or expired one is not paid, unless the
 * same answer says that money was transferred: that proves neither payment nor its absence, and staff have to look. Later money is
 * found by verifying again.
 */
export function evaluateCharge(found: Charge, query: VerifyQuery, redactor: Redactor): Verdict {
  if (found.reference !== query.reference) return otherReference(api.title);
  return evaluateState(api, readState(chargeStates, found.status), found.status, {
    received: () => received(found, acceptedAmount(found)),
    unpaid: (row) => refused(found, row, redactor),
  });
}

function received(found: Charge, money: WireAmount, doubt?: string): Verdict {
  const amount = readDecimal(money);
  if (amount === null) return unreadableAmount(api.title, 'a decimal number');
  return {
    outcome: 'yes',
    value: {
      reference: found.reference,
      transactionId: found.reference,
      amount,
      currency: found.currency,
      fee: readDecimal(found.fee),
      method: readWord(methodOf, found.payment_method),
      ...payerIn(found),
      paidAt: null,
      reversed: false,
      ...(doubt !== undefined && { doubt }),
    },
  };
}

/**
 * `virtual_bank_account_details.payer_bank_account` of a transfer ("Virtual bank accounts (NGN), webhook",
 * https://developers.korapay.com/docs/virtual-bank-accounts-ngn).
 */
function payerIn({ virtual_bank_account_details: details }: Charge): Pick<ReceivedPayment, 'payer'> {
  const account = details?.payer_bank_account;
  return payerOf({ bank: account?.bank_name, name: account?.account_name, accountNumber: account?.account_number });
}

/** Kora keeps or returns an underpayment by a preference on its dashboard: the answer does not say which. */
function refused(found: Charge, row: ErrorCode, redactor: Redactor): Verdict {
  const { amount_paid: paid, status, message } = found;
  if (paid !== null && paid !== undefined && readDecimal(paid) !== '0') {
    const doubt = `Kora reports a transfer for a charge that is ${status}, and may have returned it: see its dashboard.`;
    return received(found, paid, doubt);
  }
  return unpaid(row, `Kora reports that the payment failed: ${redactor.text(message ?? status)}`);
}
