import {
  type FailureData,
  SwitchyardApiError,
  SwitchyardConnectionError,
  SwitchyardError,
  SwitchyardTimeoutError,
} from './errors.ts';

/** How a client reaches Switchyard. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly fetch: typeof fetch;
}

/** Options of one call. */
export interface CallOptions {
  /**
   * Calls under one key are done once and answered alike, for 24 hours. A new key for each call unless given; give one, such as the id of
   * your job, when a call may be made again by another process.
   */
  readonly idempotencyKey?: string;
  /** Longest wait for one answer, in milliseconds. */
  readonly timeoutMs?: number;
  /** How often at most the request is sent again after the first time. */
  readonly retriesMax?: number;
  /** Ends the call; what it throws is the signal's reason. */
  readonly signal?: AbortSignal;
}

/** One request of the REST API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: object;
  readonly body?: object;
  /** True if it is done once by its `Idempotency-Key`. */
  readonly once?: boolean;
  /** False where sending it twice does it twice: it is never sent again. */
  readonly mayRepeat?: boolean;
}

const BACK_OFF_MS = 250;
const BACK_OFF_MAX_MS = 8_000;
/** An answer that asks for a longer wait is thrown instead. */
const RETRY_AFTER_MAX_S = 60;
const PASSING_STATUSES: readonly number[] = [429, 500, 502, 503, 504];

/**
 * Sends a request and reads `data` of its answer. Lost, late and passing answers are asked for again after a wait, under the same
 * `Idempotency-Key`, as often as the options say; then the last error is thrown.
 */
export async function send<Data>(connection: Connection, request: ApiRequest, options: CallOptions = {}): Promise<Data> {
  const { signal, timeoutMs = connection.timeoutMs } = options;
  const retriesMax = request.mayRepeat === false ? 0 : (options.retriesMax ?? connection.retriesMax);
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${connection.apiKey}` });
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  if (request.once) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
  const init = {
    method: request.method,
    headers,
    body: request.body === undefined ? null : JSON.stringify(request.body),
    // A redirect would send the body, and on the same host the key, to an address that was never entered.
    redirect: 'manual',
  } as const;
  const url = connection.baseUrl + request.path + writeQuery(request.query);
  for (let retries = 0; ; retries += 1) {
    try {
      return await sendOnce<Data>(connection, url, init, timeoutMs, signal);
    } catch (error) {
      const waitMs = retries < retriesMax ? waitBeforeRetry(error, retries) : null;
      if (waitMs === null) throw error;
      await pause(waitMs, signal);
    }
  }
}

async function sendOnce<Data>(
  connection: Connection,
  url: string,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Data> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await connection.fetch(url, {
      ...init,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new SwitchyardTimeoutError(timeoutMs);
    throw new SwitchyardConnectionError(`No answer from ${new URL(url).origin}`, { cause: error });
  }
  const answer = readAnswer<Data>(text);
  if (response.ok && answer?.status === true) return answer.data;
  throw new SwitchyardApiError({
    statusCode: response.status,
    message: answer?.success === false ? answer.message : `Answered ${response.status}, and not by Switchyard`,
    code: answer?.success === false ? (answer.code ?? null) : null,
    data: answer?.success === false ? answer.data : null,
    requestId: response.headers.get('x-request-id'),
    retryAfterS: readRetryAfter(response.headers.get('retry-after')),
  });
}

type ApiAnswer<Data> =
  | { readonly status: true; readonly success?: undefined; readonly data: Data }
  | {
      readonly success: false;
      readonly status?: undefined;
      readonly message: string;
      readonly code?: string;
      readonly data: FailureData;
    };

/** The envelope of an answer; null for text of something that stands in between, such as a proxy's page. */
function readAnswer<Data>(text: string): ApiAnswer<Data> | null {
  try {
    const answer: ApiAnswer<Data> | null = JSON.parse(text);
    return answer;
  } catch {
    return null;
  }
}

function writeQuery(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** Seconds from now: the header holds them, or a date. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0);
}

/** Milliseconds until the next try; null when another try would end the same way. */
function waitBeforeRetry(error: unknown, retries: number): number | null {
  if (!(error instanceof SwitchyardError)) return null;
  const backOffMs = Math.min(BACK_OFF_MS * 2 ** retries, BACK_OFF_MAX_MS);
  // Between half and all of it, so that clients that failed together do not come back together.
  const waitMs = backOffMs * (0.5 + Math.random() / 2);
  if (!(error instanceof SwitchyardApiError)) return waitMs;
  const { statusCode, retryAfterS } = error;
  // A conflict that asks to come back is a first request, under the same key, that is still in flight.
  const isPassing = PASSING_STATUSES.includes(statusCode) || (statusCode === 409 && retryAfterS !== null);
  if (!isPassing || (retryAfterS ?? 0) > RETRY_AFTER_MAX_S) return null;
  return Math.max(waitMs, (retryAfterS ?? 0) * 1_000);
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, waitMs);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
