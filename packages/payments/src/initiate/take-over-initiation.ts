import type { PaymentsContext } from '../context.ts';
import type { Timings } from '../life-cycle/order.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';
import { retryAt } from '../sweeping/next-check.ts';
import { claimDuePayment, scheduleNextCheck } from '../sweeping/queries.ts';
import { resumeInitiation } from './resume-initiation.ts';
import { readPayment } from './statements.ts';

const LEASE_MS = 60_000;

/**
 * Resumes an INITIATED payment whose first request never answered, when the merchant sends it again. Returns the payment, unchanged
 * while the first request may still be running or another process resumes it. `abandoned` says that the first request's process has
 * ended: the payment is then resumed at once, unless another process resumes it already.
 */
export async function takeOverInitiation(
  context: PaymentsContext,
  payment: PaymentRecord,
  { abandoned, timings }: { readonly abandoned: boolean; readonly timings: Timings },
): Promise<PaymentRecord> {
  const { database } = context.resources;
  const due = await claimDuePayment(database, payment, { now: context.now(), leaseMs: LEASE_MS, abandoned });
  if (due === null) return (await readPayment(database, payment.merchantId, payment.paymentId)) ?? payment;
  const resumed = await resumeInitiation(context, payment, { cause: 'api', timings });
  const now = context.now();
  const nextCheckAt = retryAt({ now, unanswered: due.checkCount, random: context.random() });
  await scheduleNextCheck(database, { due, nextCheckAt, now });
  return resumed.payment;
}
