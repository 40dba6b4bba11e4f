import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { formatEvent } from '@switchyard/compat/webhooks';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { createEndpoint, rotateEndpointSecret, sendTestEvent, updateEndpoint } from '@switchyard/webhooks/endpoints';
import type { WebhookFormat } from '@switchyard/webhooks/formats';
import openPaystackApi from 'paystack-api';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endSession } from '../harness/database-proxy.ts';
import { eventually } from '../harness/eventually.ts';
import type { PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { MOUNTS } from '../harness/mounts.ts';
import { openRefundHarness, type RefundHarness } from '../life/refund-harness.ts';

let harness: Harness;
let refunds: RefundHarness;
let server: HookServer;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  refunds = openRefundHarness(harness);
  server = await openHookServer();
});
afterEach(() => harness.gateways.heal());
afterAll(async () => {
  await server.close();
  await harness.close();
});

const actor = 'system:test';
const { now } = { now: () => new Date() };

async function addEndpoint({ merchantId }: TestMerchant, format: WebhookFormat, secret: string, types: readonly string[] = []) {
  const command = { merchantId, mode: 'test', format, secret, types, description: '', url: server.url, actor } as const;
  const outcome = await createEndpoint(harness.switchyard, command);
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  expect(outcome.secret).toBe(secret);
  return outcome.endpoint;
}

/** Sends what is due until this many messages have come. */
async function deliver(count: number, at = new Date()) {
  const { database } = harness.switchyard.resources;
  const troubles: unknown[] = [];
  const dispatcher = openDispatcher(
    { ...harness.switchyard, now: () => at },
    { onError: (error) => troubles.push(error), formatEvent: (event) => formatEvent(database, event, now()) },
  );
  await dispatcher.sweep();
  await eventually(`${count} messages`, async () => {
    if (troubles.length > 0) throw troubles[0];
    return server.messages.length >= count ? true : null;
  });
  await dispatcher.stop();
  return server.messages.splice(0);
}

const send = (merchant: TestMerchant, method: string, path: string, body?: unknown) =>
  harness.send('node', method, `/compat/${path}`, { key: merchant.testKey, ...(body !== undefined && { body }) });

/** A payment begun in a dialect, with where the customer comes back. */
async function begin(merchant: TestMerchant, dialect: 'paystack' | 'flutterwave', changes: object = {}) {
  const reference = `ref.${randomUUID()}`;
  const order =
    dialect === 'paystack'
      ? { email: 'ada@example.com', amount: 250_000, reference, callback_url: 'https://shop.example/back?a=1#x', ...changes }
      : {
          tx_ref: reference,
          amount: 2_500,
          currency: 'NGN',
          redirect_url: 'https://shop.example/back?a=1#x',
          customer: { email: 'ada@example.com' },
          ...changes,
        };
  const path = dialect === 'paystack' ? 'paystack/transaction/initialize' : 'flutterwave/v3/payments';
  expect((await send(merchant, 'POST', path, order)).status).toBe(200);
  const payment = await harness.database.prisma.payment.findFirstOrThrow({
    where: { merchantId: merchant.merchantId, merchantOrderId: reference },
    include: { attempts: true },
  });
  const attempt = payment.attempts.find(({ id }) => id === payment.currentAttemptId);
  if (attempt === undefined) throw new Error('no checkout is open');
  const gateway: PairName = attempt.gateway === 'paystack' ? 'paystack' : 'flutterwave';
  return { reference, paymentId: payment.id, gateway, attempt, back: `/checkout/${payment.id}/${attempt.accountId}/return` };
}

async function payAndVerify(
  merchant: TestMerchant,
  begun: Awaited<ReturnType<typeof begin>>,
  outcome: 'success' | 'failed' = 'success',
) {
  await harness.gateways.setFault(begun.gateway, 'no_webhook');
  await harness.gateways.settle(begun.gateway, begun.attempt.reference, outcome);
  if (outcome === 'failed') await endSession(harness.database, begun.paymentId);
  await harness.send('node', 'POST', `/v1/payments/${begun.paymentId}/verify`, { key: merchant.testKey });
}

