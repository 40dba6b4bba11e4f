import type { AttemptRecord, PaymentChange, PaymentRecord, PaymentStatus, Refund, RefundState } from '@switchyard/payments/pure';

/** A payment's row, with the columns that no decision reads. */
export interface PaymentRow extends PaymentRecord {
  readonly failureReason: string | null;
  readonly paidAttemptId: string | null;
  readonly receivedAmount: string | null;
  readonly refundedAmount: bigint;
  readonly reviewReason: string | null;
}

export type RefundRow = Pick<
  Refund,
  | 'id'
  | 'state'
  | 'gatewayRefundId'
  | 'createdAt'
  | 'sentAt'
  | 'sendCount'
  | 'heldAt'
  | 'failureMessage'
  | 'nextCheckAt'
  | 'version'
  | 'amount'
  | 'duplicate'
  | 'mismatched'
  | 'attemptId'
  | 'transactionId'
>;

type NewCharge = NonNullable<PaymentChange['duplicateCharge']>;

export interface DuplicateRow extends NewCharge {
  readonly state: 'OPEN' | 'REFUNDING' | 'REFUNDED';
  readonly refundId: string | null;
}

/** An entry of the timeline. */
export interface TimelineRow {
  readonly at: number;
  readonly type: string;
  readonly fromStatus: PaymentStatus | null;
  readonly toStatus: PaymentStatus | null;
  readonly detail: PaymentChange['events'][number]['detail'];
}

type SettledAttempt = Pick<AttemptRecord, 'id' | 'state'>;

/**
 * All rows of one payment, changed as the product's statements change them: a change of a payment by its version, the end of its initiation
 * while it is INITIATED, an attempt's fallback while it is STARTED, a check by its lease, a refund by its version. A row is never changed in
 * place, so that what was read stays as it was.
 */
export class PaymentFile {
  payment: PaymentRow;
  attempts: readonly AttemptRecord[] = [];
  refunds: readonly RefundRow[] = [];
  duplicates: readonly DuplicateRow[] = [];
  readonly timeline: TimelineRow[] = [];
  /** Moves of refunds, in their order. */
  readonly refundMoves: { readonly refundId: string; readonly from: RefundState; readonly to: RefundState }[] = [];
  nextCheckAt: Date | null = null;
  checkCount = 0;

  constructor(payment: PaymentRow) {
    this.payment = payment;
  }

  change(change: PaymentChange, now: Date, ms: number): 'applied' | 'moved_on' | 'known' {
    const { payment } = this;
    const { duplicateCharge, received, attempt, status, events } = change;
    if (change.version !== payment.version) return 'moved_on';
    if (duplicateCharge !== undefined) {
      const { accountId, transactionId } = duplicateCharge;
      const isOwn = this.attempts.some(
        (each) =>
          each.accountId === accountId && each.transactionId === transactionId && each.state === 'PAID' && !each.duplicate,
      );
      if (isOwn || this.duplicates.some((each) => each.transactionId === transactionId)) return 'known';
      this.duplicates = [...this.duplicates, { ...duplicateCharge, state: 'OPEN', refundId: null }];
    }
    const event = events.findLast(({ toStatus }) => toStatus !== null);
    this.payment = {
      ...payment,
      version: payment.version + 1,
      updatedAt: now,
      status: status ?? payment.status,
      failureReason: status === undefined ? payment.failureReason : (change.failureReason ?? null),
      late: change.late ?? payment.late,
      gatewayReference: change.gatewayReference ?? payment.gatewayReference,
      paidAttemptId: change.paidAttemptId ?? payment.paidAttemptId,
      receivedAmount: received?.amount ?? payment.receivedAmount,
      refundedAmount: change.refundedAmount ?? payment.refundedAmount,
      reversal: change.reversal ?? payment.reversal,
      review: change.review?.state ?? payment.review,
      reviewReason: change.review?.reason ?? payment.reviewReason,
      statusEventId: event?.eventId ?? payment.statusEventId,
      statusChangedAt: event === undefined ? payment.statusChangedAt : now,
    };
    if (change.nextCheckAt !== undefined) this.nextCheckAt = change.nextCheckAt;
    if (attempt !== undefined) {
      this.changeAttempt(attempt.attemptId, (before) => ({
        ...before,
        state: attempt.state ?? before.state,
        duplicate: attempt.duplicate ?? before.duplicate,
        receivedAmount: attempt.received?.amount ?? before.receivedAmount,
        receivedCurrency: attempt.received?.currency ?? before.receivedCurrency,
        transactionId: attempt.received?.transactionId ?? before.transactionId,
      }));
    }
    for (const { type, fromStatus, toStatus, detail } of events) this.note(ms, type, fromStatus, toStatus, detail);
    return 'applied';
  }

