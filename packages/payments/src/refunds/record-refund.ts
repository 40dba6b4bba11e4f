import { hintAfterCommit } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, Refund } from '@switchyard/db/client';
import { changePayment } from '../record/apply-change.ts';
import type { Cause } from '../record/apply-gateway-result.ts';
import type { PaymentsContext } from '../record/context.ts';
import {
  insertRefund,
  type LockedPayment,
  type NewRefund,
  type RefundedMoney,
  resolveFailedRefunds,
} from '../record/refund-queries.ts';

/** The actor, as `staff:<id>`, `api` or `system:<what>`, and the cause. */
export interface MoneyAuthor {
  readonly actor: string;
  readonly cause: Cause;
  /** The second person who approved it. */
  readonly approvedBy?: string;
}

/** A refund to record. `own` money is the payment's, `duplicate` a duplicate charge's, `mismatched` money under review. */
export interface NewRefundRequest {
  readonly refundId: string;
  readonly money: RefundedMoney;
  /** Whole main units; the caller has checked the refundable amount. */
  readonly amount: bigint;
  readonly currency: string;
  /** Shown with the refund, by the gateway and to the customer too. */
  readonly reason: string | null;
  /** One of the merchant's reason codes; null without. */
  readonly reasonCode: string | null;
  /** Internal. */
  readonly note?: string;
  readonly kind: 'own' | 'duplicate' | 'mismatched';
}

/**
 * Asked before a refund is recorded, in its transaction, which has locked the payment. What it answers is returned in place of the
 * refund; null lets it be recorded.
 */
export type HoldRefund<Blocked> = (
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  refund: NewRefundRequest,
) => Promise<Blocked | null>;

/** Holds nothing back: for the merchant's own software, and for what happens by itself. */
export const holdNone: HoldRefund<never> = () => Promise.resolve(null);

/** By then the job has normally sent it, which is added after the commit. */
const FIRST_CHECK_MS = 5_000;

/**
 * Records a refund inside the caller's transaction, one of `transactWithHints`, which has locked the payment: the refund, its timeline
 * event, and the audit row of staff. The job that sends it is added after the commit.
 */
export async function recordRefund(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  request: NewRefundRequest,
  author: MoneyAuthor,
): Promise<Refund> {
  const now = context.now();
  const { refundId, amount, kind } = request;
  const { merchantId, paymentId } = locked;
  const refund = await insertRefund(transaction, newRefund(locked, request, author, now), now);
  if (kind === 'own') {
    await resolveFailedRefunds(transaction, { merchantId, paymentId, amount }, { resolvedBy: author.actor, resolvedAt: now });
  }
  const detail = requestedDetail(request, author);
  await addPaymentEvent(context, transaction, locked, { type: REQUESTED, detail }, author);
  const what = { action: REQUESTED, objectType: 'refund', objectId: refundId };
  await auditMoney(context, transaction, locked, what, detail, author);
  hintAfterCommit(transaction, [sendHint(merchantId, refundId)]);
  return refund;
}

/** The event of a timeline, and the action of the audit log. */
export const REQUESTED = 'refund.requested';

/** The row of a refund. */
export function newRefund(
  { merchantId, paymentId, mode }: LockedPayment,
  { refundId, money, amount, currency, reason, reasonCode, kind }: NewRefundRequest,
  { actor }: MoneyAuthor,
  now: Date,
): NewRefund {
  const { attemptId, accountId, gateway, transactionId } = money;
  return {
    merchantId,
    refundId,
    mode,
    paymentId,
    amount,
    currency,
    reason,
    reasonCode,
    attemptId,
    accountId,
    gateway,
    transactionId,
    reference: `rf-${refundId}`,
    requestedBy: actor,
    duplicate: kind === 'duplicate',
    mismatched: kind === 'mismatched',
    nextCheckAt: new Date(now.getTime() + FIRST_CHECK_MS),
  };
}

/** Details of a refund in the timeline and the audit log. */
export function requestedDetail(request: NewRefundRequest, { approvedBy }: MoneyAuthor): Readonly<Record<string, string | null>> {
  const { refundId, money, amount, currency, reason, reasonCode, note = null, kind } = request;
  const approval = approvedBy === undefined ? {} : { approvedBy };
  return { refundId, amount: amount.toString(), currency, gateway: money.gateway, reason, reasonCode, note, kind, ...approval };
}

/** The job that sends a refund. */
export function sendHint(merchantId: string, refundId: string) {
  return { name: 'send-refund', payload: { merchantId, refundId }, key: `send-refund:${refundId}` } as const;
}

/** Adds an event to the timeline of a payment that the transaction has locked. */
export async function addPaymentEvent(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  event: { readonly type: string; readonly detail: Readonly<Record<string, string | boolean | null>> },
  author: MoneyAuthor,
): Promise<void> {
  const { merchantId, paymentId, version } = locked;
  const entry = {
    eventId: context.newId(),
    type: event.type,
    fromStatus: null,
    toStatus: null,
    cause: author.cause,
    actor: staffOrNull(author.actor),
    detail: event.detail,
  };
  const applied = await changePayment(transaction, { merchantId, paymentId, version, events: [entry] }, context.now());
  if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked`);
}

/** Writes the audit row of a change by staff; nothing for other actors. */
export async function auditMoney(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  what: { readonly action: string; readonly objectType: string; readonly objectId: string },
  after: Readonly<Record<string, string | boolean | null>>,
  { actor }: MoneyAuthor,
): Promise<void> {
  if (staffOrNull(actor) === null) return;
  const entry = { tenantId: locked.merchantId, entryId: context.newId(), actor, ...what, before: null };
  await appendAuditEntry(
    transaction,
    context.resources.auditKeys,
    { ...entry, after: { paymentId: locked.paymentId, ...after } },
    context.now(),
  );
}

/** The actor, when it is staff: timelines name no one else. */
export function staffOrNull(actor: string): string | null {
  return actor.startsWith('staff:') ? actor : null;
}
