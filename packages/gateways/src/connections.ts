import { Client, type Dispatcher, Pool } from 'undici';
import { ADDRESS_REFUSED, allowedRange, checkedConnector, resolveBySystem } from './addresses/addresses.ts';

/** Most answer bytes read; a gateway's real answers are a few KiB. */
export const maxAnswerBytes = 256 * 1024;

/** Most answer bytes read of a page of a list: fifty transactions, each with the metadata its merchant attached to it. */
export const maxPageBytes = 2 * 1024 * 1024;

const maxOrigins = 64;
const connectTimeoutMs = 1000;

/**
 * The total deadline of each call is kept here, not by the client: its own timers watch for silence, and a drip of one byte a
 * second is never silent. Sockets idle for long are the ones the other side drops unseen, so none is kept beyond half a minute.
 * Only test accounts have an address of their own.
 */
const clientOptions = {
  allowH2: false,
  connect: checkedConnector(() => allowedRange('test'), resolveBySystem, { allowH2: false, timeout: connectTimeoutMs }),
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 4000,
  keepAliveMaxTimeout: 30_000,
  maxHeaderSize: 16_384,
} as const;
const poolOptions = { ...clientOptions, connections: 128 } as const;

export interface Origin {
  readonly pool: Pool;
  /** The last call's connection died without an answer: once is a stale socket, twice in a row is an outage. */
  lostLast: boolean;
}

const origins = new Map<string, Origin>();

/**
 * Pool and state of a base address. Two services on one host and port share nothing: when one hangs or loses connections, the other
 * has its own. Those unused for longest make room when there are too many.
 */
export function originOf(baseUrl: string): Origin {
  const origin = origins.get(baseUrl) ?? { pool: new Pool(new URL(baseUrl).origin, poolOptions), lostLast: false };
  origins.delete(baseUrl);
  origins.set(baseUrl, origin);
  if (origins.size > maxOrigins) dropOldest();
  return origin;
}

/** A separate connection for one request, used when a pooled one turned out dead. */
export function freshClient(baseUrl: string): Client {
  return new Client(new URL(baseUrl).origin, clientOptions);
}

/** Closes every kept connection to gateways, cutting off calls still under way. Later calls open new ones. */
export async function closeGatewayConnections(): Promise<void> {
  const open = [...origins.values()];
  origins.clear();
  await Promise.all(open.map((origin) => origin.pool.destroy()));
}

function dropOldest(): void {
  for (const [address, origin] of origins) {
    origins.delete(address);
    // Waits for calls in flight; a failure to close needs no handling.
    origin.pool.close().catch(() => undefined);
    return;
  }
}

/** A method that gateways' APIs use. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** An HTTP request to send, its headers complete. */
export interface RawRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | null;
  /** Most answer bytes read. */
  readonly maxBytes: number;
}

/** The raw result of a request, before it is parsed. */
export type Exchange = {
  /**
   * Milliseconds until the request was written, because it waited for a connection or for one of ours to be free. Of a request that was
   * never written 0, unless it waited behind other requests of this process.
   */
  readonly unsentMs: number;
} & (
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
    }
  | {
      readonly kind: 'broken';
      readonly why: BrokenReason;
      /** False only when not one byte of the request can have left. */
      readonly sent: boolean;
      /** Status of an answer that had begun; null without one. */
      readonly status: number | null;
      readonly detail: string;
    }
);

/** An exchange without its times. */
type Result = Exchange extends infer Each ? (Each extends Exchange ? Omit<Each, 'unsentMs'> : never) : never;

type BrokenReason = 'address_refused' | 'unreachable' | 'timeout' | 'lost' | 'too_large' | 'malformed';

/** Sends one request and reads the whole answer, all within `remainingMs`. Never rejects, follows no redirect. */
export function exchange(dispatcher: Pool | Client, request: RawRequest, remainingMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const { maxBytes, ...sent } = request;
    const startedAt = performance.now();
    const settle = (result: Result, sentAt: number | null) => {
      const waited = sentAt === null && dispatcher instanceof Pool && dispatcher.stats.queued > 0;
      resolve({ ...result, unsentMs: (sentAt ?? (waited ? performance.now() : startedAt)) - startedAt });
    };
    const handler = new ExchangeHandler(settle, remainingMs, maxBytes);
    try {
      dispatcher.dispatch(sent, handler);
    } catch (error) {
      handler.fail(error);
    }
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  private readonly resolve: (result: Result, sentAt: number | null) => void;
  private readonly timer: NodeJS.Timeout;
  private readonly maxBytes: number;
  private controller: Dispatcher.DispatchController | null = null;
  private settled = false;
  private sentAt: number | null = null;
  private status: number | null = null;
  private headers: Record<string, string> = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(resolve: (result: Result, sentAt: number | null) => void, remainingMs: number, maxBytes: number) {
    this.resolve = resolve;
    this.maxBytes = maxBytes;
    // Timers run before sockets are read: an answer that came while this process was held up is read first.
    this.timer = setTimeout(() => setImmediate(() => this.giveUp()), Math.max(0, remainingMs));
  }

  /** Called once a connection is ready and nothing has been written yet. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) {
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.controller = controller;
    this.sentAt = performance.now();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) return;
    this.status = status;
    this.headers = plainHeaders(headers);
    if (Number(this.headers['content-length'] ?? 0) > this.maxBytes) this.cut('too_large', 'the answer announces too many bytes');
    const encoding = this.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') this.cut('malformed', 'compressed, which was not asked for');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.size += chunk.length;
    if (this.size > this.maxBytes) this.cut('too_large', `the answer is larger than ${this.maxBytes} bytes`);
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.status === null) {
      this.fail(new Error('no status'));
      return;
    }
    this.settle({ kind: 'answered', status: this.status, headers: this.headers, body: Buffer.concat(this.chunks, this.size) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    const detail = errorCode(error);
    const malformed = unreadable.has(detail);
    const beforeSending = detail === ADDRESS_REFUSED ? 'address_refused' : 'unreachable';
    const afterSending = malformed ? 'malformed' : 'lost';
    this.settle(this.broken(this.controller === null ? beforeSending : afterSending, detail));
  }

  private giveUp(): void {
    if (this.settled) return;
    const why = this.controller === null ? 'unreachable' : 'timeout';
    this.cut(why, this.controller === null ? 'no connection in time' : 'the time is up');
  }

  private cut(why: 'unreachable' | 'timeout' | 'too_large' | 'malformed', detail: string): void {
    this.settle(this.broken(why, detail));
    this.controller?.abort(new Error(detail));
  }

  private broken(why: BrokenReason, detail: string): Result {
    return { kind: 'broken', why, sent: this.controller !== null, status: this.status, detail };
  }

  private settle(result: Result): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.resolve(result, this.sentAt);
  }
}

function plainHeaders(headers: Record<string, unknown>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return plain;
}

/** Errors for bytes that are not an HTTP answer. */
const unreadable: ReadonlySet<string> = new Set(['HTTPParserError', 'UND_ERR_HEADERS_OVERFLOW']);

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const code = 'code' in error && typeof error.code === 'string' && error.name !== 'HTTPParserError' ? error.code : error.name;
  return code.slice(0, 60);
}
