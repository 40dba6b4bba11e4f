import type { SealedRows, Vault } from '@switchyard/db';
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
function endpointBinding({ merchantId, endpointId }: WebhookEndpointKey): string {
  return `webhook_endpoint:${merchantId}:${endpointId}`;
}

const LIST = `
SELECT merchant_id AS "merchantId", id, secrets AS sealed FROM webhook_endpoint
WHERE secrets <> '{}' AND (merchant_id, id) > ($1::uuid, $2::uuid) ORDER BY merchant_id, id LIMIT $3`;

/** Sealed values hold no spaces: an array of arrays would need rows of one length. */
const REPLACE = `
UPDATE webhook_endpoint AS endpoint SET secrets = string_to_array(changed.sealed, ' ')
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS changed (merchant_id, id, previous, sealed)
WHERE endpoint.merchant_id = changed.merchant_id AND endpoint.id = changed.id
  AND endpoint.secrets = string_to_array(changed.previous, ' ')`;

/** Signing secrets of webhook endpoints, those of removed endpoints included. */
export const sealedEndpointSecrets: SealedRows = {
  name: 'webhook signing secrets',
  async list(pool, after, limit) {
    const { rows } = await pool.query(LIST, [after.merchantId, after.id, limit]);
    return rows;
  },
  bindingOf: ({ merchantId, id }) => endpointBinding({ merchantId, endpointId: id }),
  async replace(pool, rows) {
    const { rowCount } = await pool.query(REPLACE, [
      rows.map(({ merchantId }) => merchantId),
      rows.map(({ id }) => id),
      rows.map(({ previous }) => previous.join(' ')),
      rows.map(({ sealed }) => sealed.join(' ')),
    ]);
    return rowCount ?? 0;
  },
};
