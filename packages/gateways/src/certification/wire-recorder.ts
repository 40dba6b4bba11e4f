import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Redactor } from '../redact.ts';
import { parseWireJson } from '../wire-json.ts';
import { maskPersons, maskText } from './mask-persons.ts';

/** An HTTP call as it went over the wire: redacted, and without the people in it. */
export interface RecordedExchange {
  /** True for a call that gets a token by user name and password. */
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
 * Runs `work` and records the HTTP calls that it makes, by the channels of the HTTP client: connectors know nothing of it. One piece of work
 * at a time, as calls are not told apart.
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
  return {
    login: request.headers.some((text) => text.startsWith('Basic ')),
    method: request.method,
    origin: String(request.origin),
    path: maskText(redactor.text(request.path)),
    request: sent === null ? null : readable(sent, redactor),
    status,
    answer: status === null ? null : readable(Buffer.concat(chunks).toString('utf8'), redactor),
    milliseconds: Math.round((endedAt ?? performance.now()) - startedAt),
  };
}

/** A body to keep: redacted, as JSON where it is JSON. */
export function readable(body: string, redactor: Redactor): unknown {
  const json = parseWireJson(body);
  if (typeof json === 'object' && json !== null) return maskPersons(redactor.json(json));
  return maskText(redactor.text(body)).slice(0, MAX_TEXT_LENGTH);
}
