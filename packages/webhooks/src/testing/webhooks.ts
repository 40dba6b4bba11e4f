import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { transactWithHints } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { type Dispatcher, type DispatcherOptions, openDispatcher } from '../deliveries/dispatcher.ts';
import { listDueEndpoints } from '../deliveries/due-deliveries-queries.ts';
import { withFirstAttempt } from '../deliveries/list-deliveries.ts';
import { openSender } from '../deliveries/send.ts';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { announceEvent, type MerchantEventType } from '../events/announce-event.ts';

/** One merchant's webhooks, for tests. */
export function webhooksOf(context: TestContext, merchantId: string, mode: Mode = 'test') {
  const { prisma } = context.database;
  const actor = 'staff:ada';
  return {
    async endpoint(url: string, types: readonly string[] = []): Promise<{ endpointId: string; secret: string }> {
      const outcome = await createEndpoint(context, { merchantId, mode, url, description: '', types, actor });
      if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
      return { endpointId: outcome.endpoint.id, secret: outcome.secret };
    },
    /** Writes an event of a payment, as its change would. Returns the event's id. */
    async announce(paymentId: string, position: number, type: MerchantEventType = 'payment.succeeded'): Promise<string> {
      const eventId = context.newId();
      const body = JSON.stringify({ id: eventId, type, data: { paymentId, note: 'ünï "çode"' } });
      const event = { merchantId, eventId, mode, paymentId, position, type, body };
      await transactWithHints(context.database, (transaction) => announceEvent(transaction, event, context.now()));
      return eventId;
    },
    async deliveries(endpointId: string) {
      return prisma.webhookDelivery.findMany({
        where: { merchantId, endpointId },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
    },
    async row(endpointId: string) {
      return prisma.webhookEndpoint.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: endpointId } } });
    },
    async attempts(endpointId: string) {
      const rows = await prisma.webhookDeliveryAttempt.findMany({ where: { merchantId, endpointId } });
      const byDelivery = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
      const deliveries = await prisma.webhookDelivery.findMany({ where: { merchantId, endpointId } });
      return deliveries
        .flatMap((delivery) => withFirstAttempt(delivery, byDelivery.get(delivery.id) ?? []))
        .sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime() || one.number - other.number);
    },
  };
}

/** A certificate of this machine with its key, both in PEM. */
interface TestCertificate {
  readonly key: string;
  readonly cert: string;
  readonly expiresAt: Date;
}

/** Makes a self-signed certificate for 127.0.0.1 that expires after some days, and lets this thread trust it. Needs `openssl`. */
export async function makeCertificate(days: number): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', String(days)],
      ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile],
    ]);
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
    setDefaultCACertificates([...getCACertificates('default'), cert]);
    return { key, cert, expiresAt: new X509Certificate(cert).validToDate };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One received message. */
export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver's response to a message. */
export type Answer = (received: Received, response: ServerResponse, count: number) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** In the order of arrival. */
  readonly received: Received[];
  /** Connections opened at all. */
  connections: number;
  answer: Answer;
  /** Shows another certificate to connections from now on, and closes the present ones. */
  renew(certificate: TestCertificate): void;
  close(): Promise<void>;
}

const accept: Answer = (_received, response) => void response.end('ok');

