import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { simulators } from '@switchyard/sandbox';
import type { Forgery } from '../checker/observations.ts';
import type { WebhookFault } from '../plan/faults.ts';
import { createRng, type Rng } from '../plan/rng.ts';
import { openLocalServer } from './local-server.ts';
import type { HttpReply, Send } from './replicas.ts';

/** Our public address for gateways: passes their webhooks to a replica, or loses, delays, repeats or forges them. */
export interface FaultProxy {
  readonly url: string;
  /** Begins a fault. The result ends it; webhooks that were held back are delivered. */
  begin(kind: WebhookFault): () => Promise<void>;
  readonly forgeries: readonly Forgery[];
  /** The fault of each webhook that was hit. */
  readonly hits: readonly WebhookFault[];
  close(): Promise<void>;
}

interface Webhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

type Pass = (webhook: Webhook) => Promise<HttpReply | null>;

const EARLIER_MAX = 300;
const HELD_TRIES = 8;
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding'];
const SIGNATURES = Object.values(simulators).flatMap(({ signatures }) => signatures);

/** Opens the proxy; its address is known before the processes start. */
export async function openFaultProxy(seed: number, send: Send): Promise<FaultProxy> {
  const server = await openLocalServer((request, response) => {
    readWebhook(request).then(
      (webhook) => handle(webhook, response),
      () => response.destroy(),
    );
  });
  const rng = createRng(seed);
  const active = new Set<WebhookFault>();
  const earlier: Webhook[] = [];
  const held: Webhook[] = [];
  const forgeries: Forgery[] = [];
  const hits: WebhookFault[] = [];
  const pass: Pass = ({ path, headers, body }) => send(path, { method: 'POST', headers, body });

  async function handle(webhook: Webhook, response: ServerResponse): Promise<void> {
    earlier.push(webhook);
    if (earlier.length > EARLIER_MAX) earlier.shift();
    if (active.has('webhooks_lost') && rng.chance(0.8)) return swallow('webhooks_lost', response);
    if (active.has('webhooks_reordered')) {
      held.push(webhook);
      return swallow('webhooks_reordered', response);
    }
    if (active.has('webhooks_delayed')) {
      hits.push('webhooks_delayed');
      await pause(rng.between(200, 4_000));
    }
    if (active.has('webhooks_forged')) await forge(webhook);
    if (active.has('webhooks_stale')) await repeatEarlier();
    if (active.has('webhooks_repeated')) {
      hits.push('webhooks_repeated');
      void Promise.all([pass(webhook), pass(webhook), pass(webhook)]);
    }
    const reply = await pass(webhook);
    response.writeHead(reply?.status ?? 502).end();
  }

  /** Answers 200 without passing the webhook on. */
  function swallow(fault: WebhookFault, response: ServerResponse): void {
    hits.push(fault);
    response.writeHead(200).end();
  }

  async function forge(webhook: Webhook): Promise<void> {
    for (const { what, forged } of forgeriesOf(webhook, rng)) {
      hits.push('webhooks_forged');
      const reply = await pass(forged);
      forgeries.push({ what, url: forged.path, httpStatus: reply?.status ?? null });
    }
  }

  async function repeatEarlier(): Promise<void> {
    for (let n = 0; n < 3; n += 1) {
      const stale = earlier[rng.between(0, earlier.length - 1)];
      if (stale === undefined) return;
      hits.push('webhooks_stale');
      await pass(stale);
    }
  }

  return {
    url: server.url,
    forgeries,
    hits,
    begin(kind) {
      active.add(kind);
      return async () => {
        active.delete(kind);
        if (kind !== 'webhooks_reordered') return;
        for (const webhook of rng.shuffled(held.splice(0))) await deliverHeld(webhook, pass);
      };
    },
    close: server.close,
  };
}

/** The sender has a 200 already, so the proxy has to deliver it. */
async function deliverHeld(webhook: Webhook, pass: Pass): Promise<void> {
  for (let n = 0; n < HELD_TRIES; n += 1) {
    const reply = await pass(webhook);
    if (reply !== null && reply.status < 500) return;
    await pause(500);
  }
}

function forgeriesOf({ path, headers, body }: Webhook, rng: Rng): { what: string; forged: Webhook }[] {
  const found = SIGNATURES.find(({ header }) => headers[header] !== undefined);
  const signature = found?.header;
  const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== signature));
  const wrong = { ...headers, ...(signature !== undefined && { [signature]: 'f'.repeat(headers[signature]?.length ?? 64) }) };
  const made = [
    { what: 'a webhook without a signature', forged: { path, headers: unsigned, body } },
    { what: 'a webhook with a made-up signature', forged: { path, headers: wrong, body } },
  ];
  // A signature over the body does not match another body.
  if (found?.coversBody) {
    const altered = Buffer.from(body);
    const at = rng.between(0, altered.length - 1);
    altered[at] = (altered[at] ?? 0) ^ 0x01;
    made.push({ what: 'a webhook with one bit altered', forged: { path, headers, body: altered } });
  }
  return made;
}

async function readWebhook(request: IncomingMessage): Promise<Webhook> {
  const given = Object.entries(request.headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  const headers = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return { path: request.url ?? '/', headers, body: Buffer.from(await arrayBuffer(request)) };
}
