import { createServer, type Server } from 'node:http';
import { type Dispatcher, openDispatcher } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecord } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import { PAIR } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { openRefundHarness, type RefundHarness } from './refund-harness.ts';

const AN_HOUR_MS = 3_600_000;

interface Message {
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
let server: Server;
let secret: string;
const messages: Message[] = [];
/** How many of the next messages the merchant's server rejects. */
let refusing = 0;
const troubles: unknown[] = [];

beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
  refundHarness = openRefundHarness(harness);
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    messages.push({ id: headers['webhook-id'] ?? '', body: Buffer.concat(chunks).toString(), headers });
    response.writeHead(refusing-- > 0 ? 503 : 204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const outcome = await createEndpoint(harness.switchyard, {
    merchantId: merchant.merchantId,
    mode: 'test',
    description: '',
    types: [],
    actor: 'system:test',
    url: `http://127.0.0.1:${port}/hooks`,
  });
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  secret = outcome.secret;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await harness.close();
});

/** A dispatcher whose clock is fixed. */
function dispatcherAt(time: Date): Dispatcher {
  const context = { ...harness.switchyard, now: () => time };
  return openDispatcher(context, { onError: (error) => troubles.push(error) });
}

async function deliver(time: Date, count: number): Promise<Message[]> {
  const dispatcher = dispatcherAt(time);
  await dispatcher.sweep();
  await eventually(`${count} messages`, async () => (messages.length >= count ? true : null));
  await dispatcher.stop();
  expect(troubles).toEqual([]);
  return messages.splice(0);
}

const verify = async (paymentId: string) =>
  readRecord(await harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant.testKey }));

test.each(PAIR)(
  'what verify answers of a payment paid at %s arrives once, and its refund after it, though the first try failed',
  async (gateway) => {
    const payment = await refundHarness.pay(merchant, gateway);
    const succeeded = await verify(payment.paymentId);
    expect(succeeded.type).toBe('payment.succeeded');
    await refundHarness.request(merchant, payment.paymentId);
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'processed');
    await refundHarness.follow();
    const refunded = await verify(payment.paymentId);
    expect(refunded.type).toBe('payment.refunded');

    const now = new Date();
    refusing = 1;
    const [refused, ...others] = await deliver(now, 1);
    expect(refused?.id).toBe(succeeded.id);
    // Its refund waits behind it.
    expect(others).toEqual([]);
    const arrived = await deliver(new Date(now.getTime() + AN_HOUR_MS), 3);
    const records = arrived.map(({ body }) => JSON.parse(body));
    expect(records.map(({ type }) => type)).toEqual(['payment.succeeded', 'refund.succeeded', 'payment.refunded']);
    expect(arrived.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
    expect([records[0], records[2]]).toEqual([succeeded, refunded]);
    expect(arrived[0]?.body).toBe(refused?.body);
    const deliveries = await harness.database.prisma.webhookDelivery.findMany({ where: { paymentId: payment.paymentId } });
    expect(deliveries.map(({ state }) => state)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
    // The receiver's clock is not an hour ahead, so it verifies the signature of the message sent now.
    expect(new Webhook(secret).verify(refused?.body ?? '', refused?.headers ?? {})).toEqual(succeeded);
  },
);
