import { countRefusedWebhook, findAttemptByReference, isUuid, storeGatewayWebhook } from '@switchyard/db';
import type { WebhookDelivery } from '@switchyard/gateways';
import { reachAccount } from './account-access.ts';
import type { PaymentsContext } from './context.ts';

export type WebhookReceipt =
  /** Genuine and on record, now or before. */
  { readonly kind: 'accepted' } | { readonly kind: 'refused' } | { readonly kind: 'unknown_account' };

/**
 * Takes a gateway's delivery: checks it on the raw bytes, stores it once, and has the gateway asked. Nothing in it is believed.
 * A delivery that is not genuine is counted and otherwise forgotten.
 */
export async function receiveGatewayWebhook(
  context: PaymentsContext,
  { gateway, accountId, delivery }: { gateway: string; accountId: string; delivery: WebhookDelivery },
): Promise<WebhookReceipt> {
  const { configuration, database, vault } = context.resources;
  const known = isUuid(accountId) ? configuration.account(accountId) : undefined;
  if (known === undefined || known.account.gateway !== gateway) return { kind: 'unknown_account' };
  const { merchantId } = known.account;
  const reachable = reachAccount(vault, known.account);
  if (reachable === null) return { kind: 'unknown_account' };
  const reading = reachable.gateway.readWebhook(reachable.access, delivery);
  const now = context.now();
  if (reading.kind === 'refused') {
    await countRefusedWebhook(database, merchantId, accountId, reading.why, now);
    return { kind: 'refused' };
  }
  const reference = reading.kind === 'ignored' ? null : reading.reference;
  const attempt = reference === null ? null : await findAttemptByReference(database, merchantId, accountId, reference);
  const webhook = {
    merchantId,
    webhookId: context.newId(),
    accountId,
    gateway,
    dedupeKey: reading.dedupeKey,
    event: reading.event,
    reference,
    transactionId: reading.kind === 'payment' ? reading.transactionId : null,
    body: Buffer.from(delivery.body).toString('utf8').replaceAll('\0', ''),
    relevant: reading.kind === 'payment',
  };
  await storeGatewayWebhook(database, webhook, attempt?.id ?? null, now);
  return { kind: 'accepted' };
}
