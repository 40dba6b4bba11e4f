import { readDecimal } from '../amount.ts';
import type { VerifyQuery } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { cardLast4Of } from '../payers.ts';
import type { Redactor } from '../redact.ts';
import {
  evaluateState,
  otherReference,
  type PaymentState,
  readState,
  readWord,
  unpaid,
  unreadableAmount,
  type Verdict,
} from '../states.ts';
import { api } from './api.ts';
import { methodOf } from './settings.ts';
import { isOwnReference, type Transaction, transactionStates } from './wire.ts';

/** Meaning of a status in either case. */
export function stateOf(status: string): PaymentState | 'unrecognised' {
  return readState(transactionStates, status.toUpperCase());
}

/** The outcome of a payment from its transaction, which must have our reference. */
export function evaluateTransaction(found: Transaction, query: VerifyQuery, redactor: Redactor): Verdict {
  if (!isOwnReference(found.onlineCheckoutOrderReference, query.reference)) return otherReference(api.title);
  return evaluateState(api, stateOf(found.status), found.status.toUpperCase(), {
    received: () => received(found, query),
    unpaid: (row) => unpaid(row, `Nomba reports that the payment failed: ${redactor.text(found.gatewayMessage ?? found.status)}`),
  });
}

/** `amount` is what arrived, and `fixedCharge` the fee of it: 2.8 of 202.8 in the documented sample, 1.4%. */
function received(found: Transaction, { reference }: VerifyQuery): Verdict {
  const amount = readDecimal(found.amount);
  if (amount === null) return unreadableAmount(api.title, 'a decimal number');
  return {
    outcome: 'yes',
    value: {
      reference,
      transactionId: found.id,
      amount,
      currency: found.currency,
      fee: readDecimal(found.fixedCharge),
      method: readWord(methodOf, found.onlineCheckoutPaymentMethod),
      // `543462 **** **** 2808`
      ...cardLast4Of(found.onlineCheckoutCardPan?.replaceAll(' ', '')),
      paidAt: readTime(found.timeCreated),
      reversed: false,
    },
  };
}
