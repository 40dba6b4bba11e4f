import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { WebhookReading, WebhookRequest } from './gateway.ts';
import { parseWireJson } from './wire-json.ts';

/** Largest body that is hashed and read: announced settlements list some thousands of payments. */
export const maxWebhookBytes = 2 * 1024 * 1024;

type Refused = Extract<WebhookReading, { kind: 'refused' }>;

export function refused(why: Refused['why']): Refused {
  return { kind: 'refused', why };
}

/** A genuine webhook of an event that nothing follows from. */
export function ignored(event: string, { body }: WebhookRequest): Extract<WebhookReading, { kind: 'ignored' }> {
  return { kind: 'ignored', event, dedupeKey: `${event}:${bodyDigest(body)}`, occurredAt: null };
}

/** True if the header is the hex HMAC-SHA512 of the body under the secret; why it is refused where not. */
export function checkSignature({ headers, body }: WebhookRequest, header: string, secret: string | undefined): true | Refused {
  const given = headers[header] ?? '';
  if (given === '') return refused('missing_signature');
  if (body.length > maxWebhookBytes) return refused('malformed');
  if (secret === undefined || secret === '' || !isHexHmac('sha512', secret, body, given)) return refused('bad_signature');
  return true;
}

/** The JSON of a webhook, or undefined. */
export function readJson(bytes: Uint8Array): unknown {
  return parseWireJson(new TextDecoder('utf-8').decode(bytes));
}

/** Reads JSON as `schema` describes it; anything else is malformed. */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  read: (body: z.output<Schema>) => WebhookReading,
): WebhookReading {
  const parsed = schema.safeParse(json);
  return parsed.success ? read(parsed.data) : refused('malformed');
}

/** A parameter of a customer's return, if it looks as it should. */
export function readParameter(query: URLSearchParams, name: string, pattern: RegExp): string | null {
  const value = query.get(name) ?? '';
  return pattern.test(value) ? value : null;
}

/** True if `given` is the hex HMAC of the bytes under `secret`, in either case. Takes the same time wherever they differ. */
export function isHexHmac(algorithm: 'sha256' | 'sha512', secret: string, body: Uint8Array, given: string): boolean {
  const expected = createHmac(algorithm, secret).update(body).digest();
  if (given.length !== expected.length * 2 || !/^[0-9a-fA-F]+$/.test(given)) return false;
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
}

/** True if `given` is the base64 HMAC-SHA256 of the bytes under `secret`. Takes the same time wherever they differ. */
export function isBase64Hmac(secret: string, body: Uint8Array, given: string): boolean {
  return isSameText(createHmac('sha256', secret).update(body).digest('base64'), given);
}

/** Compares two texts in constant time, so that timing reveals neither where they differ nor the secret's length. */
export function isSameText(secret: string, given: string): boolean {
  return timingSafeEqual(digest(secret), digest(given));
}

/** A short stable name for a delivery that carries none of its own. */
export function bodyDigest(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
