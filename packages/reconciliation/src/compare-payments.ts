import type { ListedPayment } from '@switchyard/gateways';
import type { Day } from './days.ts';
import { sameDecimal } from './decimals.ts';
import type { Counted, FoundDifference, Ledger, LedgerDuplicate, LedgerPayment, Side, Statement } from './ledger.ts';

/** One of theirs beside what we have of it; a side is null where that side knows nothing. */
export interface Pair {
  readonly theirs: ListedPayment | null;
  readonly ours: LedgerPayment | null;
  /** The second money for a payment, where that is what theirs is. */
  readonly duplicate: LedgerDuplicate | null;
}

/**
 * Puts each transaction of theirs beside what is ours, each transaction once. Several transactions may carry one reference: tries
 * that failed before one succeeded, or money that came twice. Where we hold which one paid, only that one speaks for our attempt;
 * else the first that brought money does, or the first of all.
 */
export function pairPayments(theirs: Statement, books: Ledger, day: Pick<Day, 'from' | 'to'>): Pair[] {
  const ours = new Map(books.payments.map((payment) => [payment.reference, payment]));
  const duplicates = new Map(books.duplicates.map((charge) => [charge.transactionId, charge]));
  const listed = [...new Map(theirs.payments.map((row) => [row.transactionId, row])).values()].sort(byIdentity);
  const speaking = new Map<string, string>();
  for (const row of [...listed].sort((a, b) => voiceOf(b) - voiceOf(a))) {
    const own = row.reference === null ? undefined : ours.get(row.reference);
    if (own === undefined || duplicates.has(row.transactionId) || speaking.has(own.reference)) continue;
    const known = own.paid ? own.transactionId : null;
    if (known === null || known === row.transactionId) speaking.set(own.reference, row.transactionId);
  }
  const pairs = listed.map((row): Pair => {
    const own = row.reference === null ? undefined : ours.get(row.reference);
    const speaks = own !== undefined && speaking.get(own.reference) === row.transactionId;
    return { theirs: row, ours: speaks ? own : null, duplicate: duplicates.get(row.transactionId) ?? null };
  });
  const alone = [...ours.values()].filter((own) => {
    const ofDay = own.createdAt >= day.from && own.createdAt < day.to;
    // An attempt whose money came second is compared as the duplicate charge.
    const isDuplicate = own.transactionId !== null && duplicates.has(own.transactionId);
    return own.paid && ofDay && !isDuplicate && !speaking.has(own.reference) && !isElsewhere(own, theirs.elsewhere);
  });
  return [...pairs, ...alone.map((own): Pair => ({ theirs: null, ours: own, duplicate: null }))];
}

function isElsewhere({ transactionId, reference }: LedgerPayment, elsewhere: ReadonlySet<string>): boolean {
  return elsewhere.has(transactionId ?? reference);
}

function byIdentity(a: ListedPayment, b: ListedPayment): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.transactionId < b.transactionId ? -1 : 1);
}

function voiceOf(row: ListedPayment): number {
  if (row.status === 'paid') return 2;
  return row.status === 'reversed' ? 1 : 0;
}

/** Whether a side that lists this counts money by it. */
export function isMoney(row: ListedPayment): boolean {
  return row.status === 'paid' || row.status === 'reversed';
}

/** What differs between the sides of a pair; null when they agree, or when there is nothing yet to agree on. */
export function differenceOf({ theirs, ours, duplicate }: Pair): FoundDifference | null {
  if (theirs === null) return ours === null ? null : found('MISSING_THERE', null, ours);
  if (duplicate !== null) return againstDuplicate(theirs, duplicate);
  if (ours === null) return isMoney(theirs) ? found('MISSING_HERE', theirs, null) : null;
  const kind = kindOf(theirs, ours);
  return kind === null ? null : found(kind, theirs, ours);
}

function kindOf(theirs: ListedPayment, ours: LedgerPayment): 'STATUS' | 'CURRENCY' | 'AMOUNT' | null {
  const held = ourCount(ours);
  if (!isMoney(theirs)) return held === null ? null : 'STATUS';
  if (held === null) return 'STATUS';
  if (theirs.status === 'reversed' && !isReturned(ours)) return 'STATUS';
  if (theirs.currency !== held.currency) return 'CURRENCY';
  return sameDecimal(theirs.amount, held.amount) ? null : 'AMOUNT';
}

/** Whether we know that all the money went back, or is about to. */
function isReturned(ours: LedgerPayment): boolean {
  return !ours.paid || ours.status === 'REFUNDED' || sameDecimal(ours.refunded, ours.amount);
}

function againstDuplicate(theirs: ListedPayment, duplicate: LedgerDuplicate): FoundDifference | null {
  const kind = !isMoney(theirs)
    ? 'STATUS'
    : theirs.currency !== duplicate.currency
      ? 'CURRENCY'
      : sameDecimal(theirs.amount, duplicate.amount)
        ? null
        : 'AMOUNT';
  if (kind === null) return null;
  const { paymentId, reference, transactionId, amount, currency, state } = duplicate;
  return {
    ...{ kind, about: 'payment', subject: `transaction/${transactionId}`, paymentId, refundId: null, reference, transactionId },
    ours: { status: 'DUPLICATE', charge: state, amount, currency, reference, transactionId, paymentId },
    theirs: theirSide(theirs),
    counted: { ours: { amount, currency }, theirs: theirCount(theirs) },
  };
}

function found(kind: FoundDifference['kind'], theirs: ListedPayment | null, ours: LedgerPayment | null): FoundDifference {
  return {
    kind,
    about: 'payment',
    subject: theirs === null ? `reference/${ours?.reference}` : `transaction/${theirs.transactionId}`,
    paymentId: ours?.paymentId ?? null,
    refundId: null,
    reference: ours?.reference ?? theirs?.reference ?? null,
    transactionId: theirs?.transactionId ?? ours?.transactionId ?? null,
    ours: ours === null ? null : ourSide(ours),
    theirs: theirs === null ? null : theirSide(theirs),
    counted: { ours: ourCount(ours), theirs: theirCount(theirs) },
  };
}

/**
 * What we count of an attempt: money that we hold came. Money that did not match the order never makes an attempt paid; when it
 * went back, it is what went back that came.
 */
export function ourCount(ours: LedgerPayment | null): Counted | null {
  if (ours === null) return null;
  if (ours.paid) return { amount: ours.amount, currency: ours.currency };
  return sameDecimal(ours.refunded, '0') ? null : { amount: ours.refunded, currency: ours.currency };
}

export function theirCount(theirs: ListedPayment | null): Counted | null {
  return theirs !== null && isMoney(theirs) ? { amount: theirs.amount, currency: theirs.currency } : null;
}

function ourSide(ours: LedgerPayment): Side {
  const { paymentId, merchantOrderId, reference, transactionId, status, amount, currency, underReview, refunded } = ours;
  const at = ours.paidAt?.toISOString() ?? null;
  return {
    ...{ paymentId, merchantOrderId, reference, transactionId, status, underReview, paid: ours.paid },
    ...{ amount, currency, refunded, createdAt: ours.createdAt.toISOString(), paidAt: at },
  };
}

function theirSide({ reference, transactionId, status, amount, currency, method, createdAt, paidAt, fee }: ListedPayment): Side {
  const times = { createdAt: createdAt.toISOString(), paidAt: paidAt?.toISOString() ?? null };
  return { reference, transactionId, status, amount, currency, fee, method, ...times };
}
