import { mainToMinor, minorToDecimal, readDecimal, type WireAmount } from '../amount.ts';
import type { Failure, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { failure, unrecognisedStatus } from '../outcomes.ts';
import { methodOf } from './settings.ts';
import { readMonnifyTime, type Transaction, transactionStateOf } from './wire.ts';

/** An outcome before its call is attached. */
export type Verdict =
  | { readonly outcome: 'yes'; readonly value: ReceivedPayment }
  | { readonly outcome: 'no' | 'unknown'; readonly failure: Failure };

/** The outcome of a payment from its transaction, which must have our reference. */
export function evaluateTransaction(found: Transaction, query: VerifyQuery): Verdict {
  if (found.paymentReference !== query.reference) {
    return unknown('provider_fault', 'reference_mismatch', 'Monnify answered about another reference.');
  }
  const state = transactionStateOf(found.paymentStatus);
  switch (state) {
    case 'paid':
    case 'reversed':
      return received(found, state === 'reversed');
    case 'failed': {
      const message = `Monnify reports that nothing was paid (${found.paymentStatus}).`;
      return { outcome: 'no', failure: failure('customer', 'declined', message) };
    }
    case 'unfinished':
      return unknown('customer', 'not_paid_yet', `The customer has not finished paying (${found.paymentStatus}).`);
    case 'unrecognised':
      return { outcome: 'unknown', failure: unrecognisedStatus('Monnify', found.paymentStatus) };
    default:
      return state satisfies never;
  }
}

/** `amountPaid` is what arrived, whether that was the order's amount, less or more. */
function received(found: Transaction, reversed: boolean): Verdict {
  const amount = readDecimal(found.amountPaid);
  if (amount === null) {
    return unknown('provider_fault', 'malformed_answer', 'Monnify gave an amount that is not a decimal number.');
  }
  const value: ReceivedPayment = {
    reference: found.paymentReference,
    transactionId: found.transactionReference,
    amount,
    currency: found.currency,
    fee: feeOf(amount, found.settlementAmount),
    method: methodOf[found.paymentMethod ?? ''] ?? null,
    paidAt: readMonnifyTime(found.paidOn),
    reversed,
  };
  return { outcome: 'yes', value };
}

/** A look-up shows no fee, but what is settled after it: the rest of what was paid. Null where either has more than two decimals. */
function feeOf(paid: string, settled: WireAmount | null | undefined): string | null {
  const paidKobo = koboOf(paid);
  const settledKobo = koboOf(settled === null || settled === undefined ? null : readDecimal(settled));
  if (paidKobo === null || settledKobo === null || settledKobo > paidKobo) return null;
  return minorToDecimal(paidKobo - settledKobo);
}

function koboOf(decimal: string | null): bigint | null {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal ?? '') ?? [];
  return whole === '' ? null : mainToMinor(BigInt(whole)) + BigInt(fraction.padEnd(2, '0'));
}

function unknown(of: Failure['class'], code: Failure['code'], message: string): Verdict {
  return { outcome: 'unknown', failure: failure(of, code, message) };
}
