import { findAttempt } from '../record/attempt-queries.ts';
import type { PaymentsContext } from '../record/context.ts';
import { fetchGatewayResult } from '../record/fetch-gateway-result.ts';
import { readPayment } from '../record/statements.ts';
import { settleDispute } from './settle-dispute.ts';
import { settleReportedDispute } from './settle-reported-dispute.ts';

const LOOKUP_TIMEOUT_MS = 10_000;

/** A dispute as a webhook names it. */
interface NamedDispute {
  /** The attempt whose money is disputed; null of a payment that is not in the ledger. */
  readonly attemptId: string | null;
  readonly gatewayDisputeId: string;
}

/**
 * Looks up the dispute that a stored webhook names at its gateway, and once it is closed, or may be, the payment too: the webhook itself proves nothing.
 * Throws without an answer.
 */
export async function followUpDisputeWebhook(
  context: PaymentsContext,
  webhook: { readonly merchantId: string; readonly accountId: string },
  { attemptId, gatewayDisputeId }: NamedDispute,
): Promise<void> {
  const { merchantId } = webhook;
  const { configuration, database, openAccount } = context.resources;
  const attempt = attemptId === null ? null : await findAttempt(database, merchantId, attemptId);
  if (attemptId !== null && attempt === null) return;
  const accountId = attempt?.accountId ?? webhook.accountId;
  const known = configuration.account(accountId);
  const opened = known === undefined ? null : openAccount(known.account);
  if (opened?.gateway.findDispute === undefined) return;
  const gateway = opened.gateway.name;
  const found = await opened.gateway.findDispute(opened.access, { gatewayDisputeId }, { timeoutMs: LOOKUP_TIMEOUT_MS });
  if (found.outcome === 'unknown') throw new Error(`${gateway} gave no answer about a dispute: ${found.failure.code}`);
  if (found.outcome !== 'yes') return;
  const reported = found.value;
  if (attempt === null) {
    await settleReportedDispute(context, { merchantId, accountId, reported, cause: 'gateway_webhook' });
    return;
  }
  if (reported.reference !== attempt.reference) throw new Error(`${gateway} answered about the dispute of another payment`);
  const isOpen =
    reported.unrecognised === undefined && (reported.state === 'needs_response' || reported.state === 'under_review');
  await settleDispute(context, { merchantId, attempt, reported, cause: 'gateway_webhook' });
  if (!isOpen) await verifyDisputed(context, merchantId, attempt.id);
}

/** The transaction of a closed dispute says whether its money went back, whatever the dispute was closed with. */
async function verifyDisputed(context: PaymentsContext, merchantId: string, attemptId: string): Promise<void> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, merchantId, attemptId);
  const payment = attempt === null ? undefined : await readPayment(database, merchantId, attempt.paymentId);
  if (attempt === null || payment === undefined) return;
  const lookup = { payment, attempt, transactionId: null, cause: 'gateway_webhook', timeoutMs: LOOKUP_TIMEOUT_MS } as const;
  const { answered } = await fetchGatewayResult(context, lookup, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
}
