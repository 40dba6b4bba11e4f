import {
  type Exchange,
  exchange,
  freshClient,
  type HttpMethod,
  maxAnswerBytes,
  originOf,
  type RawRequest,
} from './connections.ts';
import type { CallRecord, FailureCode, OutcomeClass } from './gateway.ts';
import { type Redactor, redactBody } from './redact.ts';
import { parseWireJson } from './wire-json.ts';

const userAgent = 'Switchyard/0.1 (+payment-switch)';
const maxRequestRecordBytes = 4 * 1024;
const maxAnswerRecordBytes = 16 * 1024;
const maxUrlLength = 2048;
const maxRetryAfterMs = 3_600_000;

/** A file as the body of a request. */
export interface FileBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A call of a gateway's API. */
export interface WireRequest {
  readonly method: HttpMethod;
  /** Base URL of the gateway's API, without a trailing slash. */
  readonly baseUrl: string;
  /** Begins with a slash; may carry a query. Variable parts are already percent-encoded. */
  readonly path: string;
  /** Sent as `Authorization: Bearer …` and kept out of every record; nothing is sent where it is empty. */
  readonly bearer: string;
  /** Base64 of `user:password`, sent as `Authorization: Basic …` instead of the bearer: a login that answers a token. */
  readonly basic?: string;
  /** Further headers that a gateway requires, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Sent in place of the body, and kept out of every record. */
  readonly file?: FileBody;
  /** Most milliseconds for connection, answer and body together. */
  readonly timeoutMs: number;
  /** Takes out what must appear in no record. */
  readonly redactor: Redactor;
  /** Sending it twice does no more than sending it once, so it may be sent again when a connection dies without an answer. */
  readonly repeatable: boolean;
  /** Most answer bytes read, where a single thing's answer is not enough. */
  readonly maxBytes?: number;
}

/** Why a call gave no answer that the gateway's own code can read. */
export interface CallFailure {
  readonly class: OutcomeClass;
  readonly code: FailureCode;
  /** One redacted sentence. */
  readonly message: string;
  /** True when the gateway certainly did nothing: the request was never sent, or was refused before processing. */
  readonly nothingDone: boolean;
  /** The code of the gateway's table of error codes by which its answer says why. */
  readonly gatewayCode?: string;
}

/** The answer of a gateway's API, or why there was no usable one. `call` is the redacted record to store. */
export type WireReply =
  /** A JSON object under a 2xx or 4xx status, for the gateway's own code to read. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly json: object;
      /** This answers the second sending; the first may have arrived too. */
      readonly repeated: boolean;
      readonly call: CallRecord;
      readonly redactor: Redactor;
    }
  | {
      readonly kind: 'failed';
      readonly failed: CallFailure;
      /** The JSON object that came under a status which decides already; absent without one. */
      readonly answer?: { readonly status: number; readonly json: object };
      readonly call: CallRecord;
      readonly redactor: Redactor;
    };

/**
 * Makes one call to a gateway. Never throws and never exceeds its timeout, whatever the gateway does.
 * A repeatable call whose connection dies without an answer is sent once more, on a new connection.
 */
export async function callGateway(request: WireRequest): Promise<WireReply> {
  const started = performance.now();
  const { redactor } = request;
  const url = new URL(request.baseUrl + request.path);
  const body = request.body === null ? null : JSON.stringify(request.body);
  const raw: RawRequest = {
    method: request.method,
    path: url.pathname + url.search,
    headers: headersOf(request, body),
    body: request.file === undefined ? body : Buffer.from(request.file.bytes),
    maxBytes: request.maxBytes ?? maxAnswerBytes,
  };
  const { result, repeated, unsentMs } = await attempt(raw, request, started);
  const answer = result.kind === 'answered' ? readBody(result.body) : null;
  const latencyMs = Math.round((performance.now() - started) * 10) / 10;
  const call: CallRecord = {
    method: request.method,
    httpStatus: result.status,
    latencyMs,
    unsentMs: Math.round(unsentMs * 10) / 10,
    // Redacted when they are read: a lookup's record is never stored.
    get url() {
      return redactor.text(url.href).slice(0, maxUrlLength);
    },
    get request() {
      return body === null ? null : cut(redactBody(body, redactor), maxRequestRecordBytes);
    },
    get answer() {
      return answer === null ? null : cut(redactBody(answer.text, redactor), maxAnswerRecordBytes);
    },
    retryAfterMs: result.kind === 'answered' ? readRetryAfter(result.headers['retry-after']) : null,
  };
  if (result.kind === 'broken') return { kind: 'failed', failed: failureOfBroken(result), call, redactor };
  const json = answer?.json;
  const failed = failureOfStatus(result.status, json, redactor);
  if (failed !== null || !isObject(json)) {
    const known = failed ?? malformed(result.status);
    // Refusing the second request does not undo what the first may have done.
    const reply = { kind: 'failed', failed: { ...known, nothingDone: known.nothingDone && !repeated }, call, redactor } as const;
    return isObject(json) ? { ...reply, answer: { status: result.status, json } } : reply;
  }
  return { kind: 'answer', status: result.status, json, repeated, call, redactor };
}

