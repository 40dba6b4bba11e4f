import type { Dispute, DisputeState } from '@switchyard/db/client';
import { compareDecimals } from '@switchyard/db/decimals';
import { findGateway, type ReportedDispute } from '@switchyard/gateways';
import { findCardOrigin } from '@switchyard/payments/attempts';
import type { PaymentsContext } from '@switchyard/payments/context';
import { settleReportedDispute } from '@switchyard/payments/reversals';
import { readCalendar } from '@switchyard/settlements/calendar';
import { auditDispute } from '../audit.ts';
import { disputeDue } from '../deadlines/dispute-due.ts';

/** A dispute that a staff user saw at a gateway without a list of them. */
interface SeenDispute {
  readonly merchantId: string;
  readonly paymentId: string;
  /** The gateway's own reference of it. */
  readonly gatewayDisputeId: string;
  /** Exact decimal of the main unit; null for the whole payment. */
  readonly amount: string | null;
  readonly category: string | null;
  readonly fee: string | null;
  readonly openedAt: Date;
  /** Null for the date by the gateway's rule. */
  readonly dueAt: Date | null;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of opening a dispute by hand, or why it was refused. */
export type OpenDisputeOutcome =
  | { readonly kind: 'opened'; readonly disputeId: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly field: 'gatewayDisputeId' | 'amount' | 'openedAt' | null; readonly why: string };

/** Opens a dispute of a paid payment by hand, where its gateway documents no list of them. */
export async function openDispute(context: PaymentsContext, seen: SeenDispute): Promise<OpenDisputeOutcome> {
  const { merchantId, paymentId, actor, gatewayDisputeId } = seen;
  const { prisma } = context.resources.database;
  const payment = await prisma.payment.findUnique({
    where: { merchantId_id: { merchantId, id: paymentId } },
    select: { amount: true },
  });
  if (payment === null) return { kind: 'not_found' };
  const attempt = await prisma.attempt.findFirst({ where: { merchantId, paymentId, state: 'PAID', duplicate: false } });
  if (attempt === null)
    return { kind: 'refused', field: null, why: 'The payment was not paid, so nothing of it can be disputed.' };
  const { accountId, gateway, reference, transactionId } = attempt;
  if (findGateway(gateway)?.listDisputes !== undefined)
    return { kind: 'refused', field: null, why: 'Disputes of this gateway come from its list, and are not opened by hand.' };
  if (
    seen.amount !== null &&
    (compareDecimals(seen.amount, '0') <= 0 || compareDecimals(seen.amount, String(payment.amount)) > 0)
  )
    return { kind: 'refused', field: 'amount', why: 'Enter an amount up to that of the payment.' };
  if (seen.openedAt > context.now())
    return { kind: 'refused', field: 'openedAt', why: 'Enter when it was opened, which is past.' };
  const key = { merchantId_accountId_gatewayDisputeId: { merchantId, accountId, gatewayDisputeId } };
  if ((await prisma.dispute.findUnique({ where: key })) !== null)
    return { kind: 'refused', field: 'gatewayDisputeId', why: 'A dispute with this reference is recorded already.' };
  const calendar = await readCalendar(context.resources.database, { merchantId, accountId, gateway });
  const cardOrigin = await findCardOrigin(context.resources.database, { merchantId, accountId, reference });
  const due =
    seen.dueAt === null
      ? disputeDue(gateway, seen.openedAt, { ...calendar, cardOrigin })
      : ({ at: seen.dueAt, source: 'STAFF' } as const);
  const settled = await settleReportedDispute(context, {
    merchantId,
    accountId,
    cause: 'staff',
    actor,
    due,
    fee: seen.fee,
    reported: {
      gatewayDisputeId,
      reference,
      transactionId: transactionId ?? '',
      state: 'needs_response',
      stage: null,
      category: seen.category,
      amount: seen.amount,
      dueAt: null,
      openedAt: seen.openedAt,
      closedAt: null,
    },
    also: (transaction, disputeId) => {
      const after = { gatewayDisputeId, paymentId };
      return auditDispute(
        context,
        transaction,
        { merchantId, disputeId, actor, action: 'disputes.opened', after },
        context.now(),
      );
    },
  });
  return { kind: 'opened', disputeId: settled.disputeId };
}

/** A dispute as a staff user saw it at its gateway; a field that is null stays as it is. */
interface SeenChange {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly state: DisputeState | null;
  readonly fee: string | null;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of recording a change, or why it was refused. */
export type RecordDisputeOutcome =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

const REPORTED = {
  NEEDS_RESPONSE: 'needs_response',
  UNDER_REVIEW: 'under_review',
  WON: 'won',
  LOST: 'lost',
  ACCEPTED: 'accepted',
  EXPIRED: 'expired',
  CLOSED: 'closed',
} as const satisfies Record<DisputeState, ReportedDispute['state']>;

/**
 * Records what became of a dispute that was opened by hand, or whose status at the gateway is not recognised, and of any what the gateway
 * charged for it.
 */
export async function recordDispute(
  context: PaymentsContext,
  { merchantId, disputeId, state, fee, actor }: SeenChange,
): Promise<RecordDisputeOutcome> {
  const { prisma } = context.resources.database;
  const dispute = await prisma.dispute.findUnique({ where: { merchantId_id: { merchantId, id: disputeId } } });
  if (dispute === null) return { kind: 'not_found' };
  const isRead = !dispute.manual && dispute.unrecognised === null;
  if (isRead && state !== null && state !== dispute.state)
    return { kind: 'refused', why: 'The gateway itself says what becomes of this dispute.' };
  const attempt =
    dispute.attemptId === null
      ? null
      : await prisma.attempt.findUnique({ where: { merchantId_id: { merchantId, id: dispute.attemptId } } });
  if (attempt === null && dispute.attemptId !== null) return { kind: 'not_found' };
  // For a payment that is not in the ledger, the gateway's own names are stored.
  const { reference, transactionId } = attempt ?? dispute;
  await settleReportedDispute(context, {
    merchantId,
    accountId: dispute.accountId,
    cause: 'staff',
    actor,
    fee,
    reported: {
      ...asReported(dispute, REPORTED[state ?? dispute.state]),
      reference: reference ?? '',
      transactionId: transactionId ?? '',
    },
    also: (transaction) => {
      const after = { state: state ?? dispute.state, fee };
      return auditDispute(
        context,
        transaction,
        { merchantId, disputeId, actor, action: 'disputes.recorded', after },
        context.now(),
      );
    },
  });
  return { kind: 'recorded' };
}

/** A stored dispute as a report of it, with another state. A due date that the gateway did not name stays one by rule. */
function asReported(dispute: Dispute, state: ReportedDispute['state']) {
  const { gatewayDisputeId, category, stage, amount, openedAt, closedAt, dueAt, dueSource } = dispute;
  const own = { gatewayDisputeId, category, stage, amount: amount.toFixed(), openedAt, state };
  return { ...own, closedAt: state === REPORTED[dispute.state] ? closedAt : null, dueAt: dueSource === 'GATEWAY' ? dueAt : null };
}
