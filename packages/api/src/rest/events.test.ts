import { createServer, type Server } from 'node:http';
import { issueKey, revokeKey } from '@switchyard/merchants/console/api-keys';
import { packEventBody } from '@switchyard/webhooks/events/packed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RequestWatch, watchRequests } from '../http/watch-requests.ts';
import type { Switchyard } from '../process.ts';
import { serveNodeRequest } from '../server/node-adapter.ts';
import { createTestMerchant, openTestSwitchyard, recordPayment } from '../testing/switchyard.ts';

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let switchyard: Switchyard;
let watch: RequestWatch;
let server: Server;
let url: string;

beforeAll(async () => {
  opened = await openTestSwitchyard();
  switchyard = opened.switchyard;
  watch = watchRequests({ log: switchyard.log, answered: null, keep: null });
  server = createServer((request, response) => {
    watch.begin(request, response);
    serveNodeRequest(switchyard, request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await opened.close();
});

const actor = 'staff:ada';

async function keyOf(merchantId: string, mode: 'test' | 'live' = 'test') {
  const issued = await issueKey(switchyard, {
    merchantId,
    mode,
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor,
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { apiKey: issued.secretKey, keyId: issued.key.id };
}

const HOUR_MS = 3_600_000;

/** A merchant whose payment has had an event of each of these types, an hour ago, and their key. */
async function newKey(types = ['payment.succeeded', 'payment.failed', 'refund.failed']) {
  const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const paymentId = await recordPayment(switchyard, merchantId, 'ORD-1');
  const createdAt = new Date(Date.now() - HOUR_MS);
  for (const type of types) {
    const id = switchyard.newId();
    const data = {
      paymentId,
      merchantOrderId: 'ORD-1',
      status: 'SUCCESS',
      executionStatus: 'succeeded',
      currency: 'NGN',
      amount: 2_500,
    };
    const record = { id, type, createdAt, merchantNumber: 'M-1', data: { ...data, gatewayReference: 'ref-1' } };
    const packedBody = packEventBody({ id, paymentId }, JSON.stringify(record));
    await switchyard.resources.database.prisma.merchantEvent.create({
      data: { merchantId, id, mode: 'test', paymentId, position: 1, type, packedBody, createdAt },
    });
  }
  return { merchantId, paymentId, ...(await keyOf(merchantId)) };
}

/** Opens a stream; `next` reads until it has shown an event, and null once it has ended. */
async function open(apiKey: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const response = await fetch(`${url}/v1/events/stream`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${apiKey}`, ...headers },
    signal: leaving.signal,
  });
  const reader = response.status === 200 ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined;
  let text = '';
  return {
    response,
    async next() {
      for (;;) {
        const found = /id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n/.exec(text);
        if (found !== null) {
          text = text.slice(found.index + found[0].length);
          return { id: found[1] ?? '', type: found[2], data: found[3] ?? '' };
        }
        const read = await reader?.read();
        if (read === undefined || read.done) return null;
        text += read.value;
      }
    },
    leave: () => leaving.abort(),
  };
}

async function trigger(apiKey: string, type = 'payment.succeeded') {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/events/test`, { method: 'POST', headers, body: JSON.stringify({ type }) });
  const json: { data: { id: string } | null } = await response.json();
  return { status: response.status, id: json.data?.id ?? '', json };
}

describe('GET /v1/events/stream', () => {
  test("shows the merchant's events of the key's mode as they are recorded, and no others", async () => {
    const [own, other] = [await newKey(), await newKey()];
    const stream = await open(own.apiKey);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const live = await open((await keyOf(own.merchantId, 'live')).apiKey);
    await trigger(other.apiKey);
    const first = await trigger(own.apiKey);
    const second = await trigger(own.apiKey, 'refund.failed');
    expect(await stream.next()).toMatchObject({ id: first.id, type: 'payment.succeeded', data: JSON.stringify(first.json.data) });
    expect(await stream.next()).toMatchObject({ id: second.id, type: 'refund.failed' });
    const third = await trigger(own.apiKey);
    expect(await stream.next()).toMatchObject({ id: third.id });
    stream.leave();
    const nothing = Promise.race([live.next().catch(() => 'ended'), new Promise((done) => setTimeout(done, 50, 'nothing'))]);
    expect(await nothing).toBe('nothing');
    live.leave();
  });

  test('goes on after Last-Event-ID with all that happened meanwhile', async () => {
    const { apiKey } = await newKey();
    const stream = await open(apiKey);
    const seen = await trigger(apiKey);
    expect(await stream.next()).toMatchObject({ id: seen.id });
    stream.leave();
    const missed = [await trigger(apiKey), await trigger(apiKey, 'payment.failed')];
    const again = await open(apiKey, { 'last-event-id': seen.id });
    expect([(await again.next())?.id, (await again.next())?.id]).toEqual(missed.map(({ id }) => id));
    again.leave();
  });

  test('is refused to a sixth stream of a key, and open again when one is left', async () => {
    const { apiKey } = await newKey();
    const streams = [];
    for (let count = 0; count < 5; count += 1) streams.push(await open(apiKey));
    const sixth = await open(apiKey);
    expect([sixth.response.status, sixth.response.headers.get('retry-after')]).toEqual([429, '5']);
    streams[0]?.leave();
    await expect.poll(async () => (await open(apiKey)).response.status, { interval: 50 }).toBe(200);
    for (const stream of streams) stream.leave();
  });

  test('ends when the key is revoked', async () => {
    const { apiKey, merchantId, keyId } = await newKey();
    const stream = await open(apiKey);
    await revokeKey(switchyard, { merchantId, keyId, actor });
    expect(await stream.next()).toBeNull();
  });

  test('needs the header that asks for a stream, and takes ids of events only', async () => {
    const { apiKey } = await newKey();
    const errors = async (headers: Record<string, string>) => {
      const own = { accept: 'text/event-stream', authorization: `Bearer ${apiKey}`, ...headers };
      return (await fetch(`${url}/v1/events/stream`, { headers: own })).json();
    };
    expect(await errors({ accept: '*/*' })).toMatchObject({ data: { errors: ['Accept must be text/event-stream'] } });
    const unknown = [expect.stringMatching(/^Last-Event-ID must be the id of an event of this merchant and mode/)];
    expect(await errors({ 'last-event-id': '1' })).toMatchObject({ data: { errors: unknown } });
  });

  test('refuses to go on after an event that it does not know, instead of beginning now without a word', async () => {
    const [own, other] = [await newKey(), await newKey()];
    const seen = await trigger(own.apiKey);
    const live = await keyOf(own.merchantId, 'live');
    for (const [apiKey, id] of [
      [own.apiKey, '019a9d3c-1fe7-700b-9c3c-b6885eb37de5'],
      [other.apiKey, seen.id],
      [live.apiKey, seen.id],
    ] as const) {
      const { response, leave } = await open(apiKey, { 'last-event-id': id });
      expect(response.status).toBe(400);
      expect(await response.text().catch(() => '')).toContain('Last-Event-ID must be the id of an event of this merchant');
      leave();
    }
  });

  test('ends when the server drains, and counts no longer', async () => {
    const { apiKey } = await newKey();
    const streams = [];
    for (let count = 0; count < 5; count += 1) streams.push(await open(apiKey));
    expect(watch.inFlight).toBe(0);
    watch.drain();
    for (const stream of streams) expect(await stream.next()).toBeNull();
    await expect.poll(async () => (await open(apiKey)).response.status, { interval: 50 }).toBe(200);
  });
});

describe('POST /v1/events/test', () => {
  test('is for keys of test mode and known types', async () => {
    const { apiKey, merchantId } = await newKey();
    const live = await trigger((await keyOf(merchantId, 'live')).apiKey);
    expect([live.status, live.json]).toMatchObject([400, { data: { errors: ['Authorization must be a key of test mode'] } }]);
    expect((await trigger(apiKey, 'payment.paid')).status).toBe(400);
  });

  test('sends the newest event of a payment that exists, under an id of its own, and lists it no second time', async () => {
    const { apiKey, paymentId } = await newKey();
    const headers = { authorization: `Bearer ${apiKey}` };
    const listed = async () => (await fetch(`${url}/v1/events?type=payment.succeeded`, { headers })).json();
    const before = await listed();
    const { json, id } = await trigger(apiKey);
    expect(json).toMatchObject({
      data: { type: 'payment.succeeded', data: { paymentId, merchantOrderId: 'ORD-1', amount: 2_500 } },
    });
    expect((await fetch(`${url}/v1/payments/${paymentId}`, { headers })).status).toBe(200);
    expect(before).toMatchObject({ data: { events: [{ data: { paymentId } }] } });
    expect(before).not.toMatchObject({ data: { events: [{ id }] } });
    expect(await listed()).toEqual(before);
  });

  test('says how to have an event of a type that no payment has had, and never takes one of another merchant or of live mode', async () => {
    await newKey(['payment.duplicate_charge']);
    const { apiKey } = await newKey([]);
    const { status, json } = await trigger(apiKey, 'payment.duplicate_charge');
    expect([status, json]).toMatchObject([
      400,
      { data: { errors: [expect.stringMatching(/^type has had no event yet: pay a payment/)] } },
    ]);
  });
});
