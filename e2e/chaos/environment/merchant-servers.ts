import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Delivery } from '../checker/observations.ts';
import type { EndpointFault } from '../plan/faults.ts';
import { createRng } from '../plan/rng.ts';
import type { RunClock } from './clock.ts';
import { openLocalServer, readBody } from './local-server.ts';

/** Merchants' own servers, which receive events. */
export interface MerchantServers {
  /** Where one endpoint of a merchant listens; `slot` counts all endpoints of the run. */
  address(slot: number): string;
  /** Sets the endpoint's merchant and its signing secret. */
  expect(slot: number, endpoint: { merchantId: string; endpointId: string; secret: string }): void;
  begin(kind: EndpointFault, slot: number): void;
  end(kind: EndpointFault, slot: number): void;
  readonly deliveries: readonly Delivery[];
  close(): Promise<void>;
}

/** How far the clocks of our processes may be off in a run. */
const TOLERANCE_MS = 15 * 60_000;

export async function openMerchantServers(seed: number, clock: Pick<RunClock, 'isAbout'>): Promise<MerchantServers> {
  const rng = createRng(seed).fork('merchant-servers');
  const known = new Map<number, { merchantId: string; endpointId: string; secret: string }>();
  const active = new Set<string>();
  const deliveries: Delivery[] = [];
  const server = await openLocalServer(async (request, response) => {
    const slot = Number(request.url?.split('/').at(-1));
    const endpoint = known.get(slot);
    const received = await readBody(request).catch(() => null);
    if (received === null || endpoint === undefined) return void response.destroy();
    const body = received.toString('utf8');
    const is = (kind: EndpointFault): boolean => active.has(`${kind} ${slot}`);
    if (is('endpoint_slow')) await pause(rng.between(300, 3_000));
    const answered = is('endpoint_dead') ? null : is('endpoint_500') ? 500 : 200;
    const eventId = String(request.headers['webhook-id']);
    const objection = objectionTo(request, body, endpoint.secret, clock);
    const { merchantId, endpointId } = endpoint;
    deliveries.push({ merchantId, endpointId, eventId, body, objection, answered });
    // The event was received, and the answer is lost.
    if (answered === null || is('endpoint_drops_answers')) return void response.destroy();
    response.writeHead(answered).end();
  });
  return {
    deliveries,
    address: (slot) => `${server.url}/events/${slot}`,
    expect: (slot, endpoint) => void known.set(slot, endpoint),
    begin: (kind, slot) => void active.add(`${kind} ${slot}`),
    end: (kind, slot) => void active.delete(`${kind} ${slot}`),
    close: server.close,
  };
}

/**
 * Why a careful merchant would refuse a delivery, by the Standard Webhooks specification; null for a valid one. The library's own
 * check of the time goes by the machine's clock.
 */
function objectionTo(
  { headers }: IncomingMessage,
  body: string,
  secret: string,
  clock: Pick<RunClock, 'isAbout'>,
): string | null {
  const timestamp = String(headers['webhook-timestamp']);
  if (!/^\d+$/.test(timestamp)) return `the time-stamp ${timestamp}`;
  const sentAt = new Date(Number(timestamp) * 1_000);
  if (!clock.isAbout(sentAt.getTime(), TOLERANCE_MS)) return `the time-stamp ${timestamp}, which is long ago or ahead`;
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), sentAt, body);
  const given = String(headers['webhook-signature']).split(' ');
  return given.includes(expected) ? null : 'a signature that does not fit';
}
