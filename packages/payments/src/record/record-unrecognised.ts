import type { Prisma } from '@switchyard/db/client';
import type { Outcome, ReceivedPayment } from '@switchyard/gateways';
import { applyPaymentChange } from './apply-change.ts';
import type { Cause } from './apply-gateway-result.ts';
import type { PaymentsContext } from './context.ts';
import type { AttemptRecord, NewTimelineEvent, PaymentRecord } from './payment-record.ts';
import { readPayment } from './statements.ts';

/** Most statuses of one kind that are recorded of a payment: a gateway might answer another one each time. */
const RECORDED_MAX = 20;
const ANSWER_MAX = 4_096;

/** A status of a payment, a refund or a dispute that the gateway's documentation does not list. */
interface UnrecognisedReport {
  readonly type: 'payment.unrecognised_status' | 'refund.unrecognised_status' | 'dispute.unrecognised_status';
  /** The object whose status it is: a field of the event's detail. */
  readonly subject: { readonly attemptId: string } | { readonly refundId: string } | { readonly disputeId: string };
  readonly gateway: string;
  readonly message: string;
  /** The gateway's answer, or its part about the subject, redacted; null where it is not known. */
  readonly answer: string | null;
  readonly cause: Cause;
}

/**
 * The event that shows an unrecognised status and what it came in; null where the timeline has it already, for the same subject and
 * status, or is full of them.
 */
export async function unrecognisedEvent(
  client: Pick<Prisma.TransactionClient, 'payment' | 'timelineEvent'>,
  { merchantId, paymentId }: Pick<PaymentRecord, 'merchantId' | 'paymentId'>,
  { type, subject, gateway, message, answer, cause }: UnrecognisedReport,
  newId: () => string,
): Promise<NewTimelineEvent | null> {
  const recorded = await client.timelineEvent.findMany({
    where: { merchantId, paymentId, type },
    select: { detail: true },
    take: RECORDED_MAX,
  });
  if (recorded.length === RECORDED_MAX) return null;
  if (recorded.some(({ detail }) => hasFields(detail, { ...subject, message }))) return null;
  const where = { merchantId_id: { merchantId, id: paymentId } };
  const known = await client.payment.findUnique({ where, select: { customerErasedAt: true } });
  // Nothing of a customer who was erased comes back.
  const kept = known?.customerErasedAt == null ? (answer?.slice(0, ANSWER_MAX).toWellFormed() ?? null) : null;
  const detail = { ...subject, gateway, message, answer: kept };
  return { eventId: newId(), type, fromStatus: null, toStatus: null, cause, actor: null, detail };
}

function hasFields(detail: unknown, fields: Readonly<Record<string, string>>): boolean {
  if (typeof detail !== 'object' || detail === null) return false;
  return Object.entries(fields).every(([name, value]) => Reflect.get(detail, name) === value);
}

/**
 * Records in the timeline that a gateway answered a status of a payment which its documentation does not list, once for each attempt and
 * status. Returns the payment after it, unchanged but for its version. Other outcomes cost nothing.
 */
export async function recordUnrecognised(
  context: PaymentsContext,
  payment: PaymentRecord,
  { id: attemptId, gateway }: AttemptRecord,
  { outcome, cause }: { readonly outcome: Outcome<ReceivedPayment>; readonly cause: Cause },
): Promise<PaymentRecord> {
  if (outcome.outcome === 'yes' || outcome.failure.code !== 'unrecognised_status') return payment;
  const { database } = context.resources;
  const { merchantId, paymentId, version } = payment;
  const { message } = outcome.failure;
  const report = { type: 'payment.unrecognised_status', subject: { attemptId }, gateway, message, cause } as const;
  const { answer } = outcome.call;
  const event = await unrecognisedEvent(database.prisma, payment, { ...report, answer }, context.newId);
  if (event === null) return payment;
  const applied = await applyPaymentChange(database, { merchantId, paymentId, version, events: [event] }, context.now());
  if (applied !== 'applied') return payment;
  return (await readPayment(database, merchantId, paymentId)) ?? payment;
}
