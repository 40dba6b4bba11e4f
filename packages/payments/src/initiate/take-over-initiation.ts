import type { PaymentsContext } from '../context.ts';
import type { Timings } from '../life-cycle/order.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';
import { retryAt } from '../sweeping/next-check.ts';
import { claimDuePayment, scheduleNextCheck } from '../sweeping/queries.ts';
import { resumeInitiation } from './resume-initiation.ts';
import { findPayment } from './statements.ts';

const LEASE_MS = 60_000;

/**
 * Carries on an INITIATED payment whose first request never answered, for the merchant who asks again. Gives the payment as it
 * then stands; unchanged while the first request may still be at work, or another process carries it on.
 */
export async function takeOverInitiation(
  context: PaymentsContext,
  payment: PaymentRecord,
  timings: Timings,
): Promise<PaymentRecord> {
  const { database } = context.resources;
  const due = await claimDuePayment(database, payment, { now: context.now(), leaseMs: LEASE_MS });
  if (due === null) return (await findPayment(database, payment.merchantId, payment.paymentId)) ?? payment;
  const told = await resumeInitiation(context, payment, { cause: 'api', timings });
  const now = context.now();
  await scheduleNextCheck(database, due, retryAt({ now, unanswered: due.checkCount, random: context.random() }), now);
  return told.payment;
}
