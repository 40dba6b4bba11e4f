import { randomBytes } from 'node:crypto';
import type { Mode } from '@switchyard/db/client';
import { resolveHost } from '@switchyard/gateways/addresses';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import type { WebhooksContext } from '../context.ts';
import type { WebhookFormat } from '../events/formats.ts';
import {
  endpointForAudit,
  newEndpointSchema,
  typeProblems,
  typesOf,
  urlProblems,
  type WebhookEndpointSettings,
} from './endpoint-fields.ts';
import { makeEndpointSecret, sealSecret } from './endpoint-secrets.ts';
import { countWebhookEndpoints, insertWebhookEndpoint, type ListedWebhookEndpoint } from './queries.ts';

/** Maximum number of endpoints of one merchant and mode. */
export const ENDPOINTS_MAX = 20;

/** Asks to add a webhook endpoint of a merchant. */
export interface CreateEndpointCommand extends WebhookEndpointSettings {
  readonly merchantId: string;
  readonly mode: Mode;
  /** `switchyard` unless given; never changes. */
  readonly format?: WebhookFormat;
  /** Signs in a gateway's format; one is made where none is given. */
  readonly secret?: string | null;
  readonly actor: string;
}

/** The endpoint, or why it was not added. */
export type CreateEndpointOutcome =
  /** `secret` signs messages and is returned only once. */
  | { readonly kind: 'created'; readonly endpoint: ListedWebhookEndpoint; readonly secret: string }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many_endpoints'; readonly limit: number }
  | { readonly kind: 'not_found' };

/** Creates an endpoint for a merchant's events of a mode. Its signing secret is encrypted before it is stored. */
export async function createEndpoint(context: WebhooksContext, command: CreateEndpointCommand): Promise<CreateEndpointOutcome> {
  const parsed = newEndpointSchema.safeParse(command);
  const problems = parsed.success
    ? [
        ...urlProblems(parsed.data.url, command.mode, await resolveHost(parsed.data.url)),
        ...typeProblems(parsed.data.format, parsed.data.types),
      ]
    : fieldProblems(parsed.error);
  if (!parsed.success || problems.length > 0) return { kind: 'invalid', problems };
  const { merchantId, mode } = command;
  const { secret: chosen, ...settings } = parsed.data;
  return changeConfiguration<CreateEndpointOutcome>(context, command, async (transaction, now) => {
    if ((await countWebhookEndpoints(transaction, merchantId, mode)) >= ENDPOINTS_MAX) {
      return { outcome: { kind: 'too_many_endpoints', limit: ENDPOINTS_MAX }, audit: null };
    }
    const id = context.newId();
    const secret = chosen ?? makeEndpointSecret(randomBytes);
    const secrets = [sealSecret(context.resources.vault, secret, { merchantId, endpointId: id })];
    const types = typesOf(settings.format, settings.types);
    const row = { ...settings, types, merchantId, id, mode, secrets, enabled: true };
    const endpoint = await insertWebhookEndpoint(transaction, row, now);
    const after = endpointForAudit(endpoint);
    return {
      outcome: { kind: 'created', endpoint, secret },
      audit: { action: 'webhook_endpoint.created', objectType: 'webhook_endpoint', objectId: id, before: null, after },
      inForce: false,
    };
  });
}
