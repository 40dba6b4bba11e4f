import { TLSSocket } from 'node:tls';
import type { Mode } from '@switchyard/db/client';
import {
  ADDRESS_REFUSED,
  allowedRange,
  checkedConnector,
  hostProblem,
  nameServerResolver,
  type Resolve,
  resolveBySystem,
} from '@switchyard/gateways/addresses';
import { createRedactor, redactBody } from '@switchyard/gateways/redaction';
import { Agent, type buildConnector, type Dispatcher } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum milliseconds for connection, response and body together. */
const TOTAL_TIMEOUT_MS = 15_000;
const ANSWER_READ_MAX_BYTES = 64 * 1_024;
const ANSWER_KEPT_BYTES = 2_048;
const RETRY_AFTER_MAX_MS = 3_600_000;

/** A signed HTTP request to a merchant's endpoint. */
export interface Outgoing {
  readonly mode: Mode;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Taken out of the answer, if given: endpoints may answer with what they were sent. */
  readonly secrets?: readonly string[];
}

/** Why no HTTP response was received. */
export const sendFailures = [
  'timeout',
  'unknown_host',
  'address_refused',
  'unreachable',
  'certificate',
  'connection_lost',
  'malformed_answer',
] as const;

export type SendFailure = (typeof sendFailures)[number];

/** The response of an endpoint, of any status, or why there was none. */
export type Sent =
  /**
   * `answer` is the beginning of the response text without secrets and card data, at most 2 KiB; `retryAfterMs` is what `Retry-After` asks for, at most an hour, null
   * without one.
   */
  | { readonly kind: 'answered'; readonly status: number; readonly answer: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'unanswered'; readonly failure: SendFailure };

/** Sends messages over keep-alive connections. */
export interface Sender {
  /**
   * Posts a message. Never rejects, takes at most 15 s, follows no redirect and reads at most 64 KiB of the response. A response
   * whose status was received counts, even when its body fails.
   */
  send(outgoing: Outgoing): Promise<Sent>;
  /** When the certificate of an https address expires, as its latest connection showed; null when none is known. */
  certificateExpiry(url: string, mode: Mode): Date | null;
  close(): Promise<void>;
}

/** Name resolution and the timeout of a whole request in milliseconds, for tests. */
export interface SenderOptions {
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

/** Opens a sender with connection pools of its own. Addresses that are not allowed in the mode are refused. */
export function openSender({ resolve, timeoutMs = TOTAL_TIMEOUT_MS }: SenderOptions = {}): Sender {
  const connectionsOf = (mode: Mode) => {
    const resolveName = resolve ?? (mode === 'live' ? nameServerResolver() : resolveBySystem);
    // A resumed session would show the certificate of the session's first connection, and not check it again.
    const options = { allowH2: false, timeout: CONNECT_TIMEOUT_MS, maxCachedSessions: 0 };
    return trackCertificates(checkedConnector(() => allowedRange(mode), resolveName, options));
  };
  const agentOf = (connect: buildConnector.connector) =>
    new Agent({
      allowH2: false,
      connect,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
      maxHeaderSize: 16_384,
    });
  const connections = { test: connectionsOf('test'), live: connectionsOf('live') };
  const agents = { test: agentOf(connections.test.connect), live: agentOf(connections.live.connect) };
  return {
    async send({ mode, url, headers, body, secrets = [] }) {
      const target = new URL(url);
      // Names that no name server has to answer for; addresses are checked at each connection.
      if (hostProblem(target.hostname, allowedRange(mode)) !== null) return { kind: 'unanswered', failure: 'address_refused' };
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const path = target.pathname + target.search;
        const request = { origin: target.origin, path, method: 'POST', headers: { ...headers }, body, signal } as const;
        const answer = await agents[mode].request(request);
        const retryAfterMs = readRetryAfter(answer.headers['retry-after'], Date.now());
        const text = beginningOf(redactBody(await read(answer.body), createRedactor(secrets)));
        return { kind: 'answered', status: answer.statusCode, answer: text, retryAfterMs };
      } catch (error) {
        return { kind: 'unanswered', failure: failureOf(error) };
      }
    },
    certificateExpiry: (url, mode) => connections[mode].expiryOf(new URL(url).host),
    async close() {
      await Promise.all([agents.test.destroy(), agents.live.destroy()]);
    },
  };
}

/** Milliseconds that a `Retry-After` asks to wait: seconds, or a date (RFC 9110, section 10.2.3). Null for none, or one that cannot be read. */
function readRetryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== 'string') return null;
  const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) - nowMs : Number.NaN;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : date;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS) : null;
}

/** Reads a response to its end or the limit. On an error the part received so far counts. */
async function read(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) break;
      chunks.push(chunk);
      size += chunk.length;
      if (size > ANSWER_READ_MAX_BYTES) break;
    }
  } catch {
    // Timeout or connection loss: the status was received all the same.
  }
  return wholeCharacters(Buffer.concat(chunks).subarray(0, ANSWER_READ_MAX_BYTES)).replaceAll('\0', '');
}

/** The part that is kept. It is cut after secrets are out, so that none is cut in two and stays in part. */
function beginningOf(text: string): string {
  return wholeCharacters(Buffer.from(text).subarray(0, ANSWER_KEPT_BYTES));
}

function wholeCharacters(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}

function failureOf(error: unknown): SendFailure {
  const { name, code } = describe(error);
  if (name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'ETIMEOUT')
    return 'timeout';
  if (code === ADDRESS_REFUSED) return 'address_refused';
  if (/^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED|EBADNAME|ENONAME)/.test(code)) return 'unknown_host';
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES)$/.test(code)) return 'unreachable';
  if (/CERT|^ERR_TLS|^ERR_SSL|^EPROTO|SELF_SIGNED|UNABLE_TO_|HOSTNAME/.test(code)) return 'certificate';
  if (name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'malformed_answer';
  return 'connection_lost';
}

function describe(error: unknown): { readonly name: string; readonly code: string } {
  if (!(error instanceof Error)) return { name: '', code: '' };
  return { name: error.name, code: 'code' in error ? String(error.code) : '' };
}

/** Hosts whose certificates are remembered; the one longest unchanged is forgotten first. */
const REMEMBERED_MAX = 10_000;

/** A connector that remembers when the certificates of the hosts it connected to expire. */
export interface CertificateTracker {
  readonly connect: buildConnector.connector;
  /** The end of the certificate of a host with its port, as in a URL; null when none is known. */
  expiryOf(host: string): Date | null;
}

/** Wraps a connector, which goes on deciding what is connected to and which certificates are accepted. */
function trackCertificates(connect: buildConnector.connector): CertificateTracker {
  const expiries = new Map<string, Date>();
  const remember = (host: string, socket: TLSSocket) => {
    const expiry = socket.getPeerX509Certificate()?.validToDate;
    expiries.delete(host);
    if (expiry !== undefined) expiries.set(host, expiry);
    const [oldest] = expiries.keys();
    if (oldest !== undefined && expiries.size > REMEMBERED_MAX) expiries.delete(oldest);
  };
  return {
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [, socket] = result;
        if (socket instanceof TLSSocket) remember(options.host ?? options.hostname, socket);
        callback(...result);
      }),
    expiryOf: (host) => expiries.get(host) ?? null,
  };
}
