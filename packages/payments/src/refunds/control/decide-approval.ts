import { isUuid, transactWithHints } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, Refund, RefundApproval } from '@switchyard/db/client';
import type { PaymentsContext } from '../../record/context.ts';
import { lockPayment } from '../../record/refund-queries.ts';
import { refundDuplicate } from '../duplicates/duplicates.ts';
import { addPaymentEvent, auditMoney, type HoldRefund, type MoneyAuthor, staffOrNull } from '../record-refund.ts';
import { requestRefund } from '../request-refund.ts';
import { resolveReview } from '../reviews/resolve-review.ts';
import { type ApprovalState, approvalStateOf, decideApproval, readApproval } from './approval-queries.ts';

/** A refund that needs a second person. */
export interface ApprovalKey {
  readonly merchantId: string;
  readonly approvalId: string;
}

/** Why an approval was not decided. */
export type ApprovalRefusal =
  /** The actor requested it, so they are not a second person. */
  | { readonly kind: 'own_request' }
  /** It was decided, or has expired. */
  | { readonly kind: 'not_waiting'; readonly state: ApprovalState }
  /** The actor is no staff user. */
  | { readonly kind: 'not_a_person' }
  | { readonly kind: 'not_found' };

/** The requested refund, or why it was not approved. */
export type ApproveRefundOutcome =
  | { readonly kind: 'approved'; readonly refund: Refund }
  /** It cannot be refunded as it was requested any more; it still waits. `refundable` is null where the amount is not why. */
  | { readonly kind: 'not_refundable'; readonly refundable: bigint | null }
  | ApprovalRefusal;

/** Result of declining or withdrawing a refund. */
export type EndApprovalOutcome =
  | { readonly kind: 'declined' | 'withdrawn' }
  /** Only the requester withdraws. */
  | { readonly kind: 'not_own_request' }
  | ApprovalRefusal;

/**
 * Approves a refund as a second person: it is requested in the same transaction, by its requester, with every check of a refund done anew.
 * The requester's limit was counted when they asked.
 */
export async function approveRefund(
  context: PaymentsContext,
  key: ApprovalKey,
  approver: MoneyAuthor,
): Promise<ApproveRefundOutcome> {
  if (!isUuid(key.approvalId)) return { kind: 'not_found' };
  const approval = await readApproval(context.resources.database.prisma, key.merchantId, key.approvalId);
  if (approval === null) return { kind: 'not_found' };
  const refusal = whyNot(approval, approver, context.now());
  if (refusal !== null) return refusal;
  const author = { actor: approval.requestedBy, cause: 'staff', approvedBy: approver.actor } as const;
  const outcome = await refundAs(context, approval, author, holdUntilApproved(context, approval, approver));
  switch (outcome.kind) {
    case 'requested':
      return { kind: 'approved', refund: outcome.refund };
    case 'not_waiting':
      return outcome;
    case 'too_much':
      return { kind: 'not_refundable', refundable: outcome.refundable };
    default:
      return { kind: 'not_refundable', refundable: null };
  }
}

type NotWaiting = Extract<ApprovalRefusal, { kind: 'not_waiting' }>;
type Changed = { readonly kind: 'changed' };

/** Requests what was approved, as its kind of money is refunded. */
function refundAs(
  context: PaymentsContext,
  approval: RefundApproval,
  author: MoneyAuthor,
  hold: HoldRefund<NotWaiting | Changed>,
) {
  const { merchantId, id: refundId, mode, paymentId, kind, subjectId, amount, reason, reasonCode, note } = approval;
  switch (kind) {
    case 'duplicate':
      return refundDuplicate(context, { merchantId, duplicateChargeId: subjectId ?? '', refundId }, author, hold);
    case 'mismatched': {
      const resolution = {
        merchantId,
        paymentId,
        attemptId: subjectId ?? '',
        amount,
        note: note ?? '',
        refundId,
        by: 'refund',
      } as const;
      return resolveReview(context, resolution, author, hold);
    }
    default:
      return requestRefund(context, { merchantId, mode, refundId, paymentId, amount, reason, reasonCode, ...author }, hold);
  }
}

