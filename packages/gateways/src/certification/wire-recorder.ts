import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Redactor } from '../redact.ts';
import { parseWireJson } from '../wire-json.ts';

/** An HTTP call as it went over the wire: redacted, and without the people in it. */
export interface RecordedExchange {
  /** True for a call that gets a token by credentials: the body, where those are in it, is not kept. */
  readonly login: boolean;
  readonly method: string;
  /** `https://api.paystack.co` */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly request: unknown;
  /** Null when no answer came. */
  readonly status: number | null;
  /** JSON where the body is JSON, else its text; null when no answer came. */
  readonly answer: unknown;
  readonly milliseconds: number;
}

/** Longer bodies that are no JSON, such as checkout pages, are cut. */
const MAX_TEXT_LENGTH = 500;

/** A request of undici, as its diagnostics channels show it. */
interface WireRequest {
  readonly method: string;
  readonly origin: string | URL;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: unknown;
}

interface OpenExchange {
  readonly startedAt: number;
  status: number | null;
  endedAt: number | null;
  readonly chunks: Uint8Array[];
}

/**
 * Runs `work` and records the HTTP calls that it makes, by the channels of the HTTP client: connectors know nothing of it. One piece of
 * work at a time, as a call does not say whose it is.
 */
export async function recordExchanges<T>(
  redactor: Redactor,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly exchanges: readonly RecordedExchange[] }> {
  const open = new Map<WireRequest, OpenExchange>();
  const entryOf = (message: unknown) => open.get((message as { readonly request: WireRequest }).request);
  const channels: Readonly<Record<string, (message: unknown) => void>> = {
    'undici:request:create': (message) => {
      const { request } = message as { readonly request: WireRequest };
      open.set(request, { startedAt: performance.now(), status: null, endedAt: null, chunks: [] });
    },
    'undici:request:headers': (message) => {
      const entry = entryOf(message);
      const { response } = message as { readonly response: { readonly statusCode: number } };
      if (entry !== undefined) Object.assign(entry, { status: response.statusCode, endedAt: performance.now() });
    },
    'undici:request:bodyChunkReceived': (message) => {
      const entry = entryOf(message);
      if (entry === undefined) return;
      entry.chunks.push((message as { readonly chunk: Uint8Array }).chunk);
      entry.endedAt = performance.now();
    },
  };
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);
  try {
    const result = await work();
    return { result, exchanges: [...open].map(([request, entry]) => describeExchange(request, entry, redactor)) };
  } finally {
    for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
  }
}

function describeExchange(
  request: WireRequest,
  { startedAt, endedAt, status, chunks }: OpenExchange,
  redactor: Redactor,
): RecordedExchange {
  const sent = request.body instanceof Uint8Array ? Buffer.from(request.body).toString('utf8') : null;
  const login = request.headers.some((text) => text.startsWith('Basic ')) || hasGrant(sent);
  return {
    login,
    method: request.method,
    origin: String(request.origin),
    path: maskText(redactor.text(request.path)),
    request: sent === null || login ? null : readable(sent, redactor),
    status,
    answer: status === null ? null : readable(Buffer.concat(chunks).toString('utf8'), redactor),
    milliseconds: Math.round((endedAt ?? performance.now()) - startedAt),
  };
}

/** True for the body of a login by OAuth's client credentials (RFC 6749, section 4.4.2). */
function hasGrant(sent: string | null): boolean {
  const json = sent === null ? null : parseWireJson(sent);
  return typeof json === 'object' && json !== null && 'grant_type' in json;
}

/** A body to keep: redacted, as JSON where it is JSON. */
export function readable(body: string, redactor: Redactor): unknown {
  const json = parseWireJson(body);
  if (typeof json === 'object' && json !== null) return maskPersons(redactor.json(json));
  return maskText(redactor.text(body)).slice(0, MAX_TEXT_LENGTH);
}

/** The customer of every checkout that a certification opens; fictitious, and shown as it is. */
export const certificationEmail = 'certification@example.com';

const MASKED_EMAIL = 'person@example.com';
const MASKED_PHONE = '+2340000000000';

/** Fields that describe people, companies or their bank accounts, and what takes the place of a text in them. */
const MASKS: readonly (readonly [name: RegExp, mask: string])[] = [
  [/e-?mail/i, MASKED_EMAIL],
  [/phone|mobile|msisdn/i, MASKED_PHONE],
  [/^ip$|ip_?address|client_?ip/i, '203.0.113.1'],
  [/account_?(?:number|no)$|nuban|^bvn$|masked_?pan/i, '0000000000'],
  [/(?:^|_)name$|[a-z]Name$|^address|_address$/, 'Masked'],
  [/(?:first|last|full|sur|originator)name$|(?:_by|^by|sender)$/i, 'Masked'],
  [/[a-z]By$/, 'Masked'],
];

/** Lengths are limited, so that a long text of letters is not read again from each of them. */
const emailPattern = /[\p{L}\p{N}._%+-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{2,63})+/gu;
/** Numbers of Nigerian mobile phones as people and gateways write them, some with stars: `08012345678`, `+234 801 234 5678`, `0801***5678`. */
const phonePattern = /(?<![\w.|-])(?:(?:\+|%2B)?234[ -]?0?|0)[789][01]\d[ -]?[\d*]{3}[ -]?[\d*]{4}(?![\w|-])/g;

/**
 * A copy of JSON from the wire without the people in it: lists of a merchant's test account show other customers than the certification's
 * own. Types stay, so that a connector reads the copy as it read the original.
 */
export function maskPersons(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskPersons);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskField(name, inner)]));
}

/** Text without the e-mail addresses and phone numbers in it; JSON within text is masked by the names of its fields too. */
export function maskText(text: string): string {
  const json = /^\s*[[{]/.test(text) ? parseWireJson(text) : undefined;
  if (json !== undefined) return JSON.stringify(maskPersons(json));
  return text
    .replace(emailPattern, (email) => (email === certificationEmail ? email : MASKED_EMAIL))
    .replace(phonePattern, MASKED_PHONE);
}

function maskField(name: string, value: unknown): unknown {
  if (value === '' || value === certificationEmail) return value;
  const mask = MASKS.find(([pattern]) => pattern.test(name))?.[1];
  if (mask !== undefined && typeof value === 'string') return mask;
  // Phones and accounts may be numbers.
  if (mask !== undefined && typeof value === 'number' && Number.isFinite(Number(mask))) return Number(mask);
  return maskPersons(value);
}
