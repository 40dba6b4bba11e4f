import { batched, type Database, hintAfterCommit, hintWorkers, type JsonWritable, transactWithHints } from '@switchyard/db';
import type { AttemptState, PaymentStatus, Prisma, ReviewState } from '@switchyard/db/client';
import { announcedRow, deliveryHints, type NewMerchantEvent } from '@switchyard/webhooks/events';
import { insertDuplicateCharge, type NewDuplicateCharge } from './duplicate-queries.ts';
import type { FailureReason } from './failure-reason.ts';
import type { NewTimelineEvent, Reversal } from './payment-record.ts';

/** The amount a gateway reports as received for an attempt. Decimals of the main unit as exact text. */
export interface ReceivedMoney {
  readonly amount: string;
  readonly currency: string;
  readonly fee: string | null;
  readonly method: string | null;
  readonly paidAt: Date | null;
  readonly transactionId: string;
}

/** One change of a payment after it was initiated: its row, one attempt's, and its timeline events. */
export interface PaymentChange {
  readonly merchantId: string;
  readonly paymentId: string;
  /** The version the change was computed from. */
  readonly version: number;
  readonly status?: PaymentStatus;
  /** With status FAILED; any other status clears it. */
  readonly failureReason?: FailureReason;
  readonly late?: boolean;
  readonly gatewayReference?: string;
  /** The attempt that was paid, where it is not the current one. */
  readonly paidAttemptId?: string;
  readonly received?: ReceivedMoney;
  readonly review?: { readonly state: ReviewState; readonly reason: string };
  readonly nextCheckAt?: Date | null;
  /** All that refunds have returned so far, whole main units. */
  readonly refundedAmount?: bigint;
  /** Money that the gateway has taken back after the change. */
  readonly reversal?: Reversal;
  readonly attempt?: {
    readonly attemptId: string;
    readonly state?: AttemptState;
    readonly duplicate?: boolean;
    readonly received?: ReceivedMoney;
    /** The payer of a transfer, encrypted. */
    readonly payer?: string;
    readonly askedAt: Date;
  };
  /** Changes of status are events; the last one with a `toStatus` becomes the payment's event record. */
  readonly events: readonly NewTimelineEvent[];
  /** Events for the merchant, in the order in which they are delivered. */
  readonly announcements?: readonly NewMerchantEvent[];
  readonly duplicateCharge?: NewDuplicateCharge;
}

/**
 * `moved_on`: the payment changed after the change was computed; nothing was written, compute it again. `known`: the duplicate charge
 * is recorded already; nothing was written, and nothing is left to do.
 */
export type ChangeOutcome = 'applied' | 'moved_on' | 'known';

/** Concurrent changes share a statement; the rows of one payment are written together or not at all. */
const CHANGE = `
SELECT about AS "paymentId", endpoint AS "endpointId"
FROM change_payments($1::uuid, $2::json, $3::json, $4::json, $5::json, $6::json, $7::json, $8::json)`;

/** A payment that was changed, or an endpoint that one of its events goes to. */
interface Changed {
  readonly paymentId: string;
  readonly endpointId: string | null;
}

interface ChangeAt {
  readonly change: PaymentChange;
  readonly now: Date;
}

const change = batched<ChangeAt, ChangeOutcome>({
  async run(database, changes, merchant) {
    const { rows } = await database.batches.query<Changed>({
      name: 'change-payments',
      text: CHANGE,
      values: [merchant, ...toValues(changes)],
    });
    const changed = Map.groupBy(rows, ({ paymentId }) => paymentId);
    const hints = changes.flatMap(({ change: { merchantId, paymentId } }) =>
      deliveryHints(merchantId, changed.get(paymentId) ?? []),
    );
    hintWorkers(database, hints);
    return changes.map(({ change: { paymentId } }) => (changed.has(paymentId) ? 'applied' : 'moved_on'));
  },
  key: ({ change: { paymentId } }) => paymentId,
  merchant: ({ change: { merchantId } }) => merchantId,
});

/** Applies a change in one transaction: the payment, its attempt, its timeline and the merchant's events, which are sent after it. */
export function applyPaymentChange(database: Database, one: PaymentChange, now: Date): Promise<ChangeOutcome> {
  if (one.duplicateCharge === undefined) return change(database, { change: one, now });
  return transactWithHints(database, (transaction) => changePayment(transaction, one, now));
}

/**
 * {@link applyPaymentChange} inside the caller's transaction, one of `transactWithHints`, which may only continue when the result is
 * `applied`.
 */
