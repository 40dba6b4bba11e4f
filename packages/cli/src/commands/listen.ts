import { randomBytes } from 'node:crypto';
import type { WebhookEvent } from '@switchyard/client';
import { type Command, Option } from 'commander';
import { Webhook } from 'standardwebhooks';
import { type Credentials, readConfig, readCredentials, saveConfig } from '../credentials.ts';
import { type StreamedEvent, streamEvents } from '../event-stream.ts';
import { printable, type Surroundings, UsageError } from '../print.ts';

type Type = WebhookEvent['type'];

/** Every type of event. The compiler asks for one that is missing. */
const EVENT_TYPES: Readonly<Record<Type, true>> = {
  'payment.succeeded': true,
  'payment.failed': true,
  'payment.refunded': true,
  'refund.succeeded': true,
  'refund.failed': true,
  'payment.requires_review': true,
  'payment.duplicate_charge': true,
  'payment.repeated': true,
  'payment.reversed': true,
  'payment.reinstated': true,
  'dispute.opened': true,
  'dispute.closed': true,
};

const eventTypes: readonly string[] = Object.keys(EVENT_TYPES);

/** As long as Switchyard itself waits for an endpoint. */
const TIMEOUT_MS = 15_000;
const SECRET_BYTES = 24;

interface ListenOptions {
  readonly forwardTo?: string;
  readonly secret?: string;
  readonly events?: string[];
  readonly json?: true;
}

/** Answer of a local server. */
interface Forwarded {
  /** Null when it did not answer. */
  readonly status: number | null;
  readonly ms: number;
}

/** `switchyard listen` */
export function addListen(program: Command, surroundings: Surroundings): void {
  const { out, err, signal } = surroundings;
  program
    .command('listen')
    .description('forward events to a server on this machine, as signed webhooks')
    .option('--forward-to <address>', 'such as localhost:3000/webhooks; the one of the last start without it')
    .addOption(new Option('--events <types...>', 'of these types only').choices(eventTypes))
    .option('--secret <whsec>', 'sign with this secret, instead of the one of the last start')
    .option('--json', 'for programs: a line of JSON for each event')
    .action(async ({ events, json, ...given }: ListenOptions) => {
      const credentials = readCredentials(surroundings);
      const kept = readListener(surroundings, credentials);
      const forwardTo = given.forwardTo ?? kept.forwardTo;
      if (forwardTo === undefined)
        throw new UsageError('Say where events go: `switchyard listen --forward-to localhost:3000/webhooks`.');
      const secret = given.secret ?? kept.secret ?? makeSecret();
      const target = readTarget(forwardTo);
      const webhook = openWebhook(secret);
      const isKept = keepListener(surroundings, credentials, { forwardTo, secret });
      err(`Signing secret: ${secret}${isKept ? '' : ', until this ends: it could not be saved'}\n`);
      const options = {
        signal,
        onOpen: () => err(`Forwarding events to ${target}\n`),
        onBreak: () => err('The connection broke; trying again.\n'),
      };
      for await (const event of streamEvents(credentials, options)) {
        if (events !== undefined && !events.includes(event.type)) continue;
        const { status, ms } = await forward(event, target, webhook, signal);
        const time = new Date().toISOString().slice(11, 19);
        if (json) out(`${JSON.stringify({ id: event.id, type: event.type, status, ms })}\n`);
        else out(`${time}  ${printable(event.type)}  ${event.id}  → ${status ?? 'no answer'} in ${ms} ms\n`);
      }
    });
}

async function forward({ id, body }: StreamedEvent, target: string, webhook: Webhook, ended: AbortSignal): Promise<Forwarded> {
  const at = new Date();
  const startedAt = performance.now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Switchyard (switchyard listen)',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': webhook.sign(id, at, body),
  };
  const signal = AbortSignal.any([ended, AbortSignal.timeout(TIMEOUT_MS)]);
  let status: number | null = null;
  try {
    const response = await fetch(target, { method: 'POST', headers, body, signal, redirect: 'manual' });
    ({ status } = response);
    await response.body?.cancel();
  } catch {
    // It is not running, or does not answer; the next event may find it.
  }
  return { status, ms: Math.round(performance.now() - startedAt) };
}

function readTarget(text: string): string {
  const isWeb = /^https?:\/\//i.test(text);
  const address = isWeb ? text : `http://${/^\d+(\/|$)/.test(text) ? `localhost:${text}` : text}`;
  const url = URL.parse(address);
  // The name of the scheme of `ftp://server` would be taken for that of a server.
  const isOther = !isWeb && /^[^/?#]*:\/|^[/\\]/.test(text);
  if (url === null || isOther) throw new UsageError(`${text} is no address such as localhost:3000/webhooks`);
  if (url.username !== '' || url.password !== '') throw new UsageError('An address has no user name and no password.');
  return address;
}

function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function openWebhook(secret: string): Webhook {
  // Receivers refuse a shorter one.
  if (Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length < SECRET_BYTES) {
    throw new UsageError(`The secret has at least ${SECRET_BYTES} bytes, as the dashboard makes it.`);
  }
  try {
    return new Webhook(secret);
  } catch {
    throw new UsageError('The secret is whsec_ and base64, as the dashboard shows it.');
  }
}

/** An endpoint on this machine, and the secret that its webhooks are signed with. */
export interface Listener {
  readonly forwardTo: string;
  readonly secret: string;
}

/** By address of Switchyard and mode. */
type Listeners = Readonly<Record<string, Partial<Listener>>>;

/** Endpoint and secret of the last `listen` at this address in this mode; empty before the first. */
function readListener(surroundings: Surroundings, credentials: Credentials): Partial<Listener> {
  return readListeners(surroundings)[nameOf(credentials)] ?? {};
}

/** Keeps them for the next `listen`, readable by their owner only. False where the folder cannot be written. */
function keepListener(surroundings: Surroundings, credentials: Credentials, listener: Listener): boolean {
  try {
    saveConfig(surroundings, 'listen.json', { ...readListeners(surroundings), [nameOf(credentials)]: listener });
    return true;
  } catch {
    return false;
  }
}

function readListeners(surroundings: Surroundings): Partial<Listeners> {
  return readConfig<Listeners>(surroundings, 'listen.json', 'Delete it.');
}

function nameOf({ url, apiKey }: Credentials): string {
  return `${url} ${apiKey.startsWith('sk_live_') ? 'live' : 'test'}`;
}