/** A merchant's server on this machine, over https with a certificate. By default it answers 200. */
export async function openReceiver(answer: Answer = accept, certificate: TestCertificate | null = null): Promise<Receiver> {
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    void readBody(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const received = { path: request.url ?? '', headers, body };
      receiver.received.push(received);
      receiver.answer(received, response, receiver.received.length);
    });
  };
  const server = certificate === null ? createServer(receive) : createTlsServer(certificate, receive);
  server.on('connection', () => receiver.connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const receiver: Receiver = {
    url: `${certificate === null ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    port: address.port,
    received: [],
    connections: 0,
    answer,
    renew(next) {
      if (!(server instanceof TlsServer)) throw new Error('the receiver has no certificate');
      server.setSecureContext(next);
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Against tests that hang: a machine that is busy takes several times as long as one that is not. */
const WAIT_TIMEOUT_MS = 120_000;
const LOOK_EVERY_MS = 20;

/** Waits for a condition, in tests and in what prepares them; fails when it does not become true. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { timeout: WAIT_TIMEOUT_MS, interval: LOOK_EVERY_MS }).catch((cause) => {
    throw new Error(`it never came to pass: ${what}`, { cause });
  });
}

/** A merchant and a receiver for each test of the file that calls {@link openDispatcherHarness}. */
interface DispatcherHarness {
  readonly context: TestContext;
  readonly merchantId: string;
  readonly webhooks: ReturnType<typeof webhooksOf>;
  readonly receiver: Receiver;
  /** Errors inside dispatchers; the test fails when any is left. */
  readonly errors: unknown[];
  /** One more receiver, closed with the test. */
  receiving(answer?: Receiver['answer']): Promise<Receiver>;
  /** A dispatcher, stopped with the test. */
  dispatcher(options?: Partial<DispatcherOptions> & { timeoutMs?: number }): Dispatcher;
  /** Waits until nothing is due any more; `lost` deliveries were attempted without a recorded result. */
  settled(by: Dispatcher, endpointId: string, lost?: number): Promise<void>;
  somethingIsDue(endpointId: string): Promise<boolean>;
  /** Writes deliveries of test events, all due now. */
  fillQueue(endpointId: string, count: number): Promise<void>;
}

export const idOf = ({ headers }: Received) => headers['webhook-id'];
export const refuse: Receiver['answer'] = (_received, response) => void response.writeHead(500).end('no');

const FILL_QUEUE = `
INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, position, type, state, attempts, next_attempt_at, due_at,
  created_at, updated_at)
SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), 0, 'webhook.test', 'PENDING', 0, now(), now(), now(), now()
FROM generate_series(1, $3::integer)`;

/** Opens the harness for a file's tests and closes it after them. */
export function openDispatcherHarness(): DispatcherHarness {
  let context: TestContext;
  let merchantId: string;
  let webhooks: ReturnType<typeof webhooksOf>;
  let receiver: Receiver;
  const open: (() => Promise<void>)[] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    context = await openTestContext();
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    context.setClock(null);
    errors.length = 0;
    merchantId = await testMerchant(context);
    webhooks = webhooksOf(context, merchantId);
    receiver = await receiving();
  });
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
    await context.database.pool.query('DELETE FROM webhook_delivery');
    expect(errors).toEqual([]);
  });

  async function receiving(answer?: Receiver['answer']): Promise<Receiver> {
    const made = await openReceiver(answer);
    open.push(() => made.close());
    return made;
  }

  async function somethingIsDue(endpointId: string): Promise<boolean> {
    const due = await listDueEndpoints(context.database, context.now());
    return due.some((endpoint) => endpoint.endpointId === endpointId);
  }

  return {
    get context() {
      return context;
    },
    get merchantId() {
      return merchantId;
    },
    get webhooks() {
      return webhooks;
    },
    get receiver() {
      return receiver;
    },
    errors,
    receiving,
    somethingIsDue,
    async fillQueue(endpointId, count) {
      await context.database.pool.query(FILL_QUEUE, [merchantId, endpointId, count]);
    },
    dispatcher({ timeoutMs = 15_000, ...rest } = {}) {
      const sender = openSender({ timeoutMs });
      const made = openDispatcher(context, { onError: (error) => errors.push(error), sender, random: () => 0, ...rest });
      open.push(() => made.stop());
      return made;
    },
    settled: (by, endpointId, lost = 0) =>
      until('nothing is due', async () => {
        await by.sweep();
        // Between both counts: where they agree nothing was under way that hides what is due after it.
        const attempts = await webhooks.attempts(endpointId);
        const isDue = await somethingIsDue(endpointId);
        const begun = await webhooks.deliveries(endpointId);
        return !isDue && attempts.length + lost === begun.reduce((sum, { attempts }) => sum + attempts, 0);
      }),
  };
}
