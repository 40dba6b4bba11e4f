import type { JsonValue } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { allowedRange, hostProblem } from '@switchyard/gateways/addresses';
import type { FieldProblem } from '@switchyard/runtime';
import { z } from 'zod';
import { MERCHANT_EVENT_TYPES } from '../events/announce-event.ts';
import { FORMAT_EVENTS, WEBHOOK_FORMATS, type WebhookFormat } from '../events/formats.ts';
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

/** A secret that a merchant chooses, as settings of their code hold it. */
const chosenSecret = z
  .string('must be text')
  .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 visible characters without spaces');

/** Input of a new endpoint. Only a gateway's format can have a chosen secret. */
export const newEndpointSchema = z
  .object({
    url,
    description,
    types,
    format: z.enum(WEBHOOK_FORMATS, 'must be a format').default('switchyard'),
    secret: chosenSecret.nullable().default(null),
  })
  .superRefine(({ format, secret: chosen }, refinement) => {
    if (format !== 'switchyard' || chosen === null) return;
    refinement.addIssue({ code: 'custom', path: ['secret'], message: 'can be chosen only for the format of a gateway' });
  });

/** A chosen secret that replaces one. */
export const newSecretSchema = chosenSecret;

/** The types an endpoint of a format is sent: those named, the usual ones of its format for none. */
export function typesOf(format: WebhookFormat, named: readonly string[]): string[] {
  return named.length === 0 ? [...(FORMAT_EVENTS[format].usual ?? [])] : [...named];
}

/** The problem with the types named for an endpoint of a format. */
export function typeProblems(format: WebhookFormat, named: readonly string[]): FieldProblem[] {
  const { possible } = FORMAT_EVENTS[format];
  const impossible = possible === null ? [] : named.filter((type) => !possible.some((one) => one === type));
  if (impossible.length === 0) return [];
  return [{ field: 'types', message: `must have an event in this format: ${impossible.join(', ')} has none` }];
}

/** Input of a change to an endpoint; omitted fields stay unchanged. */
export const endpointChangesSchema = z.object({
  url: url.exactOptional(),
  description: description.exactOptional(),
  types: types.exactOptional(),
});

const LIVE_PORTS: ReadonlySet<string> = new Set(['', '8443']);

/** The problem with an address in a mode. `resolved` holds what its name resolves to, as far as that is known. */
export function urlProblems(text: string, mode: Mode, resolved: readonly string[] = []): FieldProblem[] {
  const message = urlProblem(text, mode, resolved);
  return message === null ? [] : [{ field: 'url', message }];
}

function urlProblem(text: string, mode: Mode, resolved: readonly string[]): string | null {
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
  return hostProblem(parsed.hostname, allowedRange(mode), resolved);
}

/** An endpoint as the audit log shows it. */
export function endpointForAudit(endpoint: ListedWebhookEndpoint): JsonValue {
  const { mode, url, description, types, format, enabled, disabledReason, previousSecretEndsAt } = endpoint;
  return {
    mode,
    url,
    description,
    types,
    format,
    enabled,
    disabledReason,
    previousSecretEndsAt: previousSecretEndsAt?.toISOString() ?? null,
  };
}