export async function changePayment(
  transaction: Prisma.TransactionClient,
  one: PaymentChange,
  now: Date,
): Promise<ChangeOutcome> {
  const { merchantId, paymentId, version, duplicateCharge } = one;
  if (duplicateCharge !== undefined) {
    // Locked first: a charge is only recorded together with its consequences.
    const locked = await transaction.$queryRaw<{ version: number }[]>`
      SELECT version FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ${paymentId}::uuid FOR UPDATE`;
    if (locked[0]?.version !== version) return 'moved_on';
    // The payment's own money: the caller read the attempt before the payment.
    const own = await transaction.attempt.count({
      where: {
        merchantId,
        paymentId,
        accountId: duplicateCharge.accountId,
        transactionId: duplicateCharge.transactionId,
        state: 'PAID',
        duplicate: false,
      },
    });
    if (own > 0) return 'known';
    const inserted = await insertDuplicateCharge(transaction, { merchantId, paymentId }, duplicateCharge, now);
    if (!inserted) return 'known';
  }
  return (await changePayments(transaction, merchantId, [one], now)) ? 'applied' : 'moved_on';
}

/** {@link changePayment} of several payments of a merchant in one statement; false where any of them moved on. */
export async function changePayments(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  changes: readonly PaymentChange[],
  now: Date,
): Promise<boolean> {
  const values = toValues(changes.map((one) => ({ change: one, now })));
  const changed = await transaction.$queryRawUnsafe<Changed[]>(CHANGE, merchantId, ...values);
  hintAfterCommit(transaction, deliveryHints(merchantId, changed));
  return new Set(changed.map(({ paymentId }) => paymentId)).size === changes.length;
}

/** Changes as {@link CHANGE} takes them, kind of row by kind of row. */
function toValues(changes: readonly ChangeAt[]): (string | null)[] {
  const ofKind = (rows: readonly unknown[]): string | null => (rows.length === 0 ? null : JSON.stringify(rows));
  return [
    JSON.stringify(changes.map(toPaymentRow)),
    ofKind(changes.filter(({ change: one }) => one.nextCheckAt === null).map(keyRow)),
    ofKind(changes.flatMap((at) => (at.change.nextCheckAt ? { ...keyRow(at), next_check_at: at.change.nextCheckAt } : []))),
    ofKind(changes.flatMap(toAttemptRow)),
    ofKind(changes.flatMap(toPayerRow)),
    ofKind(changes.flatMap(toTimelineRows)),
    ofKind(changes.flatMap(({ change: one, now }) => (one.announcements ?? []).map((event) => announcedRow(event, now)))),
  ];
}

function keyRow({ change: { merchantId, paymentId } }: ChangeAt) {
  return { merchant_id: merchantId, payment_id: paymentId };
}

/** The columns of a payment's row that a change sets; those that are null stay as they are. */
function toPaymentRow(at: ChangeAt) {
  const { change: one, now } = at;
  const { received } = one;
  return {
    ...keyRow(at),
    version: one.version,
    at: now,
    status: one.status,
    failure_reason: one.failureReason,
    late: one.late,
    gateway_reference: one.gatewayReference,
    paid_attempt_id: one.paidAttemptId,
    refunded_amount: one.refundedAmount?.toString(),
    reversal: one.reversal !== undefined,
    reversed_amount: one.reversal?.amount,
    reversed_at: one.reversal?.at,
    reversal_cause: one.reversal?.cause,
    review: one.review?.state,
    review_reason: one.review?.reason,
    status_event_id: one.events.findLast((event) => event.toStatus !== null)?.eventId,
    received: received !== undefined,
    received_amount: received?.amount,
    received_currency: received?.currency,
    fee_amount: received?.fee,
    paid_method: received?.method,
    paid_at: received?.paidAt ?? now,
  };
}

function toAttemptRow(at: ChangeAt) {
  const { attempt } = at.change;
  if (attempt === undefined) return [];
  const { attemptId, state, duplicate, received, askedAt } = attempt;
  return [
    {
      ...keyRow(at),
      attempt_id: attemptId,
      at: at.now,
      asked_at: askedAt,
      state,
      duplicate,
      received: received !== undefined,
      received_amount: received?.amount,
      received_currency: received?.currency,
      transaction_id: received?.transactionId,
    },
  ];
}

function toPayerRow(at: ChangeAt) {
  const { attempt } = at.change;
  if (attempt?.payer === undefined) return [];
  return [{ ...keyRow(at), attempt_id: attempt.attemptId, sealed: attempt.payer, at: at.now }];
}

function toTimelineRows(at: ChangeAt) {
  return at.change.events.map(({ eventId, type, fromStatus, toStatus, cause, actor, detail }) => ({
    ...keyRow(at),
    id: eventId,
    type,
    from_status: fromStatus,
    to_status: toStatus,
    cause,
    actor,
    detail: storedDetail({ type, detail }),
    at: at.now,
  }));
}

/** Details of a success that the payment and the attempt that was paid say. */
const REPEATED = ['attemptId', 'amount', 'currency', 'gateway', 'late'];

/** The detail of an event as it is stored: of a success without what other rows say, which `wholeTimeline` adds. */
export function storedDetail({ type, detail }: Pick<NewTimelineEvent, 'type' | 'detail'>): JsonWritable {
  if (type !== 'payment.succeeded' || typeof detail !== 'object' || detail === null || !('transactionId' in detail))
    return detail;
  if (REPEATED.some((name) => !(name in detail))) return detail;
  return Object.fromEntries(Object.entries(detail).filter(([name]) => !REPEATED.includes(name)));
}
