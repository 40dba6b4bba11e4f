import type { Outcome, ReceivedPayment } from '@switchyard/gateways';
import type { PaymentsContext } from '../context.ts';
import { readPayment } from '../initiate/statements.ts';
import { applyPaymentChange } from '../life-cycle/apply-change.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import type { AttemptRecord, PaymentRecord } from '../life-cycle/payment-record.ts';

const TYPE = 'payment.unrecognised_status';
/** Most statuses of one payment that are recorded: a gateway might answer another one each time. */
const RECORDED_MAX = 20;
const ANSWER_MAX = 4_096;

/**
 * Records in the timeline that a gateway answered a status which its documentation does not list, with the redacted answer, once for each
 * attempt and status. Returns the payment after it, unchanged but for its version. Other outcomes cost nothing.
 */
export async function recordUnrecognised(
  context: PaymentsContext,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  { outcome, cause }: { readonly outcome: Outcome<ReceivedPayment>; readonly cause: Cause },
): Promise<PaymentRecord> {
  if (outcome.outcome === 'yes' || outcome.failure.code !== 'unrecognised_status') return payment;
  const { database } = context.resources;
  const { merchantId, paymentId, version } = payment;
  const { message } = outcome.failure;
  const recorded = await database.prisma.timelineEvent.findMany({
    where: { merchantId, paymentId, type: TYPE },
    select: { detail: true },
    take: RECORDED_MAX,
  });
  if (recorded.length === RECORDED_MAX || recorded.some(({ detail }) => isAbout(detail, attempt.id, message))) return payment;
  const answer = outcome.call.answer?.slice(0, ANSWER_MAX).toWellFormed() ?? null;
  const detail = { attemptId: attempt.id, gateway: attempt.gateway, message, answer };
  const event = { eventId: context.newId(), type: TYPE, fromStatus: null, toStatus: null, cause, actor: null, detail } as const;
  const applied = await applyPaymentChange(database, { merchantId, paymentId, version, events: [event] }, context.now());
  if (applied !== 'applied') return payment;
  return (await readPayment(database, merchantId, paymentId)) ?? payment;
}

function isAbout(detail: unknown, attemptId: string, message: string): boolean {
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'attemptId' in detail &&
    'message' in detail &&
    detail.attemptId === attemptId &&
    detail.message === message
  );
}
