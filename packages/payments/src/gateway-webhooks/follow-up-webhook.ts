import { aboutPayment, enqueueJob, type Jobs } from '@switchyard/db';
import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { readPayment } from '../initiate/statements.ts';
import { followUpRefundWebhook } from '../refunds/follow-up-refund-webhook.ts';
import { followUpDisputeWebhook } from '../reversals/follow-up-dispute-webhook.ts';
import { fetchGatewayResult } from '../verify/fetch-gateway-result.ts';
import type { ClaimedWebhook } from './follow-up-queries.ts';
import { requestDisputeReading } from './request-dispute-reading.ts';

const LOOKUP_TIMEOUT_MS = 10_000;

/**
 * Looks up at its gateway what a stored webhook is about, and applies the answer: the webhook itself proves nothing. Throws without an
 * answer, and for a webhook that only another version can read, so that it is followed up again.
 */
export async function followUpWebhook(context: PaymentsContext, webhook: ClaimedWebhook): Promise<void> {
  const { followUp } = webhook;
  if (followUp === null) throw new Error('this version cannot read what the webhook is about');
  switch (followUp.kind) {
    case 'payment':
      return followUpPaymentWebhook(context, webhook, followUp.attemptId);
    case 'refund':
      return followUpRefundWebhook(context, webhook, followUp.gatewayRefundId);
    case 'dispute':
      return followUpDisputeWebhook(context, webhook, followUp);
    case 'settlement':
      return announceSettlement(context, webhook, followUp.settlement);
    case 'disputes':
      return requestDisputeReading(context.resources.database.prisma, webhook);
    default:
      return followUp satisfies never;
  }
}

/** Hands an announced settlement on to where settlements are kept. */
async function announceSettlement(
  { resources: { database } }: PaymentsContext,
  { merchantId, accountId }: ClaimedWebhook,
  settlement: Jobs['store-announced-settlement']['settlement'],
): Promise<void> {
  const key = { key: `store-announced-settlement:${accountId}:${settlement.settlementId}`, keepsJob: true };
  await database.prisma.$transaction((transaction) =>
    enqueueJob(transaction, 'store-announced-settlement', { merchantId, accountId, settlement }, key),
  );
}

async function followUpPaymentWebhook(
  context: PaymentsContext,
  { merchantId, transactionId }: ClaimedWebhook,
  attemptId: string,
): Promise<void> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, merchantId, attemptId);
  if (attempt === null) return;
  aboutPayment({ merchantId, paymentId: attempt.paymentId });
  const payment = await readPayment(database, merchantId, attempt.paymentId);
  if (payment === undefined) return;
  // The webhook arrived before our own record of the checkout: later.
  if (payment.status === 'INITIATED') throw new Error(`payment ${payment.paymentId} is still being initiated`);
  const lookup = { payment, attempt, transactionId, cause: 'gateway_webhook', timeoutMs: LOOKUP_TIMEOUT_MS } as const;
  const { answered } = await fetchGatewayResult(context, lookup, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
}
