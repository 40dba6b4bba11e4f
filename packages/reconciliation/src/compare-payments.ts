import { addDecimals, compareDecimals, sameDecimal } from '@switchyard/db/decimals';
import type { ListedPayment } from '@switchyard/gateways';
import type { Day } from './days.ts';
import type { Counted, FoundDiscrepancy, Ledger, LedgerDuplicate, LedgerPayment, Side, Statement } from './ledger.ts';

/** A statement row with its ledger entry; null where that side has none. */
export interface PaymentMatch {
  readonly statement: ListedPayment | null;
  readonly ledger: LedgerPayment | null;
  /** The duplicate charge, where the statement row is one. */
  readonly duplicate: LedgerDuplicate | null;
}

/**
 * Matches each statement transaction with its ledger entry, once. Several transactions may have one reference: failed tries before a
 * successful one, or duplicate payments. If the ledger has which one paid, only that one matches the attempt; else the first paid one,
 * or the first of all.
 */
export function matchPayments(statement: Statement, ledger: Ledger, day: Pick<Day, 'from' | 'to'>): PaymentMatch[] {
  const byReference = new Map(ledger.payments.map((payment) => [payment.reference, payment]));
  const duplicates = new Map(ledger.duplicates.map((charge) => [charge.transactionId, charge]));
  const listed = [...new Map(statement.payments.map((row) => [row.transactionId, row])).values()].sort(byIdentity);
  const matched = new Map<string, string>();
  for (const row of [...listed].sort((a, b) => priorityOf(b) - priorityOf(a))) {
    const own = row.reference === null ? undefined : byReference.get(row.reference);
    if (own === undefined || duplicates.has(row.transactionId) || matched.has(own.reference)) continue;
    const known = own.paid ? own.transactionId : null;
    if (known === null || known === row.transactionId) matched.set(own.reference, row.transactionId);
  }
  const pairs = listed.map((row): PaymentMatch => {
    const own = row.reference === null ? undefined : byReference.get(row.reference);
    const isMatch = own !== undefined && matched.get(own.reference) === row.transactionId;
    return { statement: row, ledger: isMatch ? own : null, duplicate: duplicates.get(row.transactionId) ?? null };
  });
  const unlisted = [...byReference.values()].filter((own) => {
    const ofDay = own.createdAt >= day.from && own.createdAt < day.to;
    // An attempt whose money came second is compared as the duplicate charge.
    const isDuplicate = own.transactionId !== null && duplicates.has(own.transactionId);
    return own.paid && ofDay && !isDuplicate && !matched.has(own.reference) && !isElsewhere(own, statement.elsewhere);
  });
  return [...pairs, ...unlisted.map((own): PaymentMatch => ({ statement: null, ledger: own, duplicate: null }))];
}

function isElsewhere({ transactionId, reference }: LedgerPayment, elsewhere: ReadonlySet<string>): boolean {
  return elsewhere.has(transactionId ?? reference);
}

function byIdentity(a: ListedPayment, b: ListedPayment): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.transactionId < b.transactionId ? -1 : 1);
}

function priorityOf(row: ListedPayment): number {
  if (row.status === 'paid') return 2;
  return row.status === 'reversed' ? 1 : 0;
}

/** True if a statement row counts as money. */
export function isMoney(row: ListedPayment): boolean {
  return row.status === 'paid' || row.status === 'reversed';
}

/** The discrepancy of a match; null when both sides agree, or have nothing to compare yet. */
export function paymentDiscrepancyOf({ statement, ledger, duplicate }: PaymentMatch): FoundDiscrepancy | null {
  if (statement === null) return ledger === null ? null : found('MISSING_THERE', null, ledger);
  if (duplicate !== null) return againstDuplicate(statement, duplicate);
  if (ledger === null) return isMoney(statement) ? found('MISSING_HERE', statement, null) : null;
  const kind = kindOf(statement, ledger);
  return kind === null ? null : found(kind, statement, ledger);
}

