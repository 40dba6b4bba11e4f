import { appendAuditEntry, enqueueJob } from '@switchyard/db';
import type { Prisma, Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { changePayment } from '../life-cycle/apply-change.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import { insertRefund, type LockedPayment, type RefundedMoney, resolveFailedRefunds } from './queries.ts';

/** Who asks for something to be done with money: `staff:<id>`, `api`, `system:<what>`, and what made them. */
export interface MoneyAuthor {
  readonly actor: string;
  readonly cause: Cause;
}

export interface RefundWish {
  readonly refundId: string;
  readonly money: RefundedMoney;
  /** Whole main units; the caller has checked that so much is left. */
  readonly amount: bigint;
  readonly currency: string;
  /** For whoever looks at the refund, the gateway and the customer too. */
  readonly reason: string | null;
  /** For us alone. */
  readonly note?: string;
  readonly kind: 'own' | 'duplicate' | 'mismatched';
}

/** Past the moment at which the queued job has asked for it, as a rule. */
const FIRST_LOOK_MS = 30_000;

/**
 * Puts a refund on record inside the caller's transaction, which holds the payment: the refund, the timeline, the audit row where
 * it was staff, and the job that asks the gateway. No gateway has been called by then.
 */
export async function recordRefund(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  held: LockedPayment,
  wish: RefundWish,
  author: MoneyAuthor,
): Promise<Refund> {
  const now = context.now();
  const { refundId, money, amount, currency, reason, note = null, kind } = wish;
  const { merchantId, paymentId, mode } = held;
  const refund = await insertRefund(
    transaction,
    {
      ...{ merchantId, refundId, mode, paymentId, amount, currency, reason },
      ...{ attemptId: money.attemptId, accountId: money.accountId, gateway: money.gateway, transactionId: money.transactionId },
      ...{ reference: `rf-${refundId}`, requestedBy: author.actor, duplicate: kind === 'duplicate' },
      ...{ mismatched: kind === 'mismatched', nextCheckAt: new Date(now.getTime() + FIRST_LOOK_MS) },
    },
    now,
  );
  if (kind === 'own') {
    await resolveFailedRefunds(transaction, { merchantId, paymentId, amount }, { resolvedBy: author.actor, resolvedAt: now });
  }
  const detail = { refundId, amount: amount.toString(), currency, gateway: money.gateway, reason, note, kind };
  await noteOnPayment(context, transaction, held, { type: 'refund.requested', detail }, author);
  await auditMoney(
    context,
    transaction,
    held,
    { action: 'refund.requested', objectType: 'refund', objectId: refundId },
    detail,
    author,
  );
  await enqueueJob(transaction, 'send-refund', { merchantId, refundId }, { key: `send-refund:${refundId}` });
  return refund;
}

/** Adds an event to the timeline of a payment the transaction holds, with what else changes of it. */
export async function noteOnPayment(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  held: LockedPayment,
  event: { readonly type: string; readonly detail: Readonly<Record<string, string | boolean | null>> },
  author: MoneyAuthor,
): Promise<void> {
  const { merchantId, paymentId, version } = held;
  const entry = {
    ...{ eventId: context.newId(), type: event.type, fromStatus: null, toStatus: null },
    ...{ cause: author.cause, actor: staffOrNull(author.actor), detail: event.detail },
  };
  const applied = await changePayment(transaction, { merchantId, paymentId, version, events: [entry] }, context.now());
  if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was held`);
}

/** Writes the audit row of something staff did; nothing for others. */
export async function auditMoney(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  held: LockedPayment,
  what: { readonly action: string; readonly objectType: string; readonly objectId: string },
  after: Readonly<Record<string, string | boolean | null>>,
  { actor }: MoneyAuthor,
): Promise<void> {
  if (staffOrNull(actor) === null) return;
  const entry = { tenantId: held.merchantId, entryId: context.newId(), actor, ...what, before: null };
  await appendAuditEntry(transaction, { ...entry, after: { paymentId: held.paymentId, ...after } }, context.now());
}

/** Who is named on a timeline: people are. */
export function staffOrNull(actor: string): string | null {
  return actor.startsWith('staff:') ? actor : null;
}