describe('a webhook of the format paystack', () => {
  test('passes the check of paystack-api, is sent again byte for byte, and reports the refund', async () => {
    const merchant = await harness.merchant({ order: ['flutterwave'] });
    await addEndpoint(merchant, 'paystack', merchant.testKey);
    const begun = await begin(merchant, 'paystack', { metadata: { cart_id: 7 } });
    await payAndVerify(merchant, begun);
    server.refuse(1);
    const [refused] = await deliver(1);
    // The payment changes before the retry: what was signed stays.
    const asked = await send(merchant, 'POST', 'paystack/refund', { transaction: begun.reference, amount: '100000' });
    expect(asked.status).toBe(200);
    await refunds.runJobs();
    const paid = { paymentId: begun.paymentId, gateway: begun.gateway, reference: begun.attempt.reference };
    await refunds.end(paid, 'processed');
    await refunds.follow();
    const [success, refund] = await deliver(2, new Date(Date.now() + 3_600_000));
    expect([success?.body, success?.headers['x-paystack-signature']]).toEqual([
      refused?.body,
      refused?.headers['x-paystack-signature'],
    ]);

    const heard: unknown[] = [];
    const { Events } = openPaystackApi(merchant.testKey);
    for (const event of ['charge.success', 'refund.processed']) Events.on(event, (data) => heard.push({ event, data }));
    for (const message of [success, refund]) {
      const body: unknown = JSON.parse(message?.body ?? '');
      Events.middleware({ body, headers: message?.headers }, { sendStatus: () => undefined });
    }
    Events.middleware({ body: { event: 'charge.success' }, headers: success?.headers }, { sendStatus: () => undefined });
    expect(heard).toMatchObject([
      {
        event: 'charge.success',
        data: { status: 'success', amount: 250_000, reference: begun.reference, metadata: { cart_id: 7 }, domain: 'test' },
      },
      { event: 'refund.processed', data: { amount: 100_000, status: 'processed', transaction_reference: begun.reference } },
    ]);
    const { id } = z.object({ data: z.object({ id: z.int() }) }).parse(JSON.parse(success?.body ?? '')).data;
    const fetched = await send(merchant, 'GET', `paystack/transaction/${id}`);
    expect(fetched.json).toMatchObject({ status: true, data: { id, reference: begun.reference, status: 'success' } });
  });

  test('is not sent for a payment that failed, and its test event says so', async () => {
    const merchant = await harness.merchant();
    const endpoint = await addEndpoint(merchant, 'paystack', 'a-secret-of-the-merchant');
    expect(endpoint.types).toEqual(['payment.succeeded', 'refund.succeeded', 'refund.failed']);
    const key = { merchantId: merchant.merchantId, endpointId: endpoint.id, actor };
    const update = await updateEndpoint(harness.switchyard, { ...key, changes: { types: ['payment.failed'] } });
    expect(update).toMatchObject({ kind: 'invalid', problems: [{ field: 'types' }] });
    await payAndVerify(merchant, await begin(merchant, 'paystack'), 'failed');
    await sendTestEvent(harness.switchyard, key);
    const [message] = await deliver(1);
    expect(JSON.parse(message?.body ?? '')).toEqual({ event: 'switchyard.test', data: { id: expect.any(String) } });
    const signature = createHmac('sha512', 'a-secret-of-the-merchant')
      .update(message?.body ?? '')
      .digest('hex');
    expect(message?.headers['x-paystack-signature']).toBe(signature);
    expect(message?.headers['webhook-signature']).toBeUndefined();
  });
});

describe('a webhook of the format flutterwave', () => {
  test('carries the secret hash, reports success and failure, and uses a new secret at once', async () => {
    const merchant = await harness.merchant({ order: ['paystack'] });
    const types = ['payment.succeeded', 'payment.failed', 'refund.succeeded'];
    const endpoint = await addEndpoint(merchant, 'flutterwave', 'the-secret-hash-1', types);
    const paid = await begin(merchant, 'flutterwave');
    await payAndVerify(merchant, paid);
    const [success] = await deliver(1);
    expect(success?.headers['verif-hash']).toBe('the-secret-hash-1');
    const signature = createHmac('sha256', 'the-secret-hash-1')
      .update(success?.body ?? '')
      .digest('base64');
    expect(success?.headers['flutterwave-signature']).toBe(signature);
    expect(JSON.parse(success?.body ?? '')).toMatchObject({
      event: 'charge.completed',
      'event.type': 'CARD_TRANSACTION',
      data: {
        status: 'successful',
        tx_ref: paid.reference,
        amount: 2_500,
        currency: 'NGN',
        customer: { email: 'ada@example.com' },
      },
    });
    const rotated = await rotateEndpointSecret(harness.switchyard, {
      merchantId: merchant.merchantId,
      endpointId: endpoint.id,
      oldSignsUntil: new Date(Date.now() + 3_600_000),
      secret: 'the-secret-hash-2',
      actor,
    });
    expect(rotated).toMatchObject({ kind: 'rotated', secret: 'the-secret-hash-2', endpoint: { previousSecretEndsAt: null } });
    const failed = await begin(merchant, 'flutterwave');
    await payAndVerify(merchant, failed, 'failed');
    const [failure] = await deliver(1);
    expect(failure?.headers['verif-hash']).toBe('the-secret-hash-2');
    expect(JSON.parse(failure?.body ?? '')).toMatchObject({ data: { status: 'failed', tx_ref: failed.reference } });
  });
});

