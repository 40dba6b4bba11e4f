import { addDecimals, sameDecimal } from '@switchyard/db/decimals';
import type { ListedPayment } from '@switchyard/gateways';
import {
  isMoney,
  isReturned,
  ledgerCount,
  matchPayments,
  type PaymentMatch,
  paymentDiscrepancyOf,
  statementCount,
} from './compare-payments.ts';
import {
  ledgerRefundCount,
  matchRefunds,
  type RefundMatch,
  refundDiscrepancyOf,
  statementRefundCount,
} from './compare-refunds.ts';
import type { Day } from './days.ts';
import type { Comparison, Counted, CurrencyTotals, Ledger, LedgerPayment, Statement } from './ledger.ts';

/**
 * Compares one account's day. The same whatever order the lists come in and however often a row is in them. In each currency
 * the statement's total less the ledger's is exactly the sum of the discrepancies.
 */
export function reconcile(statement: Statement, ledger: Ledger, day: Pick<Day, 'from' | 'to'>): Comparison {
  const payments = matchPayments(statement, ledger, day);
  const refunds = matchRefunds(statement, ledger, day);
  const discrepancies = [...payments.map(paymentDiscrepancyOf), ...refunds.map(refundDiscrepancyOf)].filter(
    (found) => found !== null,
  );
  return {
    discrepancies,
    totals: totalsOf(payments, refunds),
    fees: payments.flatMap(({ statement: row, ledger: entry }) =>
      row?.status === 'paid' && row.fee !== null && entry?.lacksFee ? [{ paymentId: entry.paymentId, fee: row.fee }] : [],
    ),
    attemptsToVerify: attemptsToCheck(payments, ledger),
  };
}

/** Attempts that are paid on the statement and not in the ledger, paid twice, or reversed on one side alone. */
function attemptsToCheck(matches: readonly PaymentMatch[], ledger: Ledger): Comparison['attemptsToVerify'] {
  const attempts = new Map(ledger.payments.map((payment) => [payment.reference, payment]));
  return matches.flatMap(({ statement, ledger: entry, duplicate }) => {
    if (statement !== null && entry?.paid && hasOtherReversal(statement, entry)) {
      return [{ attemptId: entry.attemptId, transactionId: statement.transactionId }];
    }
    if (
      statement === null ||
      statement.status !== 'paid' ||
      statement.reference === null ||
      duplicate !== null ||
      ledgerCount(entry) !== null
    )
      return [];
    const attempt = attempts.get(statement.reference);
    return attempt === undefined ? [] : [{ attemptId: attempt.attemptId, transactionId: statement.transactionId }];
  });
}

/** True if money went back by the statement and not by the ledger, or has come again since. */
function hasOtherReversal(statement: ListedPayment, ledger: LedgerPayment): boolean {
  if (statement.status === 'reversed') return !isReturned(ledger);
  return statement.status === 'paid' && !sameDecimal(ledger.reversed, '0');
}

type Column = 'ledger' | 'statement' | 'ledgerRefunded' | 'statementRefunded';

function totalsOf(payments: readonly PaymentMatch[], refunds: readonly RefundMatch[]): CurrencyTotals[] {
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
  for (const { statement, ledger, duplicate } of payments) {
    count('statement', statementCount(statement));
    count('ledger', duplicate ?? ledgerCount(ledger));
    if (statement !== null && isMoney(statement) && statement.fee !== null) {
      const sum = of(statement.currency);
      sum.fees = addDecimals(sum.fees, statement.fee);
    }
  }
  for (const { statement, ledger } of refunds) {
    count('statementRefunded', statementRefundCount(statement, ledger));
    count('ledgerRefunded', ledgerRefundCount(ledger));
  }
  return [...sums].map(([currency, sum]) => ({ currency, ...sum })).sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

function empty(): Record<Column, { count: number; amount: string }> {
  const none = { count: 0, amount: '0' };
  return { ledger: none, statement: none, ledgerRefunded: none, statementRefunded: none };
}
