import { findAttemptByReference } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { followRefund } from './follow-refunds.ts';
import { findRefundsByGatewayId } from './queries.ts';

/** Fields of a stored webhook about refunds. */
interface RefundWebhook {
  readonly merchantId: string;
  readonly accountId: string;
  readonly reference: string | null;
}

/**
 * Looks up the refunds that a stored webhook may be about: the one with its id, else those of its payment that are not final, else
 * those at the account without a gateway id yet. One without an answer is checked again when due.
 */
export async function followUpRefundWebhook(
  context: PaymentsContext,
  { merchantId, accountId, reference }: RefundWebhook,
  gatewayRefundId: string | null,
): Promise<void> {
  const { database } = context.resources;
  const attempt = reference === null ? null : await findAttemptByReference(database, merchantId, accountId, reference);
  const spoken = { gatewayRefundId, attemptId: attempt?.id ?? null };
  for (const refund of await findRefundsByGatewayId(database, merchantId, accountId, spoken)) {
    // A refund that was not sent cannot be the one in the webhook.
    if (refund.state !== 'REQUESTED') await followRefund(context, refund, 'gateway_webhook');
  }
}
