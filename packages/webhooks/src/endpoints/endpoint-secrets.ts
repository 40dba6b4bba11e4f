import type { Vault } from '@switchyard/db';
import type { WebhookEndpointKey } from './queries.ts';

const SECRET_BYTES = 32;

/** Generates a signing secret, shown to its owner once. `randomBytes` must return that many unpredictable bytes. */
export function makeEndpointSecret(randomBytes: (size: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;
}

/** Encrypts a secret for the row of its endpoint. */
export function sealSecret(vault: Vault, secret: string, endpoint: WebhookEndpointKey): string {
  return vault.seal(secret, endpointBinding(endpoint));
}

/** The active signing secrets at a moment, newest first: the previous one only until its end. */
export function openSecrets(
  vault: Vault,
  endpoint: WebhookEndpointKey & { readonly secrets: readonly string[]; readonly previousSecretEndsAt: Date | null },
  now: Date,
): readonly string[] {
  const { secrets, previousSecretEndsAt } = endpoint;
  const live = secrets.slice(0, previousSecretEndsAt !== null && previousSecretEndsAt > now ? 2 : 1);
  return live.map((sealed) => vault.open(sealed, endpointBinding(endpoint)));
}

/** Binding of an endpoint's sealed secrets. */
export function endpointBinding({ merchantId, endpointId }: WebhookEndpointKey): string {
  return `webhook_endpoint:${merchantId}:${endpointId}`;
}