/** Approves in the transaction that records the refund; holds it when another person has decided meanwhile. */
function holdUntilApproved(
  context: PaymentsContext,
  approval: RefundApproval,
  approver: MoneyAuthor,
): HoldRefund<NotWaiting | Changed> {
  const { merchantId, id: approvalId, paymentId, amount, currency, requestedBy } = approval;
  return async (transaction, _locked, refund) => {
    // Less than was approved may be left of money that is refunded as a whole.
    if (refund.amount !== amount || refund.currency !== currency) return { kind: 'changed' };
    const now = context.now();
    const decision = { state: 'APPROVED', decidedBy: approver.actor, decisionNote: null } as const;
    if (!(await decideApproval(transaction, { merchantId, approvalId }, decision, now))) {
      return { kind: 'not_waiting', state: await presentState(transaction, approval, now) };
    }
    const entry = { tenantId: merchantId, entryId: context.newId(), actor: approver.actor, action: 'refund.approved' };
    const after = { paymentId, amount: amount.toString(), currency };
    await appendAuditEntry(
      transaction,
      context.resources.auditKeys,
      { ...entry, objectType: 'refund', objectId: approvalId, before: { requestedBy }, after },
      now,
    );
    return null;
  };
}

/** Declines a refund as a second person, with or without a reason for the requester. */
export function declineRefund(
  context: PaymentsContext,
  { note, ...key }: ApprovalKey & { readonly note: string | null },
  author: MoneyAuthor,
): Promise<EndApprovalOutcome> {
  return end(context, key, { state: 'DECLINED', kind: 'declined', note }, author);
}

/** Withdraws a refund that still waits, as its requester. */
export function withdrawRefund(context: PaymentsContext, key: ApprovalKey, author: MoneyAuthor): Promise<EndApprovalOutcome> {
  return end(context, key, { state: 'WITHDRAWN', kind: 'withdrawn', note: null }, author);
}

interface Ending {
  readonly state: 'DECLINED' | 'WITHDRAWN';
  readonly kind: 'declined' | 'withdrawn';
  readonly note: string | null;
}

async function end(
  context: PaymentsContext,
  key: ApprovalKey,
  { state, kind, note }: Ending,
  author: MoneyAuthor,
): Promise<EndApprovalOutcome> {
  const { merchantId, approvalId } = key;
  const { database } = context.resources;
  const approval = isUuid(approvalId) ? await readApproval(database.prisma, merchantId, approvalId) : null;
  if (approval === null) return { kind: 'not_found' };
  const refusal = whyNot(approval, author, context.now());
  if (kind === 'withdrawn' && approval.requestedBy !== author.actor) return { kind: 'not_own_request' };
  if (refusal !== null && !(kind === 'withdrawn' && refusal.kind === 'own_request')) return refusal;
  return transactWithHints(database, async (transaction): Promise<EndApprovalOutcome> => {
    const locked = await lockPayment(transaction, merchantId, approval.paymentId);
    if (locked === null) return { kind: 'not_found' };
    const decision = { state, decidedBy: author.actor, decisionNote: note };
    const now = context.now();
    if (!(await decideApproval(transaction, key, decision, now))) {
      return { kind: 'not_waiting', state: await presentState(transaction, approval, now) };
    }
    const { amount, currency, gateway, requestedBy } = approval;
    const detail = { refundId: approvalId, amount: amount.toString(), currency, gateway, note, requestedBy };
    const action = `refund.approval_${kind}`;
    await addPaymentEvent(context, transaction, locked, { type: action, detail }, author);
    await auditMoney(context, transaction, locked, { action, objectType: 'refund', objectId: approvalId }, detail, author);
    return { kind };
  });
}

/** Why this actor cannot be the second person of an approval; null when they can. */
function whyNot(approval: RefundApproval, { actor }: MoneyAuthor, now: Date): ApprovalRefusal | null {
  if (staffOrNull(actor) === null) return { kind: 'not_a_person' };
  const state = approvalStateOf(approval, now);
  if (state !== 'WAITING') return { kind: 'not_waiting', state };
  return approval.requestedBy === actor ? { kind: 'own_request' } : null;
}

async function presentState(transaction: Prisma.TransactionClient, known: RefundApproval, now: Date): Promise<ApprovalState> {
  return approvalStateOf((await readApproval(transaction, known.merchantId, known.id)) ?? known, now);
}
