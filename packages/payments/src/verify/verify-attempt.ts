import { aboutPayment } from '@switchyard/db';
import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { readPayment } from '../initiate/statements.ts';
import { fetchGatewayResult } from './fetch-gateway-result.ts';

const LOOKUP_TIMEOUT_MS = 10_000;

/**
 * Verifies one attempt at its gateway, as its recorded state may be out of date. Throws without an answer, so that the job is retried.
 */
export async function verifyAttempt(
  context: PaymentsContext,
  about: { readonly merchantId: string; readonly attemptId: string; readonly transactionId: string | null },
): Promise<void> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, about.merchantId, about.attemptId);
  if (attempt === null) return;
  aboutPayment({ merchantId: about.merchantId, paymentId: attempt.paymentId });
  const payment = await readPayment(database, about.merchantId, attempt.paymentId);
  if (payment === undefined) return;
  if (payment.status === 'INITIATED') throw new Error(`payment ${payment.paymentId} is still being initiated`);
  const { transactionId } = about;
  const lookup = { payment, attempt, transactionId, cause: 'schedule', timeoutMs: LOOKUP_TIMEOUT_MS } as const;
  const { answered } = await fetchGatewayResult(context, lookup, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
}
