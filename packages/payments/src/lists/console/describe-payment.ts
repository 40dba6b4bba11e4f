import { isUuid, type JsonValue } from '@switchyard/db';
import type { Dispute } from '@switchyard/db/client';
import type { TransferPayer } from '@switchyard/gateways';
import { type DisplayStatus, displayStatus } from '@switchyard/reporting/display-status';
import { type Clock, UTC_CLOCK } from '@switchyard/routing';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { z } from 'zod';
import { readPayers } from '../../record/attempt-queries.ts';
import type { PaymentsContext } from '../../record/context.ts';
import { toReversal } from '../../record/decide-reversal.ts';
import { toRoutablePayment } from '../../record/decisions/stored-decision.ts';
import { readCall } from '../../record/packed-call.ts';
import type { Reversal } from '../../record/payment-record.ts';
import { isUnresolvedRefund } from '../../record/refund-queries.ts';
import { reasonsInZone } from '../decisions/decide-again.ts';
import { type DecisionDescription, describeDecision } from './describe-decision.ts';
import { findPaymentWithTimeline, type PaymentWithTimeline } from './payment-queries.ts';

/** A payment with its timeline, for the dashboard. Money is in main units: whole as `bigint`, exact decimals as text. */
export interface PaymentDescription {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly paymentId: string;
  readonly mode: PaymentWithTimeline['mode'];
  readonly merchantOrderId: string;
  readonly status: PaymentWithTimeline['status'];
  readonly displayStatus: DisplayStatus;
  readonly amount: bigint;
  readonly currency: string;
  readonly paymentMethod: string | null;
  readonly customer: {
    readonly email: string;
    readonly id: string | null;
    readonly phone: string | null;
    readonly country: string | null;
  };
  readonly metadata: JsonValue;
  readonly redirectUrl: string | null;
  readonly gateway: string;
  readonly gatewayReference: string | null;
  readonly money: PaymentMoney;
  readonly late: boolean;
  /** A code of `FAILURE_REASONS`; null unless FAILED, and while that is not known. */
  readonly failureReason: string | null;
  readonly review: { readonly state: 'OPEN' | 'RESOLVED'; readonly reason: string | null } | null;
  readonly expiresAt: Date;
  /** When the payment is verified next; null for never. */
  readonly nextCheckAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly decision: DecisionDescription;
  readonly attempts: readonly AttemptDescription[];
  readonly timeline: readonly TimelineDescription[];
  readonly refunds: readonly RefundDescription[];
  readonly disputes: readonly DisputeDescription[];
}

/** A dispute of a payment. `amount` is an exact decimal of the main unit. */
export interface DisputeDescription
  extends Pick<Dispute, 'gateway' | 'gatewayDisputeId' | 'state' | 'category' | 'currency' | 'dueAt' | 'openedAt' | 'closedAt'> {
  readonly disputeId: string;
  readonly amount: string;
}

/**
 * Money that a payment brought. Decimals as text are exact, in the main unit; `refunded` is in whole main units; null until paid or
 * where the gateway reports none.
 */
export interface PaymentMoney {
  /** The amount that the gateway reports as received. */
  readonly received: string | null;
  readonly receivedCurrency: string | null;
  readonly fee: string | null;
  readonly paidMethod: string | null;
  readonly paidAt: Date | null;
  readonly refunded: bigint;
  /** Money that the gateway took back, apart from refunds. */
  readonly reversal: Reversal;
}

/**
 * An attempt at one gateway account. Received amounts are exact decimals of the main unit, null until the gateway reports money.
 */
export interface AttemptDescription {
  readonly attemptId: string;
  /** From 0, in the order tried. */
  readonly position: number;
  readonly gateway: string;
  readonly accountId: string;
  /** The merchant's label of the account; null when it was deleted. */
  readonly accountLabel: string | null;
  readonly reference: string;
  readonly state: PaymentWithTimeline['attempts'][number]['state'];
  /** The customer was given the checkout of this attempt. */
  readonly current: boolean;
  readonly duplicate: boolean;
  readonly failure: { readonly class: string; readonly code: string; readonly message: string } | null;
  readonly latencyMs: number | null;
  /** Request and response, with secrets redacted before storage. */
  readonly call: AttemptCall | null;
  readonly transactionId: string | null;
  /** The payer of a transfer; null where the gateway does not name them. */
  readonly payer: TransferPayer | null;
  readonly received: string | null;
  readonly receivedCurrency: string | null;
  readonly lastAskedAt: Date | null;
  readonly createdAt: Date;
}