function kindOf(statement: ListedPayment, ledger: LedgerPayment): 'STATUS' | 'CURRENCY' | 'AMOUNT' | null {
  const counted = ledgerCount(ledger);
  if (!isMoney(statement)) return counted === null ? null : 'STATUS';
  if (counted === null) return 'STATUS';
  if (statement.status === 'reversed' && !isReturned(ledger)) return 'STATUS';
  if (statement.currency !== counted.currency) return 'CURRENCY';
  return sameDecimal(statement.amount, counted.amount) ? null : 'AMOUNT';
}

/** True if the ledger has the whole amount refunded, being refunded, or taken back by the gateway. */
export function isReturned(ledger: LedgerPayment): boolean {
  const returned = addDecimals(ledger.refunded, ledger.reversed);
  return !ledger.paid || ledger.status === 'REFUNDED' || compareDecimals(returned, ledger.amount) >= 0;
}

function againstDuplicate(statement: ListedPayment, duplicate: LedgerDuplicate): FoundDiscrepancy | null {
  const kind = !isMoney(statement)
    ? 'STATUS'
    : statement.currency !== duplicate.currency
      ? 'CURRENCY'
      : sameDecimal(statement.amount, duplicate.amount)
        ? null
        : 'AMOUNT';
  if (kind === null) return null;
  const { paymentId, reference, transactionId, amount, currency, state } = duplicate;
  return {
    kind,
    about: 'payment',
    subject: `transaction/${transactionId}`,
    paymentId,
    refundId: null,
    reference,
    transactionId,
    ledger: { status: 'DUPLICATE', charge: state, amount, currency, reference, transactionId, paymentId },
    statement: statementSide(statement),
    counted: { ledger: { amount, currency }, statement: statementCount(statement) },
  };
}

function found(kind: FoundDiscrepancy['kind'], statement: ListedPayment | null, ledger: LedgerPayment | null): FoundDiscrepancy {
  return {
    kind,
    about: 'payment',
    subject: statement === null ? `reference/${ledger?.reference}` : `transaction/${statement.transactionId}`,
    paymentId: ledger?.paymentId ?? null,
    refundId: null,
    reference: ledger?.reference ?? statement?.reference ?? null,
    transactionId: statement?.transactionId ?? ledger?.transactionId ?? null,
    ledger: ledger === null ? null : ledgerSide(ledger),
    statement: statement === null ? null : statementSide(statement),
    counted: { ledger: ledgerCount(ledger), statement: statementCount(statement) },
  };
}

/**
 * The money the ledger counts for an attempt. Mismatched money never makes an attempt paid: what was refunded of it counts.
 */
export function ledgerCount(ledger: LedgerPayment | null): Counted | null {
  if (ledger === null) return null;
  if (ledger.paid) return { amount: ledger.amount, currency: ledger.currency };
  return sameDecimal(ledger.refunded, '0') ? null : { amount: ledger.refunded, currency: ledger.currency };
}

/** Contribution of the statement's payment to its total; null when it brought no money. */
export function statementCount(statement: ListedPayment | null): Counted | null {
  return statement !== null && isMoney(statement) ? { amount: statement.amount, currency: statement.currency } : null;
}

function ledgerSide(ledger: LedgerPayment): Side {
  const { paymentId, merchantOrderId, reference, transactionId, status, amount, currency, underReview, refunded, reversed } =
    ledger;
  const at = ledger.paidAt?.toISOString() ?? null;
  return {
    paymentId,
    merchantOrderId,
    reference,
    transactionId,
    status,
    underReview,
    paid: ledger.paid,
    amount,
    currency,
    refunded,
    reversed,
    createdAt: ledger.createdAt.toISOString(),
    paidAt: at,
  };
}

function statementSide({
  reference,
  transactionId,
  status,
  amount,
  currency,
  method,
  createdAt,
  paidAt,
  fee,
}: ListedPayment): Side {
  const times = { createdAt: createdAt.toISOString(), paidAt: paidAt?.toISOString() ?? null };
  return { reference, transactionId, status, amount, currency, fee, method, ...times };
}
