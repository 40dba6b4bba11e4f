import { readMinorAsDecimal } from '../amount.ts';
import type { VerifyQuery } from '../gateway.ts';
import { evaluateState, otherReference, readWord, unpaid, unreadableAmount, type Verdict } from '../states.ts';
import { api } from './api.ts';
import { methodOf } from './settings.ts';
import { type Transaction, transactionStateOf } from './wire.ts';

/**
 * The outcome of a payment from its transaction, which must have our reference. A failed one is a try that was declined: Squad lets the
 * customer try again on the same page.
 */
export function evaluateTransaction(found: Transaction, query: VerifyQuery): Verdict {
  if (found.transaction_ref !== query.reference) return otherReference(api.title);
  const { transaction_status: status } = found;
  return evaluateState(api, transactionStateOf(status), status.toLowerCase(), {
    received: () => received(found),
    unpaid: (row) => unpaid(row, `${api.title} reports that the payment failed.`),
  });
}

function received(found: Transaction): Verdict {
  const amount = readMinorAsDecimal(found.transaction_amount);
  if (amount === null) return unreadableAmount(api.title, 'a count of kobo');
  return {
    outcome: 'yes',
    value: {
      reference: found.transaction_ref,
      transactionId: found.transaction_ref,
      amount,
      currency: found.transaction_currency_id,
      fee: null,
      method: readWord(methodOf, found.transaction_type?.toLowerCase()),
      // `created_at` is when the transaction began, and a placeholder in some answers.
      paidAt: null,
      reversed: false,
    },
  };
}