  /** Records the attempt that is tried next; false where another process has gone on, or has settled the payment. */
  goOn(last: SettledAttempt, next: AttemptRecord): boolean {
    if (this.attempts.find(({ id }) => id === last.id)?.state !== 'STARTED') return false;
    this.changeAttempt(last.id, (before) => ({ ...before, state: last.state }));
    this.attempts = [...this.attempts, next];
    return true;
  }

  /** The end of initiation; false where another process has settled the payment. */
  settle(
    status: 'PENDING' | 'FAILED',
    attempt: SettledAttempt | null,
    nextCheckAt: Date | null,
    failureReason: string | null,
    now: Date,
    ms: number,
  ): boolean {
    const { payment } = this;
    if (payment.status !== 'INITIATED') return false;
    const opened = status === 'PENDING' ? (this.attempts.find(({ id }) => id === attempt?.id) ?? null) : null;
    this.payment = {
      ...payment,
      status,
      failureReason,
      version: payment.version + 1,
      currentAttemptId: opened?.id ?? null,
      gatewayReference: opened?.reference ?? null,
      statusChangedAt: now,
    };
    if (attempt !== null) this.changeAttempt(attempt.id, (before) => ({ ...before, state: attempt.state }));
    this.nextCheckAt = nextCheckAt;
    this.note(ms, status === 'PENDING' ? 'payment.pending' : 'payment.failed', 'INITIATED', status, {});
    return true;
  }

  /** Leases the check that is due; null where another process has it. */
  claim(due: Date, now: Date, leaseMs: number): Date | null {
    if (this.nextCheckAt !== due) return null;
    this.nextCheckAt = new Date(now.getTime() + leaseMs);
    this.checkCount += 1;
    return this.nextCheckAt;
  }

  /** Schedules the next check while the lease is held. */
  schedule(lease: Date, nextCheckAt: Date | null): void {
    if (this.nextCheckAt === lease) this.nextCheckAt = nextCheckAt;
  }

  /** Changes a refund that still has the version; false where it has moved on. */
  changeRefund(refund: RefundRow, change: Partial<RefundRow>): RefundRow | null {
    if (this.refunds.find(({ id }) => id === refund.id)?.version !== refund.version) return null;
    const after = { ...refund, ...change, version: refund.version + 1 };
    this.refunds = this.refunds.map((each) => (each.id === refund.id ? after : each));
    if (after.state !== refund.state) this.refundMoves.push({ refundId: refund.id, from: refund.state, to: after.state });
    return after;
  }

  changeDuplicate(transactionId: string, change: Partial<DuplicateRow>): void {
    this.duplicates = this.duplicates.map((each) => (each.transactionId === transactionId ? { ...each, ...change } : each));
  }

  note(
    at: number,
    type: string,
    fromStatus: PaymentStatus | null,
    toStatus: PaymentStatus | null,
    detail: TimelineRow['detail'],
  ): void {
    this.timeline.push({ at, type, fromStatus, toStatus, detail });
  }

  private changeAttempt(attemptId: string, change: (before: AttemptRecord) => AttemptRecord): void {
    this.attempts = this.attempts.map((each) => (each.id === attemptId ? change(each) : each));
  }
}

/** The sum of the refunds of a transaction that have not failed. */
export function sumRefunds(
  refunds: readonly { readonly transactionId: string; readonly state: string; readonly amount: bigint }[],
  transactionId: string,
): bigint {
  let sum = 0n;
  for (const each of refunds) if (each.transactionId === transactionId && each.state !== 'FAILED') sum += each.amount;
  return sum;
}
