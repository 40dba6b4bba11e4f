import { aboutPayment } from '@switchyard/db';
import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { readPayment } from '../initiate/statements.ts';
import { fetchGatewayResult } from '../verify/fetch-gateway-result.ts';
import { findGatewayWebhook, markGatewayWebhookProcessed } from './queries.ts';

const LOOKUP_TIMEOUT_MS = 10_000;

/**
 * Looks up the attempt of a stored webhook at its gateway, and marks the webhook as followed up. Throws without an answer, so that
 * the job is retried.
 */
export async function followUpWebhook(
  context: PaymentsContext,
  { merchantId, attemptId, webhookId }: { merchantId: string; attemptId: string; webhookId: string },
): Promise<void> {
  const { database } = context.resources;
  const [attempt, webhook] = await Promise.all([
    findAttempt(database, merchantId, attemptId),
    findGatewayWebhook(database, merchantId, webhookId),
  ]);
  if (attempt === null || webhook === null) return;
  aboutPayment({ merchantId, paymentId: attempt.paymentId });
  const payment = await readPayment(database, merchantId, attempt.paymentId);
  if (payment === undefined) return;
  // The webhook arrived before our own record of the checkout: retry.
  if (payment.status === 'INITIATED') throw new Error(`payment ${payment.paymentId} is still being initiated`);
  const lookup = {
    payment,
    attempt,
    transactionId: webhook.transactionId,
    cause: 'gateway_webhook',
    timeoutMs: LOOKUP_TIMEOUT_MS,
  } as const;
  const { answered } = await fetchGatewayResult(context, lookup, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
  await markGatewayWebhookProcessed(database, merchantId, webhookId, context.now());
}
