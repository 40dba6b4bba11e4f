import { appendAuditEntry, isUuid } from '@switchyard/db';
import type { PaymentStatus } from '@switchyard/db/client';
import { findPaymentAmong } from '../console/payment-notes.ts';
import type { PaymentsContext } from '../context.ts';
import type { Timings } from '../life-cycle/order.ts';
import { askAbout } from './verify.ts';

export interface VerifyNowCommand {
  /** Those for which the person may. */
  readonly merchantIds: readonly string[];
  readonly paymentId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

export type VerifyNowOutcome =
  | {
      readonly kind: 'asked';
      readonly before: PaymentStatus;
      readonly after: PaymentStatus;
      /** False while no gateway gave a usable answer. */
      readonly answered: boolean;
      /** Money came that does not match, and waits for a person. */
      readonly underReview: boolean;
    }
  /** Nothing the gateway says could change it, or there is no checkout to ask about. */
  | { readonly kind: 'settled'; readonly status: PaymentStatus }
  | { readonly kind: 'not_found' };

/** Asks a payment's gateway at once, because somebody wants to know, and tells what came of it. */
export async function verifyNow(
  context: PaymentsContext,
  { merchantIds, paymentId, actor }: VerifyNowCommand,
  timings: Timings,
): Promise<VerifyNowOutcome> {
  const payment = isUuid(paymentId) ? await findPaymentAmong(context, merchantIds, paymentId) : null;
  if (payment === null) return { kind: 'not_found' };
  const asked = await askAbout(context, payment, { transactionId: null, cause: 'staff' }, timings);
  if (asked.questions === 0) return { kind: 'settled', status: payment.status };
  const { status: after, review } = asked.payment;
  const outcome = { before: payment.status, after, answered: asked.answered };
  const object = { objectType: 'payment', objectId: paymentId, before: null, after: outcome };
  const entry = { tenantId: payment.merchantId, entryId: context.newId(), actor, action: 'payment.verified', ...object };
  await context.resources.database.prisma.$transaction((transaction) => appendAuditEntry(transaction, entry, context.now()));
  return { kind: 'asked', ...outcome, underReview: review === 'OPEN' };
}