const callSchema = z.object({
  method: z.string(),
  url: z.string(),
  httpStatus: z.number().nullable().catch(null),
  request: z.string().nullable().catch(null),
  answer: z.string().nullable().catch(null),
});

/** The recorded HTTP exchange of an attempt. */
export type AttemptCall = z.infer<typeof callSchema>;

/** An event of a payment's timeline; both statuses are null where the event changed none. */
export interface TimelineDescription {
  readonly eventId: string;
  readonly type: string;
  readonly fromStatus: PaymentWithTimeline['status'] | null;
  readonly toStatus: PaymentWithTimeline['status'] | null;
  readonly cause: string;
  readonly actor: string | null;
  readonly detail: JsonValue;
  readonly createdAt: Date;
}

/** A refund with its progress. `amount` is in whole main units; `failureMessage` is null unless the gateway refused it. */
export interface RefundDescription {
  readonly refundId: string;
  /** The gateway that refunds it. */
  readonly gateway: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly state: PaymentWithTimeline['refunds'][number]['state'];
  readonly reason: string | null;
  /** One of the merchant's reason codes; null without. */
  readonly reasonCode: string | null;
  readonly requestedBy: string;
  readonly failureMessage: string | null;
  readonly duplicate: boolean;
  readonly mismatched: boolean;
  /** It failed, its money is the payment's own, and it is not resolved. */
  readonly unresolved: boolean;
  /** The note of the staff user who dismissed it. */
  readonly note: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * A payment of one of these merchants with its attempts, timeline, refunds and the decision that routed it, whose sentences have times
 * as `clock` writes them; null when none of them has it, even for a malformed id.
 */
export async function describePayment(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly paymentId: string },
  clock: Clock = UTC_CLOCK,
): Promise<PaymentDescription | null> {
  if (!isUuid(query.paymentId)) return null;
  const { database, vault } = context.resources;
  const found = await database.inSnapshot(async (snapshot) => {
    const row = await findPaymentWithTimeline(snapshot, query.merchantIds, query.paymentId);
    const paid = row?.attempts.filter(({ receivedAmount }) => receivedAmount !== null).map(({ id }) => id) ?? [];
    return row && { row, payers: await readPayers(snapshot, vault, row.merchantId, paid) };
  });
  return found && describe(context, found, await describeDecisionInZone(context, found.row, clock));
}

/** A payment with those who paid its attempts by transfer. */
interface Found {
  readonly row: PaymentWithTimeline;
  readonly payers: ReadonlyMap<string, TransferPayer>;
}

function describe(context: PaymentsContext, { row, payers }: Found, decision: DecisionDescription): PaymentDescription {
  const { configuration } = context.resources;
  const { customerEmail, customerId, customerPhone, customerCountry, reviewReason } = row;
  return {
    merchantId: row.merchantId,
    merchantName: configuration.merchant(row.merchantId)?.merchant.name ?? row.merchantId,
    paymentId: row.id,
    mode: row.mode,
    merchantOrderId: row.merchantOrderId,
    status: row.status,
    displayStatus: displayStatus(row),
    amount: row.amount,
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    customer: { email: customerEmail, id: customerId, phone: customerPhone, country: customerCountry },
    metadata: toJson(row.metadata),
    redirectUrl: row.redirectUrl,
    gateway: row.recommendedGateway,
    gatewayReference: row.gatewayReference,
    money: describeMoney(row),
    late: row.late,
    failureReason: row.failureReason,
    review: row.review === null ? null : { state: row.review, reason: reviewReason },
    expiresAt: row.expiresAt,
    nextCheckAt: row.nextCheckAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    decision,
    attempts: row.attempts.map((attempt) => ({
      ...describeAttempt(attempt, row, configuration.account(attempt.accountId)?.account.label),
      payer: payers.get(attempt.id) ?? null,
    })),
    timeline: row.timeline.map(({ id, paymentId: _paymentId, merchantId: _merchantId, detail, ...event }) => ({
      ...event,
      eventId: id,
      detail: toJson(detail),
    })),
    refunds: row.refunds.map(describeRefund),
    disputes: row.disputes.map(describeDispute),
  };
}

