import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookFault } from '../plan/faults.ts';
import { drawsFor } from '../plan/rng.ts';
import { openLocalServer } from './local-server.ts';
import type { HttpReply, Send } from './send.ts';

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
export async function openWebhookProxy(seed: number, send: Send): Promise<WebhookProxy> {
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
