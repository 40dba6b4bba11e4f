import { resolveHost } from '@switchyard/gateways/addresses';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import type { WebhooksContext } from '../context.ts';
import { readFormat } from '../events/formats.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { endpointChangesSchema, typeProblems, typesOf, urlProblems, type WebhookEndpointSettings } from './endpoint-fields.ts';
import { type ListedWebhookEndpoint, updateWebhookEndpoint, type WebhookEndpointKey } from './queries.ts';

/** Asks to change an endpoint. */
export interface UpdateEndpointCommand extends WebhookEndpointKey {
  /** Omitted fields stay unchanged. */
  readonly changes: Partial<WebhookEndpointSettings>;
  readonly actor: string;
}

/** Result of changing an endpoint, or the reason why it was refused. */
export type UpdateEndpointOutcome =
  | { readonly kind: 'updated'; readonly endpoint: ListedWebhookEndpoint }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** Changes an endpoint's URL, event types or name. Pending deliveries go to the new URL. */
export async function updateEndpoint(context: WebhooksContext, command: UpdateEndpointCommand): Promise<UpdateEndpointOutcome> {
  const parsed = endpointChangesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const resolved = await resolveHost(parsed.data.url);
  return changeEndpoint<UpdateEndpointOutcome>(context, command, async (transaction, before, now) => {
    const { types } = parsed.data;
    const format = readFormat(before.format);
    const problems = [...urlProblems(parsed.data.url ?? before.url, before.mode, resolved), ...typeProblems(format, types ?? [])];
    if (problems.length > 0) return { outcome: { kind: 'invalid', problems }, done: null };
    const settings = types === undefined ? parsed.data : { ...parsed.data, types: typesOf(format, types) };
    // The certificate is that of the host before.
    const isElsewhere = settings.url !== undefined && settings.url !== before.url;
    const changes = isElsewhere ? { ...settings, certificateExpiresAt: null } : settings;
    const endpoint = await updateWebhookEndpoint(transaction, command, changes, now);
    return { outcome: { kind: 'updated', endpoint }, done: { action: 'updated', after: endpoint } };
  });
}