function describeMoney(row: PaymentWithTimeline): PaymentMoney {
  return {
    received: row.receivedAmount?.toFixed() ?? null,
    receivedCurrency: row.receivedCurrency,
    fee: row.feeAmount?.toFixed() ?? null,
    paidMethod: row.paidMethod,
    paidAt: row.paidAt,
    refunded: row.refundedAmount,
    reversal: toReversal({ ...row, reversedAmount: row.reversedAmount.toFixed() }),
  };
}

function describeAttempt(
  attempt: PaymentWithTimeline['attempts'][number],
  payment: PaymentWithTimeline,
  accountLabel: string | undefined,
): Omit<AttemptDescription, 'payer'> {
  const { failureClass, failureCode, failureMessage } = attempt;
  return {
    attemptId: attempt.id,
    position: attempt.position,
    gateway: attempt.gateway,
    accountId: attempt.accountId,
    accountLabel: accountLabel ?? null,
    reference: attempt.reference,
    state: attempt.state,
    current: attempt.id === payment.currentAttemptId,
    duplicate: attempt.duplicate,
    failure: failureClass === null ? null : { class: failureClass, code: failureCode ?? '', message: failureMessage ?? '' },
    latencyMs: attempt.latencyMs,
    call: callSchema.nullable().catch(null).parse(readCall(attempt)),
    transactionId: attempt.transactionId,
    received: attempt.receivedAmount?.toFixed() ?? null,
    receivedCurrency: attempt.receivedCurrency,
    lastAskedAt: attempt.lastAskedAt,
    createdAt: attempt.createdAt,
  };
}

function describeRefund(refund: PaymentWithTimeline['refunds'][number]): RefundDescription {
  return {
    refundId: refund.id,
    gateway: refund.gateway,
    amount: refund.amount,
    currency: refund.currency,
    state: refund.state,
    reason: refund.reason,
    reasonCode: refund.reasonCode,
    requestedBy: refund.requestedBy,
    failureMessage: refund.failureMessage,
    duplicate: refund.duplicate,
    mismatched: refund.mismatched,
    unresolved: isUnresolvedRefund(refund),
    note: refund.note,
    createdAt: refund.createdAt,
    updatedAt: refund.updatedAt,
  };
}

function describeDispute(dispute: PaymentWithTimeline['disputes'][number]): DisputeDescription {
  const { id: disputeId, gateway, gatewayDisputeId, state, category, amount, currency, dueAt, openedAt, closedAt } = dispute;
  return {
    disputeId,
    gateway,
    gatewayDisputeId,
    state,
    category,
    amount: amount.toFixed(),
    currency,
    dueAt,
    openedAt,
    closedAt,
  };
}

async function describeDecisionInZone(
  context: PaymentsContext,
  row: PaymentWithTimeline,
  clock: Clock,
): Promise<DecisionDescription> {
  const decision = await describeDecision(context.resources.database, row, clock);
  const { record } = decision;
  if (record === null || clock === UTC_CLOCK) return decision;
  const stored = {
    ...row,
    paymentId: row.id,
    ...readDecision(row),
    payment: toRoutablePayment(row),
  };
  const reasons = await reasonsInZone(context, stored, clock);
  if (reasons === null) return decision;
  // Reasons that fallbacks added follow those of the decision, and have no times.
  return { ...decision, record: { ...record, reasons: [...reasons, ...record.reasons.slice(reasons.length)] } };
}

/** Stored JSON, read back as what it was written as. */
function toJson(value: PaymentWithTimeline['metadata']): JsonValue {
  return z.custom<JsonValue>(() => true).parse(value);
}
