import { randomBytes } from 'node:crypto';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { WebhooksContext } from '../context.ts';
import { newSecretSchema } from './endpoint-fields.ts';
import { makeEndpointSecret, sealSecret } from './endpoint-secrets.ts';
import { findEndpointSecrets, type ListedWebhookEndpoint, updateWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';
import { changeEndpoint } from './update-endpoint.ts';

/** Asks for a new signing secret that replaces the old one after an overlap. */
export interface RotateEndpointSecretCommand extends WebhookEndpointKey {
  /** Until when the old secret signs too, at most 30 days from now. */
  readonly oldSignsUntil: Date;
  /** Chosen, for an endpoint of a gateway's format; one is made where none is given. */
  readonly secret?: string | null;
  readonly actor: string;
}

/** The new secret, or why there is none. */
export type RotateEndpointSecretOutcome =
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
export type EndPreviousSecretOutcome =
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
