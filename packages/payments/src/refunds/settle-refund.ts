import { transactWithHints } from '@switchyard/db';
import type { Prisma, Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { changePayment } from '../life-cycle/apply-change.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import { announce } from '../life-cycle/event-record.ts';
import { merchantOf } from '../life-cycle/merchant-of.ts';
import type { NewTimelineEvent } from '../life-cycle/payment-record.ts';
import { unrecognisedEvent } from '../verify/record-unrecognised.ts';
import { applyRefundResult, type RefundResult } from './apply-refund-result.ts';
import { changeRefund, type LockedPayment, lockPayment, readRefund } from './queries.ts';
import { type Consequences, consequencesOf } from './refund-consequences.ts';
import { refundResource } from './refund-resource.ts';

const ROUNDS_MAX = 5;

/**
 * Applies a gateway result to a refund and, in the same transaction, to its payment, duplicate charge or review, the timeline and the
 * merchant's events. Recomputed when the refund changed meanwhile. `alongside` runs in the transaction of a change.
 */
export async function settleRefund(
  context: PaymentsContext,
  { merchantId, id: refundId, paymentId }: Pick<Refund, 'merchantId' | 'id' | 'paymentId'>,
  result: RefundResult,
  cause: Cause,
  alongside?: (transaction: Prisma.TransactionClient, locked: LockedPayment) => Promise<void>,
): Promise<Refund> {
  const { merchantNumber } = await merchantOf(context, merchantId);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const settled = await transactWithHints(context.resources.database, async (transaction) => {
      const locked = await lockPayment(transaction, merchantId, paymentId);
      const refund = await readRefund(transaction, merchantId, refundId);
      if (locked === null || refund === null) throw new Error(`refund ${refundId} is gone`);
      const now = context.now();
      const change = applyRefundResult(refund, result, { now, random: context.random() });
      if (change === null) return refund;
      if (!(await changeRefund(transaction, refund, change, now))) return null;
      await alongside?.(transaction, locked);
      const after: Refund = { ...refund, ...change, version: refund.version + 1, updatedAt: now };
      const shown = await describeUnrecognised(context, transaction, refund, result, cause);
      const consequences =
        after.state === refund.state ? NONE : await readConsequences(context, transaction, locked, after, cause);
      await applyConsequences(context, transaction, locked, after, {
        merchantNumber,
        consequences: { ...consequences, events: [...shown, ...consequences.events] },
      });
      return after;
    });
    if (settled !== null) return settled;
  }
  throw new Error(`refund ${refundId} changed ${ROUNDS_MAX} times while one result was being applied`);
}

const NONE: Consequences = { change: {}, events: [] };

/** The event of a status that the gateway's documentation does not list, unless the timeline has it. */
async function describeUnrecognised(
  { newId }: PaymentsContext,
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, id: refundId, gateway }: Refund,
  result: RefundResult,
  cause: Cause,
): Promise<readonly NewTimelineEvent[]> {
  if (result.kind !== 'reported' || result.unrecognised === undefined) return [];
  const { message, record: answer } = result.unrecognised;
  const report = { type: 'refund.unrecognised_status', subject: { refundId }, gateway, message, answer, cause } as const;
  const event = await unrecognisedEvent(transaction, { merchantId, paymentId }, report, newId);
  return event === null ? [] : [event];
}

/** The effect of a refund's new state on its payment; REQUESTED and PROCESSING have no effect. */
async function readConsequences(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  refund: Refund,
  cause: Cause,
): Promise<Consequences> {
  const { state } = refund;
  if (state === 'REQUESTED' || state === 'PROCESSING') return NONE;
  return consequencesOf(context, transaction, locked, { ...refund, state }, cause);
}

/** Applies to a payment what follows from its refund, if anything does. */
async function applyConsequences(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  locked: LockedPayment,
  refund: Refund,
  { merchantNumber, consequences: { change, events } }: { merchantNumber: string; consequences: Consequences },
): Promise<void> {
  if (events.length === 0) return;
  const now = context.now();
  const { merchantId, paymentId, version } = locked;
  const after = { ...locked, ...(change.status && { status: change.status }), version: version + 1 };
  const announcements = events.flatMap((event) => {
    const about = event.type.startsWith('refund.') ? { refund: refundResource(refund) } : {};
    return announce(after, merchantNumber, { ...event, at: now, ...about }) ?? [];
  });
  const applied = await changePayment(transaction, { merchantId, paymentId, version, ...change, events, announcements }, now);
  if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked for refund ${refund.id}`);
}
