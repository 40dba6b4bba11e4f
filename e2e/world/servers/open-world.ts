import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { isGatewayName } from '@switchyard/sandbox';
import type { GatewayName } from '../../harness/gateways.ts';
import type { WebhookFault } from '../plan/faults.ts';
import { type GatewayQuirks, PLAIN_QUIRKS, timingOf } from '../plan/quirks.ts';
import { drawsFor } from '../plan/rng.ts';
import { openLocalServer, openMerchantServers } from './merchant-servers.ts';
import { startSimulators } from './simulators.ts';

/** Everything around our processes: gateways, the network their webhooks take, and merchants' servers. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** The gateways of a world's merchants; they have no quirks unless given. */
export interface WorldGateways {
  readonly gateways: readonly GatewayName[];
  readonly quirks?: Readonly<Record<GatewayName, GatewayQuirks>> | null;
}

/**
 * Opens everything that listens on a clock, in milliseconds; always in the same order and so, where ports are given out in order, on the same
 * ports. `webs` are read with each request.
 */
export async function openWorld(
  seed: number,
  webs: readonly Replica[],
  now: () => number,
  { gateways, quirks = null }: WorldGateways,
) {
  const timing = timingOf(seed, (gateway) => (quirks !== null && isGatewayName(gateway) ? quirks[gateway] : PLAIN_QUIRKS));
  const simulators = await startSimulators(now, gateways, timing);
  const send = sendInTurn(webs);
  const proxy = await openWebhookProxy(seed, send);
  const servers = await openMerchantServers(seed, now);
  return {
    gateways,
    simulators,
    send,
    proxy,
    servers,
    async close() {
      for (const each of [servers, proxy, simulators]) await each.close();
    },
  };
}

/** A web process, by where it listens. */
interface Replica {
  readonly url: string;
}

/** An answer as it came. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request to a web process. Null when the connection was lost, refused, or silent for too long. */
export type Send = (path: string, request?: RequestInit) => Promise<HttpReply | null>;

const TIMEOUT_MS = 15_000;

/** Sends to all web processes in turn, so that requests sent together and retries reach different ones. */
function sendInTurn(webs: readonly Replica[]): Send {
  let turn = 0;
  return async (path, request) => {
    const web = webs[turn++ % webs.length];
    return web === undefined ? null : sendTo(web, path, request);
  };
}

export async function sendTo({ url }: Replica, path: string, request: RequestInit = {}): Promise<HttpReply | null> {
  try {
    const answer = await fetch(url + path, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch {
    return null;
  }
}

/** Our public address for gateways: passes their webhooks to a replica, or delays, repeats or replays them. */
export interface WebhookProxy {
  readonly url: string;
  /** Begins a fault; the result ends it. */
  begin(kind: WebhookFault): () => void;
  /** How many webhooks of each gateway account were answered 200 by us. */
  readonly acknowledged: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

interface Webhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

const EARLIER_MAX = 300;
/** A held webhook is sent again as gateways do. */
const TRIES_MAX = 6;
const AGAIN_MS = 20_000;
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** Opens the proxy; its address is known before the processes start. */
async function openWebhookProxy(seed: number, send: Send): Promise<WebhookProxy> {
  const server = await openLocalServer((request, response) => {
    readWebhook(request).then(
      (webhook) => handle(webhook, response),
      () => response.destroy(),
    );
  });
  const rng = drawsFor(seed, 'webhooks');
  const active = new Set<WebhookFault>();
  const earlier: Webhook[] = [];
  const held: Webhook[] = [];
  const acknowledged = new Map<string, number>();

  async function pass({ path, headers, body }: Webhook): Promise<HttpReply | null> {
    const reply = await send(path, { method: 'POST', headers, body });
    const account = path.split('/').at(-1) ?? '';
    if (reply?.status === 200) acknowledged.set(account, (acknowledged.get(account) ?? 0) + 1);
    return reply;
  }

  async function handle(webhook: Webhook, response: ServerResponse): Promise<void> {
    earlier.push(webhook);
    if (earlier.length > EARLIER_MAX) earlier.shift();
    if (active.has('webhooks_held')) {
      // The gateway goes on trying, as none of it has arrived.
      if (!held.some((each) => each.path === webhook.path && each.body.equals(webhook.body))) held.push(webhook);
      response.writeHead(503).end();
      return;
    }
    // Others overtake it.
    if (active.has('webhooks_delayed')) await pause(rng.between(200, 6_000));
    if (active.has('webhooks_replayed')) await replayEarlier();
    if (active.has('webhooks_repeated')) void Promise.all([pass(webhook), pass(webhook), pass(webhook)]);
    const reply = await pass(webhook);
    response.writeHead(reply?.status ?? 502).end();
  }

  async function passUntilTaken(webhook: Webhook): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if ((await pass(webhook))?.status === 200) return;
      await pause(AGAIN_MS);
    }
  }

  async function replayEarlier(): Promise<void> {
    for (let n = 0; n < 3; n += 1) {
      const replayed = earlier[rng.between(0, earlier.length - 1)];
      if (replayed === undefined) return;
      await pass(replayed);
    }
  }

  return {
    url: server.url,
    acknowledged,
    begin(kind) {
      active.add(kind);
      return () => {
        active.delete(kind);
        if (kind === 'webhooks_held') for (const webhook of rng.shuffled(held.splice(0))) void passUntilTaken(webhook);
      };
    },
    close: server.close,
  };
}

async function readWebhook(request: IncomingMessage): Promise<Webhook> {
  const given = Object.entries(request.headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  const headers = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return { path: request.url ?? '/', headers, body: Buffer.from(await arrayBuffer(request)) };
}
