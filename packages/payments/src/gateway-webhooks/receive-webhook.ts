import { aboutPayment, isUuid, NIL_ID } from '@switchyard/db';
import {
  type AccountAccess,
  createRedactor,
  type Gateway,
  redactBody,
  type WebhookReading,
  type WebhookRequest,
} from '@switchyard/gateways';
import { findAttemptByReference } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { countRefusedWebhook, storeGatewayWebhook, type WebhookFollowUp } from './queries.ts';

/**
 * Result of receiving a webhook. Everything but `accepted` stored nothing; `refused` means a missing or wrong signature or a
 * malformed body.
 */
export type WebhookReceipt =
  /** Genuine and stored, now or before. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' }
  /** Genuine but too old: gateways stop retrying after less than four days. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'unknown_account' };

/** Longer than the three days over which gateways retry. */
const STALE_MS = 96 * 3_600_000;

/**
 * Receives a gateway webhook: verifies its raw bytes, stores it once and queues a lookup. Its content is never trusted.
 * A webhook that is not genuine, is too old, or comes to an address we never issued is only counted.
 */
export async function receiveGatewayWebhook(
  context: PaymentsContext,
  { gateway, accountId, delivery }: { gateway: string; accountId: string; delivery: WebhookRequest },
): Promise<WebhookReceipt> {
  const { configuration, database, openAccount } = context.resources;
  const now = context.now();
  const known = isUuid(accountId) ? configuration.account(accountId)?.account : undefined;
  const reachable = known === undefined || known.gateway !== gateway ? null : openAccount(known);
  if (known === undefined || reachable === null) {
    // One id for all unknown addresses: a caller must not be able to create rows.
    await countRefusedWebhook(database, NIL_ID, NIL_ID, 'unknown_account', now);
    return { kind: 'unknown_account' };
  }
  const { merchantId } = known;
  const reading = reachable.gateway.readWebhook(reachable.access, delivery);
  if (reading.kind === 'refused') {
    await countRefusedWebhook(database, merchantId, accountId, reading.why, now);
    return { kind: 'refused' };
  }
  if (reading.occurredAt !== null && now.getTime() - reading.occurredAt.getTime() > STALE_MS) {
    await countRefusedWebhook(database, merchantId, accountId, 'stale', now);
    return { kind: 'stale' };
  }
  const webhook = {
    merchantId,
    webhookId: context.newId(),
    accountId,
    gateway,
    dedupeKey: reading.dedupeKey,
    event: reading.event,
    reference: reading.kind === 'ignored' ? null : reading.reference,
    transactionId: reading.kind === 'payment' || reading.kind === 'dispute' ? reading.transactionId : null,
    body: textToStore(delivery.body, reachable.gateway, reachable.access),
    relevant: reading.kind !== 'ignored',
  };
  await storeGatewayWebhook(database, webhook, await followUpOf(context, reading, webhook), now);
  if (reading.kind === 'payment') {
    const { webhookArrivals, onError } = context;
    webhookArrivals.arrived(webhook, now).catch((error: unknown) => onError(error, 'recording that a webhook arrived'));
  }
  return { kind: 'accepted' };
}

/** Stored form of a webhook's body: genuine ones, too, hold card data and reusable authorizations, which nothing needs. */
function textToStore(body: Uint8Array, gateway: Gateway, { credentials }: AccountAccess): string {
  return redactBody(
    Buffer.from(body).toString('utf8'),
    createRedactor(gateway.secretFields.map((field) => credentials[field] ?? '')),
  );
}

async function followUpOf(
  context: PaymentsContext,
  reading: Exclude<WebhookReading, { kind: 'refused' }>,
  { merchantId, accountId, webhookId }: { merchantId: string; accountId: string; webhookId: string },
): Promise<WebhookFollowUp | null> {
  switch (reading.kind) {
    case 'ignored':
      return null;
    case 'refund': {
      const { gatewayRefundId } = reading;
      return { name: 'follow-refund-webhook', payload: { merchantId, webhookId, gatewayRefundId } };
    }
    case 'payment': {
      const attempt = await findAttemptByReference(context.resources.database, merchantId, accountId, reading.reference);
      if (attempt === null) return null;
      aboutPayment({ merchantId, paymentId: attempt.paymentId });
      const payload = { merchantId, attemptId: attempt.id, cause: 'gateway_webhook', webhookId } as const;
      return { name: 'check-attempt', payload };
    }
    case 'dispute': {
      const { gatewayDisputeId, reference } = reading;
      const attempt = await findAttemptByReference(context.resources.database, merchantId, accountId, reference);
      if (attempt === null) return null;
      const payload = { merchantId, webhookId, attemptId: attempt.id, gatewayDisputeId };
      return { name: 'follow-dispute-webhook', payload };
    }
    default: {
      const never: never = reading;
      return never;
    }
  }
}
