import type { NewMerchantEvent } from '@switchyard/webhooks/events';
import type { ChangeOutcome, PaymentChange } from '../../record/apply-change.ts';
import type { NewDuplicateCharge } from '../../record/duplicate-queries.ts';
import type { AttemptRecord, NewTimelineEvent, PaymentRecord } from '../../record/payment-record.ts';
import { aPayment } from '../samples.ts';

/** A payment's row, with the columns that no decision about a gateway's answer reads. */
export interface PaymentRow extends PaymentRecord {
  readonly failureReason: string | null;
  readonly paidAttemptId: string | null;
  readonly receivedAmount: string | null;
  /** Whole main units. */
  readonly refundedAmount: bigint;
  readonly reviewReason: string | null;
}

export interface RefundRow {
  readonly id: string;
  readonly transactionId: string;
  readonly amount: bigint;
  readonly kind: 'own' | 'mismatched' | 'duplicate';
  readonly state: 'REQUESTED' | 'SUCCEEDED' | 'FAILED';
}

/** An entry of the timeline, with its time. */
export interface TimelineRow extends NewTimelineEvent {
  readonly at: Date;
}

/**
 * All rows of one payment in memory, changed as the statements of `apply-change.ts` change them: a payment by its version. A row is replaced
 * and never changed in place, so that what was read stays as it was.
 */
export class PaymentRows {
  payment: PaymentRow;
  attempts: readonly AttemptRecord[];
  duplicates: readonly NewDuplicateCharge[] = [];
  refunds: readonly RefundRow[] = [];
  nextCheckAt: Date | null = null;
  readonly timeline: TimelineRow[] = [];
  readonly announced: NewMerchantEvent[] = [];
  private ids = 0;

  constructor(
    payment: Pick<PaymentRow, 'status' | 'currentAttemptId' | 'gatewayReference' | 'failureReason'>,
    attempts: readonly AttemptRecord[],
  ) {
    this.payment = { ...INITIAL, ...payment };
    this.attempts = attempts;
  }

  readonly newId = (): string => `id-${++this.ids}`;

  change(change: PaymentChange, now: Date): ChangeOutcome {
    const { payment } = this;
    const { duplicateCharge, attempt, status, events, announcements = [] } = change;
    if (change.version !== payment.version) return 'moved_on';
    if (duplicateCharge !== undefined) {
      if (this.isKnown(duplicateCharge)) return 'known';
      this.duplicates = [...this.duplicates, duplicateCharge];
    }
    this.payment = {
      ...payment,
      version: payment.version + 1,
      status: status ?? payment.status,
      failureReason: status === undefined ? payment.failureReason : (change.failureReason ?? null),
      late: change.late ?? payment.late,
      gatewayReference: change.gatewayReference ?? payment.gatewayReference,
      paidAttemptId: change.paidAttemptId ?? payment.paidAttemptId,
      receivedAmount: change.received?.amount ?? payment.receivedAmount,
      refundedAmount: change.refundedAmount ?? payment.refundedAmount,
      reversal: change.reversal ?? payment.reversal,
      review: change.review?.state ?? payment.review,
      reviewReason: change.review?.reason ?? payment.reviewReason,
    };
    if (change.nextCheckAt !== undefined) this.nextCheckAt = change.nextCheckAt;
    this.attempts = this.attempts.map((each) => {
      if (each.id !== attempt?.attemptId) return each;
      return {
        ...each,
        state: attempt.state ?? each.state,
        duplicate: attempt.duplicate ?? each.duplicate,
        receivedAmount: attempt.received?.amount ?? each.receivedAmount,
        receivedCurrency: attempt.received?.currency ?? each.receivedCurrency,
        transactionId: attempt.received?.transactionId ?? each.transactionId,
      };
    });
    this.timeline.push(...events.map((event) => ({ ...event, at: now })));
    this.announced.push(...announcements);
    return 'applied';
  }

  /** Records a refund, which changes the version of the payment as well. */
  addRefund(refund: Omit<RefundRow, 'id' | 'state'>): void {
    this.refunds = [...this.refunds, { ...refund, id: this.newId(), state: 'REQUESTED' }];
    this.payment = { ...this.payment, version: this.payment.version + 1 };
  }

  /** Sum of the refunds of a transaction that have not failed, in whole main units. */
  sumRefunds(transactionId: string): bigint {
    return this.refunds.reduce(
      (sum, each) => (each.transactionId === transactionId && each.state !== 'FAILED' ? sum + each.amount : sum),
      0n,
    );
  }

  /** Attempts whose money does not match the order. */
  mismatched(): { readonly transactionId: string; readonly amount: string }[] {
    return this.attempts.flatMap(({ state, transactionId, receivedAmount: amount }) =>
      state === 'PAID' || transactionId === null || amount === null ? [] : [{ transactionId, amount }],
    );
  }

  /** The money of the payment itself; undefined while it is not paid. */
  paying(): AttemptRecord | undefined {
    return this.attempts.find(({ state, duplicate }) => state === 'PAID' && !duplicate);
  }

  private isKnown({ transactionId }: NewDuplicateCharge): boolean {
    return this.paying()?.transactionId === transactionId || this.duplicates.some((each) => each.transactionId === transactionId);
  }
}

export const { createdAt: CREATED_AT, amount: AMOUNT } = aPayment;
export const EXPIRES_AT = new Date(CREATED_AT.getTime() + 30 * 60_000);

const INITIAL: PaymentRow = {
  ...aPayment,
  mode: 'live',
  expiresAt: EXPIRES_AT,
  failureReason: null,
  paidAttemptId: null,
  receivedAmount: null,
  refundedAmount: 0n,
  reviewReason: null,
};
