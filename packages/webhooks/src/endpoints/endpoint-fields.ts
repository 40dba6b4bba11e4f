import { isIP } from 'node:net';
import type { JsonValue } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { FieldProblem } from '@switchyard/merchants';
import { z } from 'zod';
import { mayConnectTo } from '../deliveries/addresses.ts';
import { MERCHANT_EVENT_TYPES } from '../events/announce-event.ts';
import type { ListedWebhookEndpoint } from './queries.ts';

/** The fields of an endpoint that its owner sets. */
export interface WebhookEndpointSettings {
  /** https; in test mode also http. */
  readonly url: string;
  readonly description: string;
  /** Empty: all types. */
  readonly types: readonly string[];
}

const url = z.string('must be text').min(1, 'must not be empty').max(2_000, 'must have at most 2000 characters');
const description = z
  .string('must be text')
  .trim()
  .max(200, 'must have at most 200 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters');
const types = z
  .array(z.enum(MERCHANT_EVENT_TYPES, 'must be a type of event'))
  .max(MERCHANT_EVENT_TYPES.length, 'must not name a type twice');

/** Input of a new endpoint. */
export const newEndpointSchema = z.object({ url, description, types });

/** Input of a change to an endpoint; omitted fields stay unchanged. */
export const endpointChangesSchema = z.object({
  url: url.exactOptional(),
  description: description.exactOptional(),
  types: types.exactOptional(),
});

const LIVE_PORTS: ReadonlySet<string> = new Set(['', '8443']);

/**
 * Names that always mean this machine or a private network; all others are checked by their resolved addresses, at every
 * connection.
 */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)\.?$/;

/** The problem with an address in a mode. */
export function urlProblems(text: string, mode: Mode): FieldProblem[] {
  const message = urlProblem(text, mode);
  return message === null ? [] : [{ field: 'url', message }];
}

function urlProblem(text: string, mode: Mode): string | null {
  // The URL parser silently drops these characters; the stored text would differ from the checked one.
  const parsed = /[\s\p{C}\\]/u.test(text) ? null : URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.hostname === '') {
    return mode === 'live' ? 'must be an https:// address' : 'must be an https:// or http:// address';
  }
  if (parsed.username !== '' || parsed.password !== '') return 'must not hold a user name or password';
  if (parsed.hash !== '') return 'must not have a fragment';
  if (mode === 'live') {
    if (parsed.protocol !== 'https:') return 'must begin with https:// in live mode';
    if (!LIVE_PORTS.has(parsed.port)) return 'must use port 443 or 8443 in live mode';
  }
  return hostProblem(parsed.hostname.replace(/^\[|\]$/g, ''), mode);
}

function hostProblem(host: string, mode: Mode): string | null {
  if (isIP(host) !== 0) {
    if (mayConnectTo(host, mode)) return null;
    return mode === 'live' ? 'must be a public address in live mode' : 'must be an address that can be reached';
  }
  if (mode === 'test') return null;
  return host.includes('.') && !PRIVATE_NAME.test(host) ? null : 'must be a public address in live mode';
}

/** An endpoint as the audit log shows it. */
export function endpointForAudit(endpoint: ListedWebhookEndpoint): JsonValue {
  const { mode, url, description, types, enabled, disabledReason, previousSecretEndsAt } = endpoint;
  return {
    mode,
    url,
    description,
    types,
    enabled,
    disabledReason,
    previousSecretEndsAt: previousSecretEndsAt?.toISOString() ?? null,
  };
}