/**
 * Idle connections can be closed unnoticed, so a request whose connection is lost before any answer is sent again on a new one. Not
 * when the previous call was lost too: that is an outage, and repeating would only double the load.
 */
async function attempt(raw: RawRequest, request: WireRequest, started: number): Promise<Attempt> {
  const remaining = () => request.timeoutMs - (performance.now() - started);
  const origin = originOf(request.baseUrl);
  const first = await exchange(origin.pool, raw, remaining());
  const lost = first.kind === 'broken' && first.why === 'lost' && first.status === null;
  const again = lost && !origin.lostLast && request.repeatable && remaining() > 0;
  origin.lostLast = lost;
  if (!again) return { result: first, repeated: false, unsentMs: first.unsentMs };
  const client = freshClient(request.baseUrl);
  const second = await exchange(client, raw, remaining());
  await client.destroy();
  origin.lostLast = second.kind === 'broken' && second.why === 'lost';
  // Not reaching the gateway the second time does not undo what the first request may have done.
  const result = second.kind === 'broken' && !second.sent ? first : second;
  return { result, repeated: true, unsentMs: first.unsentMs + second.unsentMs };
}

interface Attempt {
  readonly result: Exchange;
  readonly repeated: boolean;
  readonly unsentMs: number;
}

function authorizationOf({ basic, bearer }: WireRequest): Record<string, string> {
  if (basic !== undefined) return { authorization: `Basic ${basic}` };
  return bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
}

function headersOf(request: WireRequest, body: string | null): Record<string, string> {
  const headers: Record<string, string> = {
    ...request.headers,
    ...authorizationOf(request),
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  if (request.file !== undefined) headers['content-type'] = request.file.contentType;
  else if (body !== null) headers['content-type'] = 'application/json';
  return headers;
}

function readBody(bytes: Buffer): { readonly text: string; readonly json: unknown } {
  const text = new TextDecoder('utf-8').decode(bytes);
  return { text, json: parseWireJson(text) };
}

/** At most `maxBytes` of UTF-8, never ending inside a character. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder('utf-8').decode(bytes.subarray(0, maxBytes), { stream: true });
}

function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : date - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxRetryAfterMs) : null;
}

function failureOfBroken(result: Extract<Exchange, { kind: 'broken' }>): CallFailure {
  const shared = { class: 'provider_fault', nothingDone: !result.sent } as const;
  switch (result.why) {
    case 'address_refused':
      return { ...shared, class: 'our_configuration', code: 'address_refused', message: ADDRESS_REFUSED_MESSAGE };
    case 'unreachable':
      return { ...shared, code: 'connection_refused', message: `No connection to the gateway could be made (${result.detail}).` };
    case 'timeout':
      return { ...shared, code: 'timeout', message: 'The gateway did not answer in time.' };
    case 'lost':
      return { ...shared, code: 'connection_lost', message: `The connection to the gateway was lost (${result.detail}).` };
    case 'too_large':
      return { ...shared, code: 'answer_too_large', message: `The gateway's answer was refused: ${result.detail}.` };
    case 'malformed':
      return { ...shared, code: 'malformed_answer', message: `The gateway's answer could not be read (${result.detail}).` };
    default:
      return result.why satisfies never;
  }
}

const ADDRESS_REFUSED_MESSAGE =
  "The account's base address resolves to an address that must not be called: of this machine, a private network or a metadata service.";

/** Null when the status leaves it to the gateway's own code to read the answer. */
function failureOfStatus(status: number, json: unknown, redactor: Redactor): CallFailure | null {
  const gatewayMessage = readGatewayMessage(json, redactor);
  if (status >= 500) {
    return {
      class: 'provider_fault',
      code: 'http_5xx',
      message: `The gateway failed with HTTP ${status}${gatewayMessage}.`,
      nothingDone: false,
    };
  }
  if (status === 429) {
    return {
      class: 'provider_fault',
      code: 'rate_limited',
      message: `The gateway is limiting calls${gatewayMessage}.`,
      nothingDone: true,
    };
  }
  if (status === 408) {
    return {
      class: 'provider_fault',
      code: 'timeout',
      message: `The gateway gave up waiting${gatewayMessage}.`,
      nothingDone: false,
    };
  }
  if (status === 401 || status === 403) {
    const message = `The gateway did not accept the account's credentials (${status})${gatewayMessage}.`;
    return { class: 'our_configuration', code: 'invalid_credentials', message, nothingDone: true };
  }
  return status >= 300 && status < 400 ? malformed(status) : null;
}

function malformed(status: number): CallFailure {
  const isClientError = status >= 400 && status < 500;
  const message = `The gateway answered ${status} with something that is not its protocol.`;
  return { class: 'provider_fault', code: 'malformed_answer', message, nothingDone: isClientError };
}

function readGatewayMessage(json: unknown, redactor: Redactor): string {
  if (!isObject(json) || !('message' in json) || typeof json.message !== 'string') return '';
  return `: ${redactor.text(json.message).slice(0, 300)}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
