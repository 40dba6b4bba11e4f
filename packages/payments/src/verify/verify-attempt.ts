import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { findPayment } from '../initiate/statements.ts';
import { fetchGatewayResult } from './fetch-gateway-result.ts';

const ASK_MS = 10_000;

/**
 * Asks the gateway about one attempt because something made us doubt what we hold of it, and applies what it proves. Throws while
 * the gateway gives no answer, so that the job is tried again.
 */
export async function verifyAttempt(
  context: PaymentsContext,
  about: { readonly merchantId: string; readonly attemptId: string; readonly transactionId: string | null },
): Promise<void> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, about.merchantId, about.attemptId);
  if (attempt === null) return;
  const payment = await findPayment(database, about.merchantId, attempt.paymentId);
  if (payment === undefined) return;
  if (payment.status === 'INITIATED') throw new Error(`payment ${payment.paymentId} is still being initiated`);
  const { transactionId } = about;
  const question = { payment, attempt, transactionId, cause: 'schedule', timeoutMs: ASK_MS } as const;
  const { answered } = await fetchGatewayResult(context, question, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
}
