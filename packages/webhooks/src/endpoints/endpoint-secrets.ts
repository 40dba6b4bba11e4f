import { randomBytes } from 'node:crypto';
import type { SealedRows, Vault } from '@switchyard/db';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { WebhooksContext } from '../context.ts';
import { newSecretSchema } from './endpoint-fields.ts';
import { findEndpointSecrets, type ListedWebhookEndpoint, updateWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';
import { changeEndpoint } from './update-endpoint.ts';

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

/** Asks for a new signing secret that replaces the old one after an overlap. */
interface RotateEndpointSecretCommand extends WebhookEndpointKey {
  /** Until when the old secret signs too, at most 30 days from now. */
  readonly oldSignsUntil: Date;
  /** Chosen, for an endpoint of a gateway's format; one is made where none is given. */
  readonly secret?: string | null;
  readonly actor: string;
}

/** The new secret, or why there is none. */
type RotateEndpointSecretOutcome =
  /** `secret` is the new one and is returned only once. */
  | { readonly kind: 'rotated'; readonly endpoint: ListedWebhookEndpoint; readonly secret: string }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

const OVERLAP_MAX_MS = 30 * 24 * 3_600_000;

/**
 * Creates a new signing secret for an endpoint. Until `oldSignsUntil` every message carries a signature of each secret, so that the
 * receiver can switch over. An older secret that was being replaced stops signing. A gateway's format has room for one signature: there
 * the new secret signs at once, alone.
 */
export async function rotateEndpointSecret(
  context: WebhooksContext,
  command: RotateEndpointSecretCommand,
): Promise<RotateEndpointSecretOutcome> {
  const parsed = commandSchema(context.now()).safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  return changeEndpoint<RotateEndpointSecretOutcome>(context, command, async (transaction, before, now) => {
    const [newest] = await findEndpointSecrets(transaction, command);
    const { oldSignsUntil, secret: chosen } = parsed.data;
    const isOurs = before.format === 'switchyard';
    if (isOurs && chosen !== null) {
      const problem = { field: 'secret', message: 'can be chosen only for the format of a gateway' };
      return { outcome: { kind: 'invalid', problems: [problem] }, done: null };
    }
    const secret = chosen ?? makeEndpointSecret(randomBytes);
    const sealed = sealSecret(context.resources.vault, secret, command);
    const overlaps = isOurs && newest !== undefined && oldSignsUntil > now;
    const changes = { secrets: overlaps ? [sealed, newest] : [sealed], previousSecretEndsAt: overlaps ? oldSignsUntil : null };
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    return { outcome: { kind: 'rotated', endpoint, secret }, done: { action: 'secret_rotated', after: endpoint } };
  });
}

/** Result of ending the overlap; `unchanged` when there was none. */
type EndPreviousSecretOutcome =
  | { readonly kind: 'ended'; readonly endpoint: ListedWebhookEndpoint }
  | { readonly kind: 'unchanged'; readonly endpoint: ListedWebhookEndpoint }
  | { readonly kind: 'not_found' };

/** Ends the secret that is being replaced before its time. */
export async function endPreviousSecret(
  context: WebhooksContext,
  command: WebhookEndpointKey & { readonly actor: string },
): Promise<EndPreviousSecretOutcome> {
  return changeEndpoint<EndPreviousSecretOutcome>(context, command, async (transaction, before, now) => {
    const secrets = await findEndpointSecrets(transaction, command);
    if (secrets.length < 2) return { outcome: { kind: 'unchanged', endpoint: before }, done: null };
    const changes = { secrets: secrets.slice(0, 1), previousSecretEndsAt: null };
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    return { outcome: { kind: 'ended', endpoint }, done: { action: 'previous_secret_ended', after: endpoint } };
  });
}

function commandSchema(now: Date) {
  return z.object({
    oldSignsUntil: z
      .date('must be a date')
      .min(now, 'must not lie in the past')
      .max(new Date(now.getTime() + OVERLAP_MAX_MS), 'must lie within 30 days'),
    secret: newSecretSchema.nullable().default(null),
  });
}
