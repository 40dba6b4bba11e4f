import { batched, type Database, hintAfterCommit, hintJobs, transactWithHints } from '@switchyard/db';
import type { AttemptState, PaymentStatus, Prisma, ReviewState } from '@switchyard/db/client';
import { ANNOUNCED_COLUMNS, announcedRow, announcing, deliveryHints, type NewMerchantEvent } from '@switchyard/webhooks/events';
import { insertDuplicateCharge, type NewDuplicateCharge } from '../duplicates/queries.ts';
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
WITH input AS (
  SELECT * FROM json_to_recordset($1) AS input (merchant_id uuid, payment_id uuid, version int, at timestamptz, status payment_status,
    failure_reason text, late boolean, gateway_reference text, paid_attempt_id uuid, refunded_amount int8, reversal boolean, reversed_amount numeric,
    reversed_at timestamptz, reversal_cause text, review review_state, review_reason text,
    status_event_id uuid, received boolean, received_amount numeric, received_currency char(3), fee_amount numeric, paid_method text,
    paid_at timestamptz, following text, next_check_at timestamptz, attempt_id uuid, attempt_state attempt_state,
    attempt_duplicate boolean, attempt_received boolean, attempt_amount numeric, attempt_currency char(3), transaction_id text,
    asked_at timestamptz, events json, announcements json)),
changed AS (
  UPDATE payment SET version = payment.version + 1, updated_at = input.at,
    status = coalesce(input.status, payment.status),
    failure_reason = CASE WHEN input.status IS NULL THEN payment.failure_reason ELSE input.failure_reason END,
    status_event_id = coalesce(input.status_event_id, payment.status_event_id),
    status_changed_at = CASE WHEN input.status_event_id IS NULL THEN payment.status_changed_at ELSE input.at END,
    late = coalesce(input.late, payment.late),
    gateway_reference = coalesce(input.gateway_reference, payment.gateway_reference),
    paid_attempt_id = coalesce(input.paid_attempt_id, payment.paid_attempt_id),
    refunded_amount = coalesce(input.refunded_amount, payment.refunded_amount),
    reversed_amount = CASE WHEN input.reversal THEN input.reversed_amount ELSE payment.reversed_amount END,
    reversed_at = CASE WHEN input.reversal THEN input.reversed_at ELSE payment.reversed_at END,
    reversal_cause = CASE WHEN input.reversal THEN input.reversal_cause ELSE payment.reversal_cause END,
    review = coalesce(input.review, payment.review),
    review_reason = coalesce(input.review_reason, payment.review_reason),
    received_amount = CASE WHEN input.received THEN input.received_amount ELSE payment.received_amount END,
    received_currency = CASE WHEN input.received THEN input.received_currency ELSE payment.received_currency END,
    fee_amount = CASE WHEN input.received THEN input.fee_amount ELSE payment.fee_amount END,
    paid_method = CASE WHEN input.received THEN input.paid_method ELSE payment.paid_method END,
    paid_at = CASE WHEN input.received THEN input.paid_at ELSE payment.paid_at END
  FROM input
  WHERE payment.merchant_id = input.merchant_id AND payment.id = input.payment_id AND payment.version = input.version
  RETURNING payment.merchant_id, payment.id AS payment_id),
applied AS (SELECT input.* FROM input JOIN changed USING (merchant_id, payment_id)),
ended AS (
  DELETE FROM payment_check USING applied
  WHERE payment_check.merchant_id = applied.merchant_id AND payment_check.payment_id = applied.payment_id AND following = 'ended'),
scheduled AS (
  INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
  SELECT merchant_id, payment_id, next_check_at, false FROM applied WHERE following = 'scheduled'
  ON CONFLICT (merchant_id, payment_id) DO UPDATE SET next_check_at = excluded.next_check_at, initiating = false),
asked AS (
  UPDATE attempt SET last_asked_at = applied.asked_at, updated_at = applied.at,
    state = coalesce(applied.attempt_state, attempt.state),
    duplicate = coalesce(applied.attempt_duplicate, attempt.duplicate),
    received_amount = CASE WHEN applied.attempt_received THEN applied.attempt_amount ELSE attempt.received_amount END,
    received_currency = CASE WHEN applied.attempt_received THEN applied.attempt_currency ELSE attempt.received_currency END,
    transaction_id = CASE WHEN applied.attempt_received THEN applied.transaction_id ELSE attempt.transaction_id END
  FROM applied WHERE attempt.merchant_id = applied.merchant_id AND attempt.id = applied.attempt_id),
timeline AS (
  INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, actor, detail, created_at)
  SELECT merchant_id, event.id, payment_id, event.type, event.from_status, event.to_status, event.cause, event.actor, event.detail, at
  FROM applied CROSS JOIN LATERAL json_to_recordset(applied.events) AS event (id uuid, type text, from_status payment_status,
    to_status payment_status, cause text, actor text, detail json)),
announcement AS (
  SELECT merchant_id, payment_id, at, event.*
  FROM applied CROSS JOIN LATERAL json_to_recordset(applied.announcements) AS event (${ANNOUNCED_COLUMNS})),
${announcing('announcement')}
SELECT merchant_id AS "merchantId", payment_id AS "paymentId", ARRAY(
  SELECT DISTINCT endpoint_id::text FROM delivery WHERE delivery.payment_id = changed.payment_id) AS "endpointIds"
FROM changed`;

/** A payment that was changed, and the endpoints that its events go to. */
interface Changed {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly endpointIds: readonly string[];
}

interface ChangeAt {
  readonly change: PaymentChange;
  readonly now: Date;
}

const change = batched<ChangeAt, ChangeOutcome>({
  async run(database, changes) {
    const { rows } = await database.batches.query<Changed>({
      name: 'change-payments',
      text: CHANGE,
      values: [JSON.stringify(changes.map(toRow))],
    });
    hintJobs(
      database,
      rows.flatMap(({ merchantId, endpointIds }) => deliveryHints(merchantId, endpointIds)),
    );
    const changed = new Set(rows.map(({ paymentId }) => paymentId));
    return changes.map(({ change: { paymentId } }) => (changed.has(paymentId) ? 'applied' : 'moved_on'));
  },
  key: ({ change: { paymentId } }) => paymentId,
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
  const [changed] = await transaction.$queryRawUnsafe<Changed[]>(CHANGE, JSON.stringify([toRow({ change: one, now })]));
  if (changed === undefined) return 'moved_on';
  hintAfterCommit(transaction, deliveryHints(merchantId, changed.endpointIds));
  return 'applied';
}

/** A change as a row of {@link CHANGE}: what is null there stays as it is. */
function toRow({ change: one, now }: ChangeAt) {
  const { received, attempt, nextCheckAt } = one;
  return {
    merchant_id: one.merchantId,
    payment_id: one.paymentId,
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
    following: nextCheckAt === undefined ? null : nextCheckAt === null ? 'ended' : 'scheduled',
    next_check_at: nextCheckAt,
    attempt_id: attempt?.attemptId,
    attempt_state: attempt?.state,
    attempt_duplicate: attempt?.duplicate,
    attempt_received: attempt?.received !== undefined,
    attempt_amount: attempt?.received?.amount,
    attempt_currency: attempt?.received?.currency,
    transaction_id: attempt?.received?.transactionId,
    asked_at: attempt?.askedAt,
    events: one.events.map(({ eventId, type, fromStatus, toStatus, cause, actor, detail }) => ({
      id: eventId,
      type,
      from_status: fromStatus,
      to_status: toStatus,
      cause,
      actor,
      detail,
    })),
    announcements: (one.announcements ?? []).map(announcedRow),
  };
}
