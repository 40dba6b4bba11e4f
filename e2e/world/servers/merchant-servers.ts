import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Delivery } from '../checker/observations.ts';
import type { EndpointFault } from '../plan/faults.ts';
import { drawsFor } from '../plan/rng.ts';

/** An address that a merchant receives events at, and the secret they are signed with. */
export interface MerchantEndpoint {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly secret: string;
}

/** Merchants' own servers, which receive events. */
export interface MerchantServers {
  /** Where the next endpoint is to listen. */
  nextUrl(): string;
  /** Adds the endpoint, created with the next address. */
  receive(endpoint: MerchantEndpoint): void;
  /** Begins the fault at one of the endpoints; the result ends it. */
  begin(kind: EndpointFault, which: number): () => void;
  readonly deliveries: readonly Delivery[];
  close(): Promise<void>;
}

/** Longer than senders of webhooks wait for an answer. */
const TOO_LATE_MS = 16_000;
/** A request may be on its way for twelve hours of the run's time, and be sent by a process whose clock is minutes off. */
const TOLERANCE_MS = 13 * 3_600_000;

/** Opens the servers on a clock, in milliseconds. */
export async function openMerchantServers(seed: number, now: () => number): Promise<MerchantServers> {
  const rng = drawsFor(seed, 'merchants');
  const endpoints: MerchantEndpoint[] = [];
  const active = new Set<string>();
  const deliveries: Delivery[] = [];
  const server = await openLocalServer(async (request, response) => {
    const slot = Number(request.url?.split('/').at(-1));
    const endpoint = endpoints[slot];
    const body = await text(request).catch(() => null);
    if (body === null || endpoint === undefined) return void response.destroy();
    const is = (kind: EndpointFault): boolean => active.has(`${kind} ${slot}`);
    const [at, arrivedAt] = [now(), performance.now()];
    if (is('endpoint_slow')) await pause(rng.chance(0.1) ? rng.between(TOO_LATE_MS, 2 * TOO_LATE_MS) : rng.between(300, 3_000));
    const answered = is('endpoint_dead') ? null : is('endpoint_500') ? 500 : is('endpoint_302') ? 302 : 200;
    const eventId = String(request.headers['webhook-id']);
    const objection = objectionTo(request, body, endpoint.secret, at);
    const { merchantId, endpointId } = endpoint;
    const isLost = answered === null || is('endpoint_drops_answers');
    deliveries.push({
      at,
      merchantId,
      endpointId,
      eventId,
      body,
      objection,
      answered,
      tookMs: isLost ? null : performance.now() - arrivedAt,
    });
    // The event was received, and the answer is lost.
    if (answered === null || isLost) return void response.destroy();
    // To this machine's address without a path: no endpoint, so that a redirect that is followed reaches nothing.
    response.writeHead(answered, answered === 302 ? { location: server.url } : {}).end();
  });
  return {
    deliveries,
    nextUrl: () => `${server.url}/events/${endpoints.length}`,
    receive: (endpoint) => void endpoints.push(endpoint),
    begin(kind, which) {
      const fault = `${kind} ${which % endpoints.length}`;
      active.add(fault);
      return () => void active.delete(fault);
    },
    close: server.close,
  };
}

/**
 * Why a careful merchant would refuse a delivery, by the Standard Webhooks specification; null for a valid one. The library's own
 * check of the time goes by the machine's clock.
 */
function objectionTo({ headers }: IncomingMessage, body: string, secret: string, now: number): string | null {
  const timestamp = String(headers['webhook-timestamp']);
  if (!/^\d+$/.test(timestamp)) return `the time-stamp ${timestamp}`;
  const sentAt = new Date(Number(timestamp) * 1_000);
  if (Math.abs(now - sentAt.getTime()) > TOLERANCE_MS) return `the time-stamp ${timestamp}, which is long ago or ahead`;
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body);
  const given = String(headers['webhook-signature']).split(' ');
  return given.includes(expected) ? null : 'a signature that does not fit';
}

/** Longer than any run, so that no idle connection is closed while a request is being sent on it. */
const KEEP_ALIVE_MS = 600_000;

/** An HTTP server of the run on a port of its own. */
export async function openLocalServer(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
