import type { Prisma, Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { changePayment } from '../life-cycle/apply-change.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import { announce } from '../life-cycle/event-record.ts';
import { merchantOf } from '../life-cycle/merchant-of.ts';
import { judgeRefund, type Learned } from './judge-refund.ts';
import { changeRefund, type LockedPayment, lockPayment, readRefund } from './queries.ts';
import { consequencesOf } from './refund-consequences.ts';

const JUDGEMENTS_MAX = 5;

/**
 * Applies what was learned of a refund: its own state, and with it, in the same transaction, what follows for the payment, the
 * duplicate charge or the review, the timeline, and what the merchant is told. Judges anew when the refund moved on meanwhile.
 */
export async function settleRefund(
  context: PaymentsContext,
  { merchantId, id: refundId, paymentId }: Pick<Refund, 'merchantId' | 'id' | 'paymentId'>,
  learned: Learned,
  cause: Cause,
): Promise<Refund> {
  const { merchantNumber } = await merchantOf(context, merchantId);
  for (let round = 0; round < JUDGEMENTS_MAX; round++) {
    const settled = await context.resources.database.prisma.$transaction(async (transaction) => {
      const held = await lockPayment(transaction, merchantId, paymentId);
      const refund = await readRefund(transaction, merchantId, refundId);
      if (held === null || refund === null) throw new Error(`refund ${refundId} is gone`);
      const now = context.now();
      const change = judgeRefund(refund, learned, { now, random: context.random() });
      if (change === null) return refund;
      if (!(await changeRefund(transaction, refund, change, now))) return null;
      const after: Refund = { ...refund, ...change, version: refund.version + 1, updatedAt: now };
      if (after.state !== refund.state) await tell(context, transaction, held, after, merchantNumber, cause);
      return after;
    });
    if (settled !== null) return settled;
  }
  throw new Error(`refund ${refundId} changed ${JUDGEMENTS_MAX} times while one answer was being judged`);
}

/** What follows from a refund's new state; nothing does from being under way. */
async function tell(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  held: LockedPayment,
  refund: Refund,
  merchantNumber: string,
  cause: Cause,
): Promise<void> {
  const { state } = refund;
  if (state === 'REQUESTED' || state === 'PROCESSING') return;
  const now = context.now();
  const { change, events } = await consequencesOf(context, transaction, held, { ...refund, state }, cause);
  const { merchantId, paymentId, version } = held;
  const after = { ...held, ...(change.status && { status: change.status }), version: version + 1 };
  const announcements = events.flatMap((event) => announce(after, merchantNumber, { ...event, at: now }) ?? []);
  const applied = await changePayment(transaction, { merchantId, paymentId, version, ...change, events, announcements }, now);
  if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked for refund ${refund.id}`);
}
