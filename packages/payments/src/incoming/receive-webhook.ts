import { aboutPayment, isUuid, NIL_ID, unlessUnavailable } from '@switchyard/db';
import {
  type AccountAccess,
  createRedactor,
  type Gateway,
  redactBody,
  type WebhookReading,
  type WebhookRequest,
} from '@switchyard/gateways';
import { findAttemptByReference } from '../record/attempt-queries.ts';
import type { PaymentsContext } from '../record/context.ts';
import { countRefusedWebhook, type FollowUp, requestDisputeReading, storeGatewayWebhook } from './queries.ts';

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
  | { readonly kind: 'unknown_account' }
  /** About an account that is known and cannot be used now: no one can say whether it is genuine, and the gateway must send it again. */
  | { readonly kind: 'unreadable_account' };

/** Longer than the three days over which gateways retry. */
const STALE_MS = 96 * 3_600_000;

/**
 * Receives a gateway webhook: verifies its raw bytes, stores it once, to be followed up by a lookup. Its content is never trusted.
 * A webhook that is not genuine, is too old, or comes to an address we never issued is only counted.
 */
export async function receiveGatewayWebhook(
  context: PaymentsContext,
  { gateway, accountId, delivery }: { gateway: string; accountId: string; delivery: WebhookRequest },
): Promise<WebhookReceipt> {
  const { configuration, database, openAccount } = context.resources;
  const now = context.now();
  const known = isUuid(accountId) ? configuration.account(accountId)?.account : undefined;
  if (known === undefined || known.gateway !== gateway) {
    // One id for all unknown addresses: a caller must not be able to create rows.
    await countRefusedWebhook(database, NIL_ID, NIL_ID, 'unknown_account', now);
    return { kind: 'unknown_account' };
  }
  const { merchantId } = known;
  const reachable = unlessUnavailable(() => openAccount(known));
  if (reachable === null) {
    await countRefusedWebhook(database, merchantId, accountId, 'unreadable_account', now);
    return { kind: 'unreadable_account' };
  }
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
    reference: referenceOf(reading),
    transactionId: 'transactionId' in reading ? reading.transactionId : null,
    body: textToStore(reading.kind === 'settlement' ? reading.kept : delivery.body, reachable.gateway, reachable.access),
    relevant: reading.kind !== 'ignored',
  };
  const stored = await storeGatewayWebhook(database, webhook, await followUpOf(context, reading, webhook), now);
  // A reminder may have the bytes of the one before: what it is about is read again all the same.
  if (stored === 'repeated' && (reading.kind === 'dispute' || reading.kind === 'disputes')) {
    await requestDisputeReading(database.prisma, webhook);
  }
  if (reading.kind === 'payment') {
    const { webhookArrivals, onError } = context;
    webhookArrivals.arrived(webhook, now).catch((error: unknown) => onError(error, 'recording that a webhook arrived'));
  }
  return { kind: 'accepted' };
}

/** The reference of the payment or settlement that it is about; null where it names none. */
function referenceOf(reading: Exclude<WebhookReading, { kind: 'refused' }>): string | null {
  switch (reading.kind) {
    case 'ignored':
    case 'disputes':
      return null;
    case 'settlement':
      return reading.settlement.settlementId;
    case 'payment':
    case 'refund':
    case 'dispute':
    case 'returned_transfer':
      return reading.reference;
    default:
      return reading satisfies never;
  }
}

/** Stored form of a webhook's body: genuine ones, too, hold card data and reusable authorizations, which nothing needs. */
function textToStore(body: Uint8Array | string, gateway: Gateway, { credentials }: AccountAccess): string {
  return redactBody(
    typeof body === 'string' ? body : Buffer.from(body).toString('utf8'),
    createRedactor(gateway.secretFields.map((field) => credentials[field] ?? '')),
  );
}

async function followUpOf(
  context: PaymentsContext,
  reading: Exclude<WebhookReading, { kind: 'refused' }>,
  { merchantId, accountId }: { merchantId: string; accountId: string },
): Promise<FollowUp | null> {
  switch (reading.kind) {
    case 'ignored':
      return null;
    case 'disputes':
      return { kind: 'disputes' };
    case 'refund':
      return { kind: 'refund', gatewayRefundId: reading.gatewayRefundId };
    case 'payment': {
      const attempt = await findAttemptByReference(context.resources.database, merchantId, accountId, reading.reference);
      if (attempt === null) return null;
      aboutPayment({ merchantId, paymentId: attempt.paymentId });
      return { kind: 'payment', attemptId: attempt.id };
    }
    case 'dispute': {
      const { gatewayDisputeId, reference } = reading;
      const attempt = await findAttemptByReference(context.resources.database, merchantId, accountId, reference);
      if (attempt !== null) aboutPayment({ merchantId, paymentId: attempt.paymentId });
      return { kind: 'dispute', attemptId: attempt?.id ?? null, gatewayDisputeId };
    }
    case 'returned_transfer': {
      const { reference, transfer } = reading;
      const attempt =
        reference === null ? null : await findAttemptByReference(context.resources.database, merchantId, accountId, reference);
      if (attempt !== null) aboutPayment({ merchantId, paymentId: attempt.paymentId });
      return { kind: 'returned_transfer', attemptId: attempt?.id ?? null, transfer };
    }
    case 'settlement':
      return { kind: 'settlement', settlement: { ...reading.settlement, createdAt: reading.settlement.createdAt.toISOString() } };
    default:
      return reading satisfies never;
  }
}
