import { mainToMinor, minorToDecimal, readDecimal } from '../amount.ts';
import type { ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { payerOf } from '../payers.ts';
import { evaluateState, otherReference, readState, readWord, unpaid, unreadableAmount, type Verdict } from '../states.ts';
import { api } from './api.ts';
import { methodOf } from './settings.ts';
import { readMonnifyTime, type Transaction, transactionStates } from './wire.ts';

/** The outcome of a payment from its transaction, which must have our reference. */
export function evaluateTransaction(found: Transaction, query: VerifyQuery): Verdict {
  if (found.paymentReference !== query.reference) return otherReference(api.title);
  return evaluateState(api, readState(transactionStates, found.paymentStatus), found.paymentStatus, {
    received: (reversed) => received(found, reversed),
    unpaid: (row) => unpaid(row, `Monnify reports that nothing was paid (${found.paymentStatus}).`),
  });
}

/** `amountPaid` is what arrived, whether that was the order's amount, less or more. */
function received(found: Transaction, reversed: boolean): Verdict {
  const amount = readDecimal(found.amountPaid);
  if (amount === null) return unreadableAmount(api.title, 'a decimal number');
  return {
    outcome: 'yes',
    value: {
      reference: found.paymentReference,
      transactionId: found.transactionReference,
      amount,
      currency: found.currency,
      fee: feeOf(amount, readDecimal(found.settlementAmount)),
      method: readWord(methodOf, found.paymentMethod),
      ...sourceOf(found),
      paidAt: readMonnifyTime(found.paidOn),
      reversed,
    },
  };
}

/**
 * `accountDetails` of a transfer, else the first of `accountPayments` that names anything, the number masked and the bank by its code ("Get
 * Transaction Status", https://teamapt.atlassian.net/wiki/spaces/MON/pages/212008662; "Settlement completion",
 * https://developers.monnify.com/docs/webhooks/event-types#settlement-completion, has a whole transaction). Webhooks about a collection name the
 * same account in `paymentSourceInformation`, which is not read: each is followed by a look-up, as Monnify "highly recommend[s]" ("Get Transaction
 * Status", https://teamapt.atlassian.net/wiki/spaces/MON/pages/213909851).
 */
function sourceOf({ paymentMethod, accountDetails, accountPayments }: Transaction): Pick<ReceivedPayment, 'payer'> {
  if (readWord(methodOf, paymentMethod) !== 'TRANSFER') return {};
  const sources = [accountDetails, ...(accountPayments ?? [])].map((source) =>
    payerOf({ bank: source?.bankCode, name: source?.accountName, accountNumber: source?.accountNumber }),
  );
  return sources.find(({ payer }) => payer !== undefined) ?? {};
}

/** A look-up shows no fee, but what is settled after it: the rest of what was paid. Null where either has more than two decimals. */
function feeOf(paid: string, settled: string | null): string | null {
  const paidKobo = koboOf(paid);
  const settledKobo = koboOf(settled);
  if (paidKobo === null || settledKobo === null || settledKobo > paidKobo) return null;
  return minorToDecimal(paidKobo - settledKobo);
}

function koboOf(decimal: string | null): bigint | null {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal ?? '') ?? [];
  return whole === '' ? null : mainToMinor(BigInt(whole)) + BigInt(fraction.padEnd(2, '0'));
}