test('only the format of a gateway takes a secret, and one that is long enough', async () => {
  const { merchantId } = await harness.merchant();
  const command = { merchantId, mode: 'test', types: [], description: '', url: server.url, actor } as const;
  const create = (changes: object) => createEndpoint(harness.switchyard, { ...command, ...changes });
  for (const changes of [
    { secret: 'a-secret-of-the-merchant' },
    { format: 'paystack', secret: 'short' },
    { format: 'paystack', secret: 'with spaces, which is wrong' },
  ]) {
    expect(await create(changes)).toMatchObject({ kind: 'invalid', problems: [{ field: 'secret' }] });
  }
  expect(await create({ format: 'paystack' })).toMatchObject({ kind: 'created', secret: expect.stringMatching(/^whsec_/) });
});

describe('a customer who returns', () => {
  test('comes back with trxref and reference beside paymentId', async () => {
    const begun = await begin(harness.first, 'paystack');
    await harness.gateways.settle(begun.gateway, begun.attempt.reference, 'success');
    const { headers } = await harness.send('node', 'GET', `${begun.back}?trxref=x&reference=x`);
    expect(headers.location).toBe(
      `https://shop.example/back?a=1&paymentId=${begun.paymentId}&trxref=${begun.reference}&reference=${begun.reference}#x`,
    );
  });

  test('comes back with the status, tx_ref and an id that verify takes', async () => {
    const begun = await begin(harness.first, 'flutterwave');
    const open = await harness.send('node', 'GET', begun.back);
    expect(new URL(open.headers.location ?? '').searchParams.get('status')).toBe('completed');
    const cancelled = await harness.send('node', 'GET', `${begun.back}?reference=x&status=cancelled`);
    expect([...new URL(cancelled.headers.location ?? '').searchParams]).toEqual([
      ['a', '1'],
      ['paymentId', begun.paymentId],
      ['status', 'cancelled'],
      ['tx_ref', begun.reference],
    ]);
    await harness.gateways.settle(begun.gateway, begun.attempt.reference, 'success');
    const { headers } = await harness.send('node', 'GET', begun.back);
    const query = new URL(headers.location ?? '').searchParams;
    expect([query.get('status'), query.get('tx_ref')]).toEqual(['successful', begun.reference]);
    const verified = await send(harness.first, 'GET', `flutterwave/v3/transactions/${query.get('transaction_id')}/verify`);
    expect(verified.json).toMatchObject({ status: 'success', data: { tx_ref: begun.reference, status: 'successful' } });
  });

  test('who cancels goes to cancel_action; one of a payment begun under /v1 comes back as ever', async () => {
    const begun = await begin(harness.first, 'paystack', { metadata: { cancel_action: 'https://shop.example/basket' } });
    const cancelled = await harness.send('node', 'GET', `${begun.back}?reference=x&status=cancelled`);
    expect(cancelled.headers.location).toBe('https://shop.example/basket');
    const bad = { email: 'a@b.co', amount: 100_000, metadata: { cancel_action: 'javascript:alert(1)' } };
    expect(await send(harness.first, 'POST', 'paystack/transaction/initialize', bad)).toMatchObject({ status: 400 });
    const plain = await refunds.initiate(harness.first, 'paystack', { redirectUrl: 'https://shop.example/back' });
    const { accountId } = await harness.database.prisma.attempt.findFirstOrThrow({ where: { paymentId: plain.paymentId } });
    const { headers } = await harness.send('node', 'GET', `/checkout/${plain.paymentId}/${accountId}/return`);
    expect(headers.location).toBe(`https://shop.example/back?paymentId=${plain.paymentId}`);
  });
});

