import { differenceOf, isMoney, ourCount, type Pair, pairPayments, theirCount } from './compare-payments.ts';
import { differenceOfRefund, ourRefundCount, pairRefunds, type RefundPair, theirRefundCount } from './compare-refunds.ts';
import type { Day } from './days.ts';
import { addDecimals } from './decimals.ts';
import type { Comparison, Counted, CurrencyTotals, Ledger, Statement } from './ledger.ts';

/**
 * Compares one account's day. The same whatever order the lists come in and however often a row is in them. In each currency
 * the gateway's total less ours is exactly the sum of what the differences count.
 */
export function reconcile(theirs: Statement, books: Ledger, day: Pick<Day, 'from' | 'to'>): Comparison {
  const payments = pairPayments(theirs, books, day);
  const refunds = pairRefunds(theirs, books, day);
  const differences = [...payments.map(differenceOf), ...refunds.map(differenceOfRefund)].filter((found) => found !== null);
  return {
    differences,
    totals: totalsOf(payments, refunds),
    fees: payments.flatMap(({ theirs: row, ours }) =>
      row?.status === 'paid' && row.fee !== null && ours?.lacksFee ? [{ paymentId: ours.paymentId, fee: row.fee }] : [],
    ),
    askAgain: unseen(payments, books),
  };
}

/** Money the gateway has for attempts of ours that we hold unpaid, or a second time for one that is paid. */
function unseen(pairs: readonly Pair[], books: Ledger): Comparison['askAgain'] {
  const attempts = new Map(books.payments.map((payment) => [payment.reference, payment]));
  return pairs.flatMap(({ theirs, ours, duplicate }) => {
    if (theirs === null || theirs.status !== 'paid' || theirs.reference === null || duplicate !== null || ourCount(ours) !== null)
      return [];
    const attempt = attempts.get(theirs.reference);
    return attempt === undefined ? [] : [{ attemptId: attempt.attemptId, transactionId: theirs.transactionId }];
  });
}

type Column = 'ours' | 'theirs' | 'oursRefunded' | 'theirsRefunded';

function totalsOf(payments: readonly Pair[], refunds: readonly RefundPair[]): CurrencyTotals[] {
  const sums = new Map<string, Record<Column, { count: number; amount: string }> & { fees: string }>();
  const of = (currency: string) => {
    const known = sums.get(currency) ?? { ...empty(), fees: '0' };
    sums.set(currency, known);
    return known;
  };
  const count = (column: Column, counted: Counted | null) => {
    if (counted === null) return;
    const sum = of(counted.currency);
    sum[column] = { count: sum[column].count + 1, amount: addDecimals(sum[column].amount, counted.amount) };
  };
  for (const { theirs, ours, duplicate } of payments) {
    count('theirs', theirCount(theirs));
    count('ours', duplicate ?? ourCount(ours));
    if (theirs !== null && isMoney(theirs) && theirs.fee !== null) {
      const sum = of(theirs.currency);
      sum.fees = addDecimals(sum.fees, theirs.fee);
    }
  }
  for (const { theirs, ours } of refunds) {
    count('theirsRefunded', theirRefundCount(theirs, ours));
    count('oursRefunded', ourRefundCount(ours));
  }
  return [...sums].map(([currency, sum]) => ({ currency, ...sum })).sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

function empty(): Record<Column, { count: number; amount: string }> {
  const none = { count: 0, amount: '0' };
  return { ours: none, theirs: none, oursRefunded: none, theirsRefunded: none };
}
