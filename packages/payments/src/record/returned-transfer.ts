import { aboutPayment } from '@switchyard/db';
import type { ReturnedTransfer } from '@switchyard/gateways';
import { applyPaymentChange } from './apply-change.ts';
import { findAttempt, findAttemptByReference } from './attempt-queries.ts';
import type { PaymentsContext } from './context.ts';
import type { AttemptRecord, NewTimelineEvent } from './payment-record.ts';
import { readPayment } from './statements.ts';

const LOOKUP_TIMEOUT_MS = 10_000;
/** Most returned transfers that are recorded of a payment. */
const RECORDED_MAX = 20;

/** A stored webhook about a transfer that its gateway sends back. */
interface TransferWebhook {
  readonly merchantId: string;
  readonly webhookId: string;
  readonly accountId: string;
  /** The gateway's own id of the transaction, where the webhook names nothing else. */
  readonly transactionId: string | null;
}

/**
 * Records in the timeline that a customer's transfer was not taken and goes back by the gateway. The webhook is all there is: nothing can be looked
 * up, and nothing but the timeline changes. Throws without an answer about whose payment it is, so that it is followed up again.
 */
export async function recordReturnedTransfer(
  context: PaymentsContext,
  webhook: TransferWebhook,
  { attemptId, transfer }: { readonly attemptId: string | null; readonly transfer: ReturnedTransfer },
): Promise<void> {
  const { database } = context.resources;
  const { merchantId, webhookId } = webhook;
  const attempt =
    attemptId === null ? await findByTransaction(context, webhook) : await findAttempt(database, merchantId, attemptId);
  if (attempt === null) return;
  const { paymentId } = attempt;
  aboutPayment({ merchantId, paymentId });
  const payment = await readPayment(database, merchantId, paymentId);
  if (payment === undefined) return;
  const type = 'payment.transfer_returned';
  const where = { merchantId, paymentId, type };
  const recorded = await database.prisma.timelineEvent.findMany({ where, select: { id: true }, take: RECORDED_MAX });
  if (recorded.length === RECORDED_MAX || recorded.some(({ id }) => id === webhookId)) return;
  const expected = payment.amount.toString();
  // Squad has one word for a transfer that came late and for one that came after the payment.
  const isPaid = payment.status === 'SUCCESS' || payment.status === 'REFUNDED';
  const why = isPaid && transfer.why === 'late' ? 'again' : transfer.why;
  const { amount, currency } = transfer;
  const detail = { attemptId: attempt.id, gateway: attempt.gateway, why, amount, currency, expected };
  const event: NewTimelineEvent = {
    // The webhook's own id: what is followed up twice is recorded once.
    eventId: webhookId,
    type,
    fromStatus: null,
    toStatus: null,
    cause: 'gateway_webhook',
    actor: null,
    detail,
  };
  const change = { merchantId, paymentId, version: payment.version, events: [event] };
  const applied = await applyPaymentChange(database, change, context.now());
  if (applied !== 'applied') throw new Error(`payment ${paymentId} changed meanwhile`);
}

/** The attempt of a transaction that only the gateway's own id names: the gateway is asked for our reference. */
async function findByTransaction(
  { resources: { configuration, database, openAccount } }: PaymentsContext,
  { merchantId, accountId, transactionId }: TransferWebhook,
): Promise<AttemptRecord | null> {
  const known = configuration.account(accountId);
  const opened = known === undefined ? null : openAccount(known.account);
  if (transactionId === null || opened?.gateway.findReference === undefined) return null;
  const found = await opened.gateway.findReference(opened.access, { transactionId }, { timeoutMs: LOOKUP_TIMEOUT_MS });
  if (found.outcome === 'unknown')
    throw new Error(`${opened.gateway.name} gave no answer about a transaction: ${found.failure.code}`);
  return found.outcome === 'yes' ? findAttemptByReference(database, merchantId, accountId, found.value) : null;
}
