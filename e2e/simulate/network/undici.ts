import type { Owner } from '../kernel/scheduler.ts';
import type { HttpAnswer, Network } from './network.ts';

/** Options that programs pass to a dispatcher, as far as ours do. */
interface Dispatched {
  readonly origin?: string;
  readonly path: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly signal?: AbortSignal;
}

interface Controller {
  abort(reason: Error): void;
}

interface Handler {
  onRequestStart(controller: Controller): void;
  onResponseStart(controller: Controller, status: number, headers: Readonly<Record<string, string>>): void;
  onResponseData(controller: Controller, chunk: Buffer): void;
  onResponseEnd(controller: Controller, trailers: object): void;
  onResponseError(controller: Controller, error: Error): void;
}

interface Answered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
}

/** As much of `undici` as our programs use, on the network of a world. */
export function undiciOn(network: Network, owner: Owner) {
  const lostError = (code: string): Error => Object.assign(new Error(code), { code });

  class Client {
    /** Every request has a connection at once. */
    readonly stats = { queued: 0 };
    private readonly origin: string;

    constructor(origin: unknown) {
      this.origin = typeof origin === 'string' ? origin : '';
    }

    dispatch(request: Dispatched, handler: Handler): boolean {
      let isOver = false;
      let cancel = (): void => undefined;
      const controller: Controller = {
        abort(reason) {
          if (isOver) return;
          isOver = true;
          cancel();
          handler.onResponseError(controller, reason);
        },
      };
      cancel = network.send(owner, requestOf(request, request.origin ?? this.origin), {
        connected: () => handler.onRequestStart(controller),
        answered({ status, headers, body }) {
          handler.onResponseStart(controller, status, headers);
          if (!isOver) handler.onResponseData(controller, body);
          if (isOver) return;
          isOver = true;
          handler.onResponseEnd(controller, {});
        },
        lost(code) {
          if (isOver) return;
          isOver = true;
          handler.onResponseError(controller, lostError(code === 'ECONNRESET' ? 'UND_ERR_SOCKET' : code));
        },
      });
      return true;
    }

    request(request: Dispatched): Promise<Answered> {
      return new Promise((resolve, reject) => {
        const { signal } = request;
        const cancel = network.send(owner, requestOf(request, request.origin ?? this.origin), {
          connected: () => undefined,
          answered: ({ status, headers, body }) => resolve({ statusCode: status, headers, body: inOne(body) }),
          lost: (code) => reject(lostError(code === 'ECONNRESET' ? 'UND_ERR_SOCKET' : code)),
        });
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      });
    }

    async close(): Promise<void> {}

    async destroy(): Promise<void> {}
  }

  return { Client, Pool: Client, Agent: Client, buildConnector: () => () => undefined };
}

async function* inOne(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

function requestOf({ method, path, headers = {}, body }: Dispatched, origin: string) {
  return { method, path, origin, headers, body: Buffer.from(body ?? '') };
}

/** A request of the world's own, on its time. */
export type Fetch = (
  url: string,
  init?: { readonly method?: string; readonly headers?: HeadersInit; readonly body?: unknown; readonly signal?: AbortSignal },
) => Promise<Response>;

/** `fetch` on the network of a world, which follows no redirect. */
export function fetchOn(network: Network, owner: Owner): Fetch {
  return (url, { method = 'GET', headers = {}, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const { origin, pathname, search } = new URL(url);
      const form = body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
      const given = Object.fromEntries(new Headers(headers));
      const bytes = body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(String(body ?? ''));
      const request = { method, origin, path: pathname + search, headers: { ...form, ...given }, body: bytes };
      const cancel = network.send(owner, request, {
        connected: () => undefined,
        answered: (answer) => resolve(responseOf(answer)),
        lost: (code) => reject(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })),
      });
      signal?.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    });
}

function responseOf({ status, headers, body }: HttpAnswer): Response {
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? new Uint8Array(body) : null, { status, headers });
}
