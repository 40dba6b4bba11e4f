import { transactWithHints } from '@switchyard/db';
import { type Dispute, type DisputeState, Prisma } from '@switchyard/db/client';
import { compareDecimals, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import type { ReportedDispute } from '@switchyard/gateways';
import type { NewMerchantEvent } from '@switchyard/webhooks/events';
import { changePayment } from '../record/apply-change.ts';
import type { Cause } from '../record/apply-gateway-result.ts';
import type { PaymentsContext } from '../record/context.ts';
import { reversalByDisputes, reversalEvent } from '../record/decide-reversal.ts';
import {
  type DisputedMoney,
  type DisputeRow,
  readDispute,
  sumLostDisputes,
  writeDispute,
  writeDisputeEvent,
  writeTakenBack,
} from '../record/dispute-rows.ts';
import { announce, recordOf } from '../record/event-record.ts';
import { merchantOf } from '../record/find-payment.ts';
import { sumRefundsOf } from '../record/known-returns.ts';
import type { AttemptRecord, NewTimelineEvent } from '../record/payment-record.ts';
import { unrecognisedEvent } from '../record/record-unrecognised.ts';
import { type LockedPayment, lockPayment } from '../record/refund-queries.ts';
import {
  applyDispute,
  DISPUTE_EVENTS,
  DISPUTE_STATES,
  type DisputeChange,
  type DisputeDue,
  type DisputeTerms,
  publishedDue,
} from './apply-dispute.ts';
import { type DisputeResource, disputeEventType, disputeResource } from './dispute-resource.ts';

/** A dispute's report for the attempt whose money is disputed. */
export interface DisputeReport {
  readonly merchantId: string;
  readonly attempt: AttemptRecord;
  readonly reported: ReportedDispute;
  readonly cause: Cause;
  /** The due date by the gateway's rule, or as a staff user entered it; that of the report counts more. */
  readonly due?: DisputeDue | null;
  readonly fee?: string | null;
  /** The staff user who enters what was seen at the gateway, as `staff:<id>`; left out where it reports itself. */
  readonly actor?: string;
  /** Called in the transaction, with the locked dispute's id. */
  readonly also?: (transaction: Prisma.TransactionClient, disputeId: string) => Promise<void>;
}

/** Dispute after a report of it; `state` as it is stored. */
export interface SettledDispute {
  readonly disputeId: string;
  readonly state: DisputeState;
}

/**
 * Applies what a gateway reports of a dispute in one transaction: the dispute, its history, what it took back of the payment, the timeline and
 * the merchant's events. Repeating it changes nothing.
 */
export async function settleDispute(
  context: PaymentsContext,
  { merchantId, attempt, reported, cause, due = null, fee = null, actor, also }: DisputeReport,
): Promise<SettledDispute> {
  const { merchantNumber } = await merchantOf(context, merchantId);
  const { paymentId, accountId, gateway, transactionId } = attempt;
  return transactWithHints(context.resources.database, async (transaction) => {
    const locked = await lockPayment(transaction, merchantId, paymentId);
    if (locked === null) throw new Error(`payment ${paymentId} is gone`);
    const now = context.now();
    const { gatewayDisputeId } = reported;
    const { reference, transactionId: named } = reported;
    const at = { accountId, gateway, gatewayDisputeId, reference, transactionId: named };
    const key = { merchantId, mode: locked.mode, paymentId, attemptId: attempt.id, ...at };
    const known = await readDispute(transaction, key);
    const openedAt = reported.openedAt ?? now;
    const rule = due ?? publishedDue(gateway, openedAt);
    const isSeen = actor !== undefined;
    const change = changeOf(known, reported, { paid: String(locked.amount), now, due: rule, fee, isSeen });
    const id: Dispute['id'] = known?.id ?? context.newId();
    const about = { attemptId: attempt.id, gateway, disputeId: id, gatewayDisputeId };
    const after = { ...locked, version: locked.version + 1 };
    const events: NewTimelineEvent[] = [];
    const announcements: NewMerchantEvent[] = [];
    if (change !== null) {
      const created = { id, currency: locked.currency, manual: isSeen, openedAt };
      await writeDispute(transaction, key, created, change.fields, now);
      const { state, category, stage, amount, dueAt, dueSource, unrecognised } = change.fields;
      const isUnrecognised = !isSeen && unrecognised !== null && unrecognised !== known?.unrecognised;
      const detail = { amount, currency: locked.currency, category, stage, dueAt: dueAt?.toISOString() ?? null, dueSource };
      const entered = known === null ? 'opened_by_hand' : 'recorded';
      const entry = { merchantId, id: context.newId(), disputeId: id, actor: actor ?? null, state, detail } as const;
      const heard = isUnrecognised ? 'unrecognised' : 'reported';
      await writeDisputeEvent(transaction, { ...entry, type: isSeen ? entered : heard }, now);
      if (isUnrecognised && reported.unrecognised !== undefined) {
        const { message, record: answer } = reported.unrecognised;
        const report = {
          type: 'dispute.unrecognised_status',
          subject: { disputeId: id },
          gateway,
          message,
          answer,
          cause,
        } as const;
        const event = await unrecognisedEvent(transaction, locked, report, context.newId);
        if (event !== null) events.push(event);
      }
      if (change.event !== null) {
        const eventId = context.newId();
        const type = change.event;
        events.push({
          eventId,
          type,
          fromStatus: null,
          toStatus: null,
          cause,
          actor: actor ?? null,
          detail: { ...about, ...detail },
        });
        const before = known === null || known.paymentId === null ? null : known.state;
        const announced = disputeEventType(before, state);
        if (announced !== null) {
          const dispute = disputeResource({ ...change.fields, ...created, paymentId, gateway, gatewayDisputeId });
          announcements.push(announceDispute(after, merchantNumber, { eventId, type: announced, at: now, dispute }));
        }
      }
    }
    await also?.(transaction, id);
    const state = change?.fields.state ?? known?.state ?? DISPUTE_STATES[reported.state];
    // Money that is not recorded as received yet, or is another transaction's, is not taken back.
    const isReceived = attempt.state === 'PAID' && transactionId === named;
    const money = { merchantId, paymentId, attemptId: attempt.id, accountId, transactionId: named };
    const taking = isReceived ? await takingOf(transaction, { locked, attempt, money }) : null;
    const reversal =
      taking === null || attempt.duplicate
        ? null
        : reversalByDisputes(locked, { ...taking, at: change?.fields.closedAt ?? known?.closedAt ?? now });
    if (taking !== null) {
      const chargedBack = attempt.duplicate ? taking.left : (reversal ?? locked.reversal).amount;
      await writeTakenBack(transaction, money, compareDecimals(taking.lost, chargedBack) < 0 ? taking.lost : chargedBack);
    }
    const category = change?.fields.category ?? known?.category ?? null;
    const told =
      reversal === null
        ? null
        : reversalEvent(locked, reversal, { eventId: context.newId(), cause, detail: { ...about, category } });
    if (told !== null) {
      events.push(told.event);
      const reversed = announce(after, merchantNumber, { ...told.event, at: now, reversal: told.announced });
      if (reversed !== null) announcements.push(reversed);
    }
    if (change === null && reversal === null) return { disputeId: id, state };
    const applied = await changePayment(
      transaction,
      {
        merchantId,
        paymentId,
        version: locked.version,
        ...(reversal !== null && { reversal }),
        events,
        announcements,
      },
      now,
    );
    if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked for dispute ${id}`);
    return { disputeId: id, state };
  });
}

/** The change that a report makes; of a dispute that was of a payment not in the ledger until now, as if it were new. */
function changeOf(known: DisputeRow | null, reported: ReportedDispute, terms: DisputeTerms): DisputeChange | null {
  const change = applyDispute(known, reported, terms);
  if (known === null || known.paymentId !== null) return change;
  const { state, category, stage, amount, fee, dueAt, dueSource, closedAt, unrecognised } = known;
  const fields = change?.fields ?? { state, category, stage, amount, fee, dueAt, dueSource, closedAt, unrecognised };
  return { fields, event: change?.event ?? DISPUTE_EVENTS[fields.state] };
}

/** The sum of a transaction's lost disputes, that of our refunds, and the amount that is left of it without them. */
async function takingOf(
  transaction: Prisma.TransactionClient,
  {
    locked,
    attempt,
    money,
  }: {
    readonly locked: LockedPayment;
    readonly attempt: AttemptRecord;
    readonly money: DisputedMoney & { readonly accountId: string };
  },
): Promise<{ readonly lost: string; readonly refunded: bigint; readonly left: string }> {
  const lost = await sumLostDisputes(transaction, money);
  const refunded = await sumRefundsOf(transaction, money);
  const received = attempt.receivedAmount ?? String(locked.amount);
  const left = subtractDecimals(received, String(refunded));
  return { lost, refunded, left: compareDecimals(left, '0') < 0 ? '0' : left };
}

/** A dispute that was opened or closed, with the id of the timeline event of the same change. */
interface DisputeAnnouncement {
  readonly eventId: string;
  readonly type: 'dispute.opened' | 'dispute.closed';
  readonly at: Date;
  readonly dispute: DisputeResource;
}

/** The merchant's event of a dispute. `payment` is the payment after the event. */
function announceDispute(
  payment: LockedPayment,
  merchantNumber: string,
  { eventId, type, at, dispute }: DisputeAnnouncement,
): NewMerchantEvent {
  const { merchantId, mode, paymentId, version: position } = payment;
  const record = recordOf(payment, merchantNumber, { id: eventId, type, at });
  const body = JSON.stringify({ ...record, data: { ...record.data, dispute } });
  return { merchantId, eventId, mode, paymentId, position, type, body };
}

/** The charge for a dispute as a payout took it off, an exact decimal of the main unit without a sign. */
export interface SettledDisputeFee {
  readonly disputeId: string;
  readonly fee: string;
}

/**
 * Writes what payouts took off for disputes, in place of what was entered or reported before: it is what was paid. A fee that is known so already
 * changes nothing. Returns how many changed.
 */
export async function settleDisputeFees(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  fees: readonly SettledDisputeFee[],
  { now, newId }: { readonly now: Date; readonly newId: () => string },
): Promise<number> {
  let changed = 0;
  for (const { disputeId, fee } of fees) {
    const [dispute] = await transaction.$queryRaw<{ fee: string | null; state: DisputeState; currency: string }[]>(Prisma.sql`
      SELECT trim_scale(fee)::text AS fee, state::text AS state, currency::text AS currency FROM dispute
      WHERE merchant_id = ${merchantId}::uuid AND id = ${disputeId}::uuid FOR UPDATE`);
    if (dispute === undefined || (dispute.fee !== null && sameDecimal(dispute.fee, fee))) continue;
    await transaction.dispute.update({ where: { merchantId_id: { merchantId, id: disputeId } }, data: { fee, updatedAt: now } });
    const { state, currency } = dispute;
    const detail = { fee, currency, before: dispute.fee };
    const event = { merchantId, id: newId(), disputeId, type: 'fee_settled', actor: null, state, detail } as const;
    await writeDisputeEvent(transaction, event, now);
    changed += 1;
  }
  return changed;
}
