import { transactWithHints } from '@switchyard/db';
import type { Dispute } from '@switchyard/db/client';
import type { ReportedDispute } from '@switchyard/gateways';
import type { PaymentsContext } from '../context.ts';
import { changePayment } from '../life-cycle/apply-change.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import { announce } from '../life-cycle/event-record.ts';
import { merchantOf } from '../life-cycle/merchant-of.ts';
import type { AttemptRecord, NewTimelineEvent } from '../life-cycle/payment-record.ts';
import { lockPayment, sumRefundsOf } from '../refunds/queries.ts';
import { applyDispute } from './apply-dispute.ts';
import { reversalByDisputes, reversalEvent } from './decide-reversal.ts';
import { readDispute, sumLostDisputes, writeDispute } from './queries.ts';

/** A dispute's report for the attempt whose money is disputed. */
export interface DisputeReport {
  readonly merchantId: string;
  readonly attempt: AttemptRecord;
  readonly reported: ReportedDispute;
  readonly cause: Cause;
}

/**
 * Applies what a gateway reports of a dispute in one transaction: the dispute, what it took back of the payment, the timeline and the
 * merchant's event. Repeating it changes nothing.
 */
export async function settleDispute(
  context: PaymentsContext,
  { merchantId, attempt, reported, cause }: DisputeReport,
): Promise<void> {
  const { merchantNumber } = await merchantOf(context, merchantId);
  const { paymentId, accountId, gateway, transactionId } = attempt;
  await transactWithHints(context.resources.database, async (transaction) => {
    const locked = await lockPayment(transaction, merchantId, paymentId);
    if (locked === null) throw new Error(`payment ${paymentId} is gone`);
    const now = context.now();
    const { gatewayDisputeId } = reported;
    const key = { merchantId, mode: locked.mode, paymentId, attemptId: attempt.id, accountId, gateway, gatewayDisputeId };
    const known = await readDispute(transaction, key);
    const change = applyDispute(known, reported, { paid: locked.amount, now });
    if (change === null) return;
    const id: Dispute['id'] = known?.id ?? context.newId();
    const created = { id, currency: locked.currency, openedAt: reported.openedAt ?? now };
    await writeDispute(transaction, key, created, change.fields, now);
    const { category, amount, dueAt, closedAt } = change.fields;
    const about = { attemptId: attempt.id, gateway, disputeId: id, gatewayDisputeId, category };
    const events: NewTimelineEvent[] = [];
    if (change.event !== null) {
      const detail = { ...about, amount, currency: locked.currency, dueAt: dueAt?.toISOString() ?? null };
      events.push({ eventId: context.newId(), type: change.event, fromStatus: null, toStatus: null, cause, actor: null, detail });
    }
    // Money that is not the payment's own, or not recorded as received yet, is not taken back from it.
    const isOwn = attempt.state === 'PAID' && !attempt.duplicate && transactionId === reported.transactionId;
    const money = { merchantId, paymentId, accountId, transactionId: reported.transactionId };
    const reversal = isOwn
      ? reversalByDisputes(locked, {
          lost: await sumLostDisputes(transaction, key),
          refunded: await sumRefundsOf(transaction, money),
          at: closedAt ?? now,
        })
      : null;
    const told = reversal === null ? null : reversalEvent(locked, reversal, { eventId: context.newId(), cause, detail: about });
    if (told !== null) events.push(told.event);
    const after = { ...locked, version: locked.version + 1 };
    const announcement =
      told === null ? null : announce(after, merchantNumber, { ...told.event, at: now, reversal: told.announced });
    const applied = await changePayment(
      transaction,
      {
        merchantId,
        paymentId,
        version: locked.version,
        ...(reversal !== null && { reversal }),
        events,
        announcements: announcement === null ? [] : [announcement],
      },
      now,
    );
    if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked for dispute ${id}`);
  });
}