describe.each(MOUNTS)('through the %s mount', (mount) => {
  const ask = (method: string, path: string, request: object = {}) => harness.send(mount, method, `/compat/${path}`, request);

  test('a stranger, an unknown call, a wrong method and another merchant or mode are told so in the form of the gateway', async () => {
    const key = harness.first.testKey;
    const begun = await begin(harness.first, 'paystack');
    const cases: readonly (readonly [number, string, string, object])[] = [
      [401, 'GET', `paystack/transaction/verify/${begun.reference}`, {}],
      [401, 'GET', 'paystack/nothing', {}],
      [404, 'GET', 'paystack/nothing', { key }],
      [404, 'POST', 'paystack/charge', { key, body: {} }],
      [405, 'GET', 'paystack/transaction/initialize', { key }],
      [400, 'POST', 'paystack/transaction/initialize', { key, body: '{' }],
      [415, 'POST', 'paystack/transaction/initialize', { key, body: '{}', headers: { 'content-encoding': 'gzip' } }],
      [413, 'POST', 'paystack/transaction/initialize', { key, body: { email: 'x'.repeat(70_000) } }],
      [400, 'GET', `paystack/transaction/verify/${begun.reference}`, { key: harness.second.testKey }],
      [400, 'GET', `paystack/transaction/verify/${begun.reference}`, { key: harness.first.liveKey }],
      [400, 'GET', 'paystack/transaction/verify/%00', { key }],
      [400, 'GET', 'paystack/transaction/verify/%ff', { key }],
      [404, 'GET', 'paystack/refund/7', { key }],
      [400, 'GET', 'paystack/transaction?status=paid', { key }],
      [400, 'GET', 'paystack/transaction?settlement=7', { key }],
      [400, 'GET', 'paystack/transaction?page=100000', { key }],
      [400, 'GET', 'paystack/transaction?next=7', { key }],
      [400, 'GET', 'paystack/transaction/totals?from=x', { key }],
      [404, 'GET', 'paystack/refund?transaction=nobody', { key }],
    ];
    for (const [status, method, path, request] of cases) {
      const reply = await ask(method, path, request);
      expect([status, path, reply.json]).toEqual([
        reply.status,
        path,
        {
          status: false,
          message: expect.any(String),
          meta: { nextStep: expect.any(String) },
          type: expect.any(String),
          code: expect.any(String),
        },
      ]);
    }
    for (const [status, path] of [
      [404, 'flutterwave/v3/transfers'],
      [400, 'flutterwave/v3/transactions/7/verify'],
      [400, 'flutterwave/v3/transactions/verify_by_reference'],
      [400, 'flutterwave/v3/transactions?customer_fullname=Ada'],
      [400, 'flutterwave/v3/transactions?page=100000'],
      [400, 'flutterwave/v3/refunds?status=paid'],
      [400, 'flutterwave/v3/refunds?id=7'],
    ] as const) {
      const reply = await ask('GET', path, { key });
      expect([reply.status, reply.json]).toEqual([status, { status: 'error', message: expect.any(String), data: null }]);
    }
  });

  test('a form of PHP, and a body without a type behind two slashes, begin a payment', async () => {
    const key = harness.first.testKey;
    const form = `email=ada%40example.com&amount=250000&metadata[cart_id]=7&channels[0]=card&reference=php-${mount}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await ask('POST', 'paystack/transaction/initialize', { key, headers, body: form });
    expect(sent.json).toMatchObject({ status: true, data: { reference: `php-${mount}` } });
    expect((await ask('GET', `paystack/transaction/verify/php-${mount}`, { key })).json).toMatchObject({
      data: { metadata: { cart_id: '7' }, channel: 'card', amount: 250_000 },
    });
    const order = { tx_ref: `slashes-${mount}`, amount: 2_500, customer: { email: 'ada@example.com' } };
    const linked = await ask('POST', 'flutterwave//v3/payments', { key, body: order });
    expect(linked.json).toMatchObject({ status: 'success', message: 'Hosted Link' });
  });
});

/** A merchant's server that keeps what it is sent. */
interface HookServer {
  readonly url: string;
  readonly messages: { readonly body: string; readonly headers: Readonly<Record<string, string>> }[];
  /** Refuses this many of the next messages. */
  refuse(count: number): void;
  close(): Promise<void>;
}

async function openHookServer(): Promise<HookServer> {
  const messages: HookServer['messages'] = [];
  let refusing = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    messages.push({ body: Buffer.concat(chunks).toString(), headers });
    response.writeHead(refusing-- > 0 ? 503 : 200).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks`,
    messages,
    refuse(count) {
      refusing = count;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
