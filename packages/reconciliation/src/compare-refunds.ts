import { sameDecimal } from '@switchyard/db/decimals';
import type { ListedRefund } from '@switchyard/gateways';
import type { Day } from './days.ts';
import type { Counted, FoundDiscrepancy, Ledger, LedgerRefund, Side, Statement } from './ledger.ts';

/** One refund on both sides; null where a side lacks it. */
export interface RefundMatch {
  readonly statement: ListedRefund | null;
  readonly ledger: LedgerRefund | null;
}

/**
 * Matches each statement refund with the ledger: by the gateway's id, or by our reference in its note. Matches none where the gateway
 * lists no refunds.
 */
export function matchRefunds(statement: Statement, ledger: Ledger, day: Pick<Day, 'from' | 'to'>): RefundMatch[] {
  if (statement.refunds === null) return [];
  const byId = new Map(
    ledger.refunds.flatMap((refund) => (refund.gatewayRefundId === null ? [] : [[refund.gatewayRefundId, refund]])),
  );
  const byReference = new Map(ledger.refunds.map((refund) => [refund.reference, refund]));
  const listed = [...new Map(statement.refunds.map((row) => [row.gatewayRefundId, row])).values()].sort(byIdentity);
  const matched = new Set<LedgerRefund>();
  const pairs = listed.map((row): RefundMatch => {
    const named = namesIn(row.note).map((name) => byReference.get(name));
    const own = byId.get(row.gatewayRefundId) ?? named.find((refund) => refund?.gatewayRefundId === null) ?? null;
    if (own !== null && matched.has(own)) return { statement: row, ledger: null };
    if (own !== null) matched.add(own);
    return { statement: row, ledger: own };
  });
  const unlisted = ledger.refunds.filter((refund) => {
    const ofDay = refund.createdAt >= day.from && refund.createdAt < day.to;
    return ofDay && isSent(refund) && !matched.has(refund) && !isElsewhere(refund, statement.elsewhere);
  });
  return [...pairs, ...unlisted.map((refund): RefundMatch => ({ statement: null, ledger: refund }))];
}

/** The words of a refund's text, among which our reference is. */
export function namesIn(note: string | null): string[] {
  return (note ?? '').split(/\s+/).filter((word) => word !== '');
}

function byIdentity(a: ListedRefund, b: ListedRefund): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.gatewayRefundId < b.gatewayRefundId ? -1 : 1);
}

function isElsewhere(refund: LedgerRefund, elsewhere: ReadonlySet<string>): boolean {
  return elsewhere.has(refund.reference) || (refund.gatewayRefundId !== null && elsewhere.has(refund.gatewayRefundId));
}

/** True if the gateway must list it: it accepted it, or it succeeded. */
function isSent({ state, gatewayRefundId }: LedgerRefund): boolean {
  return state === 'SUCCEEDED' || (gatewayRefundId !== null && state !== 'FAILED');
}

/** The discrepancy of a match; null when both sides agree. A failed refund may be missing in the ledger. */
export function refundDiscrepancyOf({ statement, ledger }: RefundMatch): FoundDiscrepancy | null {
  if (statement === null) return ledger === null ? null : found('MISSING_THERE', null, ledger);
  if (ledger === null) return statement.state === 'failed' ? null : found('MISSING_HERE', statement, null);
  if (progressOf(ledger.state) !== progressOf(statement.state)) return found('STATUS', statement, ledger);
  if (statement.currency !== null && statement.currency !== ledger.currency) return found('CURRENCY', statement, ledger);
  return sameDecimal(statement.amount, ledger.amount) ? null : found('AMOUNT', statement, ledger);
}

/** The progress of a refund in terms common to both sides. */
function progressOf(state: LedgerRefund['state'] | ListedRefund['state']): 'under_way' | 'done' | 'failed' {
  switch (state) {
    case 'REQUESTED':
    case 'PROCESSING':
    case 'NEEDS_ATTENTION':
    case 'processing':
    case 'needs_attention':
      return 'under_way';
    case 'SUCCEEDED':
    case 'succeeded':
      return 'done';
    case 'FAILED':
    case 'failed':
      return 'failed';
    default:
      return state satisfies never;
  }
}

function found(kind: FoundDiscrepancy['kind'], statement: ListedRefund | null, ledger: LedgerRefund | null): FoundDiscrepancy {
  return {
    kind,
    about: 'refund',
    subject: statement === null ? `refund-reference/${ledger?.reference}` : `refund/${statement.gatewayRefundId}`,
    paymentId: ledger?.paymentId ?? null,
    refundId: ledger?.refundId ?? null,
    reference: ledger?.reference ?? statement?.paymentReference ?? null,
    transactionId: statement?.transactionId ?? null,
    ledger: ledger === null ? null : ledgerSide(ledger),
    statement: statement === null ? null : statementSide(statement),
    counted: { ledger: ledgerRefundCount(ledger), statement: statementRefundCount(statement, ledger) },
  };
}

/** Refunds count until they have failed. */
export function ledgerRefundCount(ledger: LedgerRefund | null): Counted | null {
  return ledger === null || ledger.state === 'FAILED' ? null : { amount: ledger.amount, currency: ledger.currency };
}

/** Some lists leave the currency out; it is then the ledger's, or NGN. */
export function statementRefundCount(statement: ListedRefund | null, ledger: LedgerRefund | null): Counted | null {
  if (statement === null || statement.state === 'failed') return null;
  return { amount: statement.amount, currency: statement.currency ?? ledger?.currency ?? 'NGN' };
}

function ledgerSide(ledger: LedgerRefund): Side {
  const { refundId, paymentId, reference, gatewayRefundId, state, amount, currency } = ledger;
  return {
    refundId,
    paymentId,
    reference,
    gatewayRefundId,
    status: state,
    amount,
    currency,
    createdAt: ledger.createdAt.toISOString(),
  };
}

function statementSide({ gatewayRefundId, transactionId, state, amount, currency, note, createdAt }: ListedRefund): Side {
  return { gatewayRefundId, transactionId, status: state, amount, currency, note, createdAt: createdAt.toISOString() };
}
