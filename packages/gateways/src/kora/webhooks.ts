import type { Gateway, WebhookReading } from '../gateway.ts';
import { ignored, isHexHmac, maxWebhookBytes, readAs, readJson, readParameter, refused } from '../webhook-reading.ts';
import { parseWireJson } from '../wire-json.ts';
import { settings } from './settings.ts';
import {
  chargeEventSchema,
  eventDataSchema,
  eventSchema,
  merchantReferencePattern,
  readKoraTime,
  refundEventSchema,
} from './wire.ts';

const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;

/**
 * A webhook is genuine when `x-korapay-signature` is the HMAC-SHA256 of the bytes of its `data` under the secret key
 * ("Verifying Webhooks Request": "an HMAC SHA256 signature of ONLY the data object", https://developers.korapay.com/docs/webhooks). The
 * WooCommerce plugin of Kora's own (korapay/plugin-woocommerce) takes HMAC-SHA512 of the whole body: that is refused, under a reason
 * of its own, so that an account which is sent such webhooks shows it.
 * The fields of `data` are read from those bytes. `event` is not covered: a recipient of a webhook can send it again as
 * another event, so the event only chooses what is looked up, and is a part of the dedupe key.
 */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const given = delivery.headers['x-korapay-signature'] ?? '';
  const secret = account.credentials.secretKey ?? '';
  if (given === '') return refused('missing_signature');
  if (delivery.body.length > maxWebhookBytes) return refused('malformed');
  const signed = bytesOfMember(delivery.body, 'data');
  if (signed === null) return refused('malformed');
  if (secret === '') return refused('bad_signature');
  if (!isHexHmac('sha256', secret, signed, given)) {
    return refused(isHexHmac('sha512', secret, delivery.body, given) ? 'whole_body_signature' : 'bad_signature');
  }
  return readAs(eventSchema, readJson(delivery.body), ({ event }) =>
    readAs(eventDataSchema, readJson(signed), (data) => {
      if (event.startsWith('charge.')) return readCharge(event, data);
      return event.startsWith('refund.') ? readRefund(event, data) : ignored(event, delivery);
    }),
  );
};

function readCharge(event: string, data: object): WebhookReading {
  return readAs(chargeEventSchema, data, (charge) => {
    const reference = merchantReference(charge.reference, charge.payment_reference);
    if (!merchantReferencePattern.test(reference)) return refused('malformed');
    // A charge can fail and then succeed, and webhooks carry no time: the status distinguishes their events.
    const dedupeKey = `${event}:${reference}:${charge.status}`;
    return { kind: 'payment', event, reference, transactionId: reference, dedupeKey, occurredAt: null };
  });
}

function readRefund(event: string, data: object): WebhookReading {
  return readAs(refundEventSchema, data, (refund) => ({
    kind: 'refund',
    event,
    gatewayRefundId: refund.reference,
    reference: refund.payment_reference ?? null,
    dedupeKey: `${event}:${refund.reference}:${refund.status}`,
    occurredAt: readKoraTime(refund.completed_at ?? refund.completion_date ?? refund.created_at ?? refund.refund_date),
  }));
}

/** The merchant's reference is `reference`, unless that is one of Kora's own making. */
export function merchantReference(reference: string, older: string | null | undefined): string {
  return settings.gatewayReference.test(reference) ? (older ?? reference) : reference;
}

/** The customer comes back with `reference` alone, also after closing the page unpaid. */
export const readReturn: Gateway['readReturn'] = (query) => ({
  reference: readParameter(query, 'reference', referencePattern),
  transactionId: null,
  hint: null,
});

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * The bytes of a member's value, exactly as they stand at the top of a JSON object, without the blanks around it. Null when the
 * bytes are not a JSON object, or have no member of that name or several: with several, readers differ in which one counts.
 *
 * `JSON.parse` cannot give them: its `context.source` is there for numbers and strings alone, and writing a parsed value again
 * changes its blanks, escapes, repeated keys and numbers such as `1.0`.
 */
export function bytesOfMember(body: Uint8Array, name: string): Uint8Array | null {
  const parsed = parseWireJson(new TextDecoder('utf-8').decode(body));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  const values = [...membersOf(body)].filter(([key]) => key === name).map(([, value]) => value);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The members of the outermost object with the bytes of their values. The bytes must be valid JSON. */
function* membersOf(body: Uint8Array): Generator<readonly [key: string, value: Uint8Array]> {
  let depth = 0;
  let key: string | null = null;
  let valueStart = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (depth === 1 && key === null) key = readString(body.subarray(at, end + 1));
      at = end;
    } else if (opens(byte)) {
      depth += 1;
    } else if (closes(byte)) {
      if (depth === 1 && key !== null) yield [key, trimmed(body.subarray(valueStart, at))];
      depth -= 1;
    } else if (depth === 1 && byte === COLON) {
      valueStart = at + 1;
    } else if (depth === 1 && byte === COMMA) {
      if (key !== null) yield [key, trimmed(body.subarray(valueStart, at))];
      key = null;
    }
  }
}

/** Index of the closing quote. No byte of a longer UTF-8 character equals a quote or a backslash. */
function endOfString(body: Uint8Array, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    if (body[at] === BACKSLASH) at += 1;
    else if (body[at] === QUOTE) return at;
  }
  return body.length;
}

/** A key with its escapes resolved: `"d\u0061ta"` is `data` too. */
function readString(bytes: Uint8Array): string {
  return String(parseWireJson(new TextDecoder('utf-8').decode(bytes)));
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isBlank(bytes[start])) start += 1;
  while (end > start && isBlank(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

function opens(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function closes(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d;
}

/** The four blanks of JSON. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
