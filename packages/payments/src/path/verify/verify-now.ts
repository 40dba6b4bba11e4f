import { isUuid } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { PaymentStatus } from '@switchyard/db/client';
import type { PaymentsContext } from '../../record/context.ts';
import type { Timings } from '../../record/order.ts';
import { findPaymentAmong } from '../../record/payment-notes.ts';
import { verifyAttempts } from './verify.ts';

/** A staff user's request to look up a payment at its gateway at once. */
export interface VerifyNowCommand {
  /** Merchants for which the actor has the permission. */
  readonly merchantIds: readonly string[];
  readonly paymentId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** The payment's status before and after the lookup, or why there was none. */
export type VerifyNowOutcome =
  | {
      readonly kind: 'verified';
      readonly before: PaymentStatus;
      readonly after: PaymentStatus;
      /** False while no gateway gave a usable answer. */
      readonly answered: boolean;
      /** Money that does not match the order awaits review. */
      readonly underReview: boolean;
    }
  /** No gateway result can change it, or there is no checkout to look up. */
  | { readonly kind: 'settled'; readonly status: PaymentStatus }
  | { readonly kind: 'not_found' };

/** Verifies a payment at its gateway at once, for staff, and returns the result. */
export async function verifyNow(
  context: PaymentsContext,
  { merchantIds, paymentId, actor }: VerifyNowCommand,
  timings: Timings,
): Promise<VerifyNowOutcome> {
  const payment = isUuid(paymentId) ? await findPaymentAmong(context, merchantIds, paymentId) : null;
  if (payment === null) return { kind: 'not_found' };
  const verified = await verifyAttempts(context, payment, { transactionId: null, cause: 'staff' }, timings);
  if (verified.lookups === 0) return { kind: 'settled', status: payment.status };
  const { status: after, review } = verified.payment;
  const outcome = { before: payment.status, after, answered: verified.answered };
  const object = { objectType: 'payment', objectId: paymentId, before: null, after: outcome };
  const entry = { tenantId: payment.merchantId, entryId: context.newId(), actor, action: 'payment.verified', ...object };
  await context.resources.database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, entry, context.now()),
  );
  return { kind: 'verified', ...outcome, underReview: review === 'OPEN' };
}
