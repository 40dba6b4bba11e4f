import type { Prisma, RefundApproval } from '@switchyard/db/client';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import type { RoleKey } from '@switchyard/staff/permissions';
import type { PaymentsContext } from '../../record/context.ts';
import type { LockedPayment } from '../../record/refund-queries.ts';
import { addPaymentEvent, auditMoney, type HoldRefund, type MoneyAuthor, type NewRefundRequest } from '../record-refund.ts';
import { type RefundRequest, type RequestRefundOutcome, requestRefund } from '../request-refund.ts';
import { findWaitingFor, readApproval } from './approval-queries.ts';
import { dailyLimitOf, LIMIT_ZONE, lockControl, type ReasonCode, sumRequestedBy, sumRequestedByOne } from './queries.ts';

/** A person who requests a refund, and the roles by which they may. */
export interface RefundingPerson extends MoneyAuthor {
  readonly roles: readonly RoleKey[];
}

/** The refusal or approval that the merchant's control makes of a refund in place of requesting it. */
export type HeldRefund =
  /** It needs a second person. Asked again with the same id, the answer is the same approval, whatever became of it. */
  { readonly kind: 'needs_approval'; readonly approval: RefundApproval } | ControlRefusal;

/** Why the merchant's control refuses a refund. */
export type ControlRefusal =
  /** The merchant keeps reason codes, and none of them is given; or the one given is not kept. */
  | { readonly kind: 'needs_reason_code'; readonly codes: readonly ReasonCode[] }
  /** More than the person may still request on this day. Whole main units of the refund's currency. */
  | { readonly kind: 'over_daily_limit'; readonly limit: bigint; readonly left: bigint };

const APPROVAL_LIFE_MS = 7 * 86_400_000;

/**
 * Holds back what the merchant's control does not let this person refund alone. `duplicateChargeId` names the charge of a refund of one:
 * its approval is of this charge.
 */
export function holdFor(
  context: PaymentsContext,
  person: RefundingPerson,
  duplicateChargeId: string | null = null,
): HoldRefund<HeldRefund> {
  return async (transaction, locked, refund) => {
    const { merchantId, mode, paymentId } = locked;
    const { refundId, amount, currency, reasonCode, kind, money } = refund;
    const control = await lockControl(transaction, merchantId);
    const known = await readApproval(transaction, merchantId, refundId);
    if (known !== null) return { kind: 'needs_approval', approval: known };
    const { reasonCodes: codes, secondPersonAbove } = control;
    // Money that came twice or does not match says by itself why it goes back.
    const needsCode = kind === 'own' && codes.length > 0;
    if ((needsCode || reasonCode !== null) && !codes.some(({ code }) => code === reasonCode)) {
      return { kind: 'needs_reason_code', codes };
    }
    const now = context.now();
    const subjectId = kind === 'own' ? null : kind === 'duplicate' ? duplicateChargeId : money.attemptId;
    const waiting = subjectId === null ? null : await findWaitingFor(transaction, { merchantId, subjectId }, now);
    if (waiting !== null) return { kind: 'needs_approval', approval: waiting };
    const limit = dailyLimitOf(control, person.roles);
    if (limit !== null) {
      const query = { merchantId, mode, currency, actor: person.actor, since: startOfDay(now, LIMIT_ZONE) };
      const requested = await sumRequestedBy(transaction, query, now);
      const left = limit > requested ? limit - requested : 0n;
      if (amount > left) return { kind: 'over_daily_limit', limit, left };
    }
    if (secondPersonAbove === null) return null;
    const before = kind === 'own' ? await sumRequestedByOne(transaction, merchantId, paymentId) : 0n;
    if (before + amount <= secondPersonAbove) return null;
    return {
      kind: 'needs_approval',
      approval: await requestApproval(context, transaction, locked, { refund, subjectId }, person),
    };
  };
}

/** Records a refund that needs a second person, with its timeline event and audit row. */
export async function requestApproval(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  { refund, subjectId }: { readonly refund: NewRefundRequest; readonly subjectId: string | null },
  person: RefundingPerson,
): Promise<RefundApproval> {
  const { merchantId, mode, paymentId } = locked;
  const { refundId, amount, currency, reason, reasonCode, note = null, kind, money } = refund;
  const now = context.now();
  const approval = await transaction.refundApproval.create({
    data: {
      merchantId,
      id: refundId,
      mode,
      paymentId,
      kind,
      subjectId,
      amount,
      currency,
      gateway: money.gateway,
      reason,
      reasonCode,
      note,
      state: 'WAITING',
      requestedBy: person.actor,
      createdAt: now,
      expiresAt: new Date(now.getTime() + APPROVAL_LIFE_MS),
    },
  });
  const detail = { refundId, amount: amount.toString(), currency, gateway: money.gateway, reason, reasonCode, note, kind };
  const action = 'refund.approval_requested';
  await addPaymentEvent(context, transaction, locked, { type: action, detail }, person);
  await auditMoney(context, transaction, locked, { action, objectType: 'refund', objectId: refundId }, detail, person);
  return approval;
}

/** Requests a refund for a person, within the control that the merchant keeps. */
export function requestRefundAsPerson(
  context: PaymentsContext,
  request: Omit<RefundRequest, keyof RefundingPerson>,
  person: RefundingPerson,
): Promise<RequestRefundOutcome | HeldRefund> {
  return requestRefund(context, { ...request, ...person }, holdFor(context, person));
}
