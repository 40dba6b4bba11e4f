import type { ListedRefund } from '@switchyard/gateways';
import type { Day } from './days.ts';
import { sameDecimal } from './decimals.ts';
import type { Counted, FoundDifference, Ledger, LedgerRefund, Side, Statement } from './ledger.ts';

export interface RefundPair {
  readonly theirs: ListedRefund | null;
  readonly ours: LedgerRefund | null;
}

/** Puts each refund of theirs beside ours: by the gateway's id, or by our reference in the text it was sent in. */
export function pairRefunds(theirs: Statement, books: Ledger, day: Pick<Day, 'from' | 'to'>): RefundPair[] {
  const byId = new Map(
    books.refunds.flatMap((refund) => (refund.gatewayRefundId === null ? [] : [[refund.gatewayRefundId, refund]])),
  );
  const byReference = new Map(books.refunds.map((refund) => [refund.reference, refund]));
  const listed = [...new Map(theirs.refunds.map((row) => [row.gatewayRefundId, row])).values()].sort(byIdentity);
  const met = new Set<LedgerRefund>();
  const pairs = listed.map((row): RefundPair => {
    const named = namesIn(row.note).map((name) => byReference.get(name));
    const ours = byId.get(row.gatewayRefundId) ?? named.find((refund) => refund?.gatewayRefundId === null) ?? null;
    if (ours !== null && met.has(ours)) return { theirs: row, ours: null };
    if (ours !== null) met.add(ours);
    return { theirs: row, ours };
  });
  const alone = books.refunds.filter((refund) => {
    const ofDay = refund.createdAt >= day.from && refund.createdAt < day.to;
    return ofDay && isSent(refund) && !met.has(refund) && !isElsewhere(refund, theirs.elsewhere);
  });
  return [...pairs, ...alone.map((refund): RefundPair => ({ theirs: null, ours: refund }))];
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

/** Whether the gateway must know of it: it took it, or has ended it well. */
function isSent({ state, gatewayRefundId }: LedgerRefund): boolean {
  return state === 'SUCCEEDED' || (gatewayRefundId !== null && state !== 'FAILED');
}

export function differenceOfRefund({ theirs, ours }: RefundPair): FoundDifference | null {
  if (theirs === null) return ours === null ? null : found('MISSING_THERE', null, ours);
  if (ours === null) return theirs.state === 'failed' ? null : found('MISSING_HERE', theirs, null);
  if (stageOf(ours.state) !== stageOf(theirs.state)) return found('STATUS', theirs, ours);
  if (theirs.currency !== null && theirs.currency !== ours.currency) return found('CURRENCY', theirs, ours);
  return sameDecimal(theirs.amount, ours.amount) ? null : found('AMOUNT', theirs, ours);
}

/** Both sides' words for where a refund stands. Under way is under way, whoever has to move next. */
function stageOf(state: LedgerRefund['state'] | ListedRefund['state']): 'under_way' | 'done' | 'failed' {
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
    default: {
      const never: never = state;
      return never;
    }
  }
}

function found(kind: FoundDifference['kind'], theirs: ListedRefund | null, ours: LedgerRefund | null): FoundDifference {
  return {
    kind,
    about: 'refund',
    subject: theirs === null ? `refund-reference/${ours?.reference}` : `refund/${theirs.gatewayRefundId}`,
    paymentId: ours?.paymentId ?? null,
    refundId: ours?.refundId ?? null,
    reference: ours?.reference ?? theirs?.paymentReference ?? null,
    transactionId: theirs?.transactionId ?? null,
    ours: ours === null ? null : ourSide(ours),
    theirs: theirs === null ? null : theirSide(theirs),
    counted: { ours: ourRefundCount(ours), theirs: theirRefundCount(theirs, ours) },
  };
}

/** Refunds count until they have failed. */
export function ourRefundCount(ours: LedgerRefund | null): Counted | null {
  return ours === null || ours.state === 'FAILED' ? null : { amount: ours.amount, currency: ours.currency };
}

/** Some lists leave the currency out; it is then that of ours, or the market's. */
export function theirRefundCount(theirs: ListedRefund | null, ours: LedgerRefund | null): Counted | null {
  if (theirs === null || theirs.state === 'failed') return null;
  return { amount: theirs.amount, currency: theirs.currency ?? ours?.currency ?? 'NGN' };
}

function ourSide(ours: LedgerRefund): Side {
  const { refundId, paymentId, reference, gatewayRefundId, state, amount, currency } = ours;
  return {
    refundId,
    paymentId,
    reference,
    gatewayRefundId,
    status: state,
    amount,
    currency,
    createdAt: ours.createdAt.toISOString(),
  };
}

function theirSide({ gatewayRefundId, transactionId, state, amount, currency, note, createdAt }: ListedRefund): Side {
  return { gatewayRefundId, transactionId, status: state, amount, currency, note, createdAt: createdAt.toISOString() };
}
