import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Forgery } from '../checker/witnesses.ts';
import type { WebhookFault } from '../plan/faults.ts';
import { createDice, type Dice } from '../plan/rng.ts';
import type { Heard, Replicas } from './replicas.ts';

/** Our address as gateways know it: hands their webhooks to a replica, or does with them what networks and strangers do. */
export interface Gate {
  readonly url: string;
  begin(kind: WebhookFault): void;
  /** Things are as they should be again; what was held back goes out. */
  end(kind: WebhookFault): Promise<void>;
  readonly forgeries: readonly Forgery[];
  /** How many webhooks met with each fate. */
  readonly fates: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

interface Webhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const REMEMBERED = 300;
const HELD_TRIES = 8;
const SIGNATURES = ['x-paystack-signature', 'verif-hash', 'flutterwave-signature'] as const;

/** A server on an address that the processes can be told before there are any. */
export async function openGate(seed: number, replicas: () => Replicas): Promise<Gate> {
  const server = createServer((request, response) => {
    readWebhook(request).then(
      (webhook) => meet(webhook, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const dice = createDice(seed).fork('gate');
  const [active, earlier, held]: [Set<WebhookFault>, Webhook[], Webhook[]] = [new Set(), [], []];
  const [forgeries, fates]: [Forgery[], Record<string, number>] = [[], {}];
  const count = (fate: string): void => {
    fates[fate] = (fates[fate] ?? 0) + 1;
  };
  const pass = (webhook: Webhook): Promise<Heard | null> => replicas().send({ method: 'POST', ...webhook });

  async function meet(webhook: Webhook, response: ServerResponse): Promise<void> {
    remember(earlier, webhook);
    if (active.has('webhooks_lost') && dice.chance(0.8)) return keep('webhooks_lost', response);
    if (active.has('webhooks_reordered')) {
      held.push(webhook);
      return keep('webhooks_reordered', response);
    }
    if (active.has('webhooks_delayed')) {
      count('webhooks_delayed');
      await pause(dice.between(200, 4_000));
    }
    if (active.has('webhooks_forged')) await forge(webhook);
    if (active.has('webhooks_stale')) await repeatEarlier();
    if (active.has('webhooks_repeated')) {
      count('webhooks_repeated');
      void Promise.all([pass(webhook), pass(webhook), pass(webhook)]);
    }
    const heard = await pass(webhook);
    response.writeHead(heard?.status ?? 502).end();
  }

  /** Says thank you, and no more. */
  function keep(fate: WebhookFault, response: ServerResponse): void {
    count(fate);
    response.writeHead(200).end();
  }

  async function forge(webhook: Webhook): Promise<void> {
    for (const { what, forged } of forgeriesOf(webhook, dice)) {
      count('webhooks_forged');
      const heard = await pass(forged);
      forgeries.push({ what, url: forged.path, httpStatus: heard?.status ?? null });
    }
  }

  async function repeatEarlier(): Promise<void> {
    for (let n = 0; n < 3; n += 1) {
      const stale = earlier[dice.between(0, earlier.length - 1)];
      if (stale === undefined) return;
      count('webhooks_stale');
      await pass(stale);
    }
  }

  return {
    url: addressOf(server),
    forgeries,
    fates,
    begin: (kind) => void active.add(kind),
    async end(kind) {
      active.delete(kind);
      if (kind !== 'webhooks_reordered') return;
      for (const webhook of dice.shuffled(held.splice(0))) await deliverHeld(webhook, pass);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The sender was told that it arrived: it is this side's to see that it does. */
async function deliverHeld(webhook: Webhook, pass: (webhook: Webhook) => Promise<Heard | null>): Promise<void> {
  for (let n = 0; n < HELD_TRIES; n += 1) {
    const heard = await pass(webhook);
    if (heard !== null && heard.status < 500) return;
    await pause(500);
  }
}

function forgeriesOf({ path, headers, body }: Webhook, dice: Dice): { what: string; forged: Webhook }[] {
  const signature = SIGNATURES.find((name) => headers[name] !== undefined);
  const unsigned = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== signature));
  const wrong = { ...headers, ...(signature !== undefined && { [signature]: 'f'.repeat(headers[signature]?.length ?? 64) }) };
  const made = [
    { what: 'a webhook without a signature', forged: { path, headers: unsigned, body } },
    { what: 'a webhook with a made-up signature', forged: { path, headers: wrong, body } },
  ];
  // What is signed over the body does not fit another body.
  if (signature !== 'verif-hash' && signature !== undefined) {
    const altered = Buffer.from(body);
    const at = dice.between(0, altered.length - 1);
    altered[at] = (altered[at] ?? 0) ^ 0x01;
    made.push({ what: 'a webhook with one bit altered', forged: { path, headers, body: altered } });
  }
  return made;
}

function remember(earlier: Webhook[], webhook: Webhook): void {
  earlier.push(webhook);
  if (earlier.length > REMEMBERED) earlier.shift();
}

async function readWebhook(request: IncomingMessage): Promise<Webhook> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)) headers[name] = String(value);
  }
  return { path: request.url ?? '/', headers, body: Buffer.concat(chunks) };
}

export function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
