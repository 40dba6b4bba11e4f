import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { inspect } from 'node:util';
import {
  createSwitchyard,
  type InitiateParameters,
  type Switchyard,
  SwitchyardApiError,
  SwitchyardConnectionError,
  SwitchyardIdError,
  type SwitchyardOptions,
  SwitchyardSignatureError,
  SwitchyardTimeoutError,
  webhooks,
} from '@switchyard/client';
import { createShop } from '@switchyard/example-shop';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { hostileIds } from '../harness/hostile-ids.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { recordDisputes, recordSettlements } from './bank-side.ts';

let harness: Harness;
let merchant: TestMerchant;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
});
afterEach(() => harness.gateways.heal());
afterAll(() => harness.close());

const clientOf = (options: Partial<SwitchyardOptions> = {}): Switchyard =>
  createSwitchyard({ baseUrl: harness.publicUrl, apiKey: merchant.testKey, ...options });

const parameters = (changes: Partial<InitiateParameters> = {}): InitiateParameters => ({
  merchantOrderId: `order-${randomUUID()}`,
  amount: 2_500,
  currency: 'NGN',
  customer: { email: 'ada@example.com' },
  paymentMethod: 'CARD',
  ...changes,
});

/** Opens a payment and pays it at its gateway. */
async function pay(client: Switchyard): Promise<string> {
  const { paymentId, recommendedGateway } = await client.payments.initiate(parameters());
  await harness.gateways.settle('paystack', recommendedGateway.session?.reference ?? '', 'success');
  return paymentId;
}

/** How often a checkout was opened for an order. */
async function openedFor(merchantOrderId: string): Promise<number> {
  const payments = await harness.database.prisma.payment.findMany({ where: { merchantOrderId }, include: { attempts: true } });
  const references = payments.flatMap(({ attempts }) => attempts.map(({ reference }) => reference));
  const journals = await Promise.all(references.map((reference) => harness.gateways.journal('paystack', reference)));
  return journals.flatMap(({ calls }) => calls.filter(({ method }) => method === 'POST')).length;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Reason that a promise was rejected with. */
const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing',
    (error: unknown) => error,
  );

describe('payments and refunds', () => {
  test('a payment is initiated, read, verified, refunded, and found again in every list', async () => {
    const client = clientOf();
    const paymentId = await pay(client);
    expect((await client.payments.retrieve(paymentId)).status).toBe('PENDING');
    const { type, data } = await client.payments.verify(paymentId);
    expect([type, data.status, data.amount]).toEqual(['payment.succeeded', 'SUCCESS', 2_500]);
    const refund = await client.refunds.create(paymentId, { amount: 1_000, reason: 'Item out of stock' });
    expect(await client.refunds.retrieve(paymentId, refund.refundId)).toMatchObject({ amount: 1_000, status: 'PENDING' });
    expect(await all(client.refunds.list(paymentId))).toMatchObject([{ refundId: refund.refundId }]);
    expect(await all(client.events.list({ paymentId }))).toMatchObject([{ type: 'payment.succeeded' }]);
  });

  test('a list goes on to the last page', async () => {
    const client = clientOf({ apiKey: (await harness.merchant()).testKey });
    const from = new Date();
    const ids: string[] = [];
    for (let opened = 0; opened < 5; opened += 1) ids.unshift((await client.payments.initiate(parameters())).paymentId);
    const found = client.payments.list({ createdFrom: from, status: ['PENDING', 'SUCCESS'], limit: 2 });
    expect((await all(found)).map(({ paymentId }) => paymentId)).toEqual(ids);
    // A filter that is null filters nothing.
    const unfiltered = client.payments.list({ customer: null, status: null, createdFrom: null, createdTo: null });
    expect((await all(unfiltered)).map(({ paymentId }) => paymentId)).toEqual(ids);
    const { payments, nextCursor } = await client.payments.listPage({ limit: 2 });
    expect([payments.length, typeof nextCursor]).toEqual([2, 'string']);
  });

  test('a refusal names every field and its rule, and the request', async () => {
    const error = await rejectionOf(clientOf().payments.initiate(parameters({ amount: 0, redirectUrl: 'shop' })));
    expect(error).toBeInstanceOf(SwitchyardApiError);
    expect(error).toMatchObject({
      statusCode: 400,
      message: 'Bad request',
      errors: [
        { field: 'amount', rule: 'must be at least 1' },
        { field: 'redirectUrl', rule: 'must be an absolute URL without user info, spaces, control characters or backslashes' },
      ],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('a second payment of an order is refused with the id of the first, at once', async () => {
    const client = clientOf();
    const order = parameters();
    const { paymentId } = await client.payments.initiate(order);
    expect(await rejectionOf(client.payments.initiate(order))).toMatchObject({ statusCode: 409, paymentId });
  });

  test('no error and no property of a client shows the key', async () => {
    const client = clientOf({ apiKey: 'sk_test_unknown_key' });
    const error = await rejectionOf(client.payments.retrieve(randomUUID()));
    expect(error).toMatchObject({ statusCode: 401 });
    expect(inspect([client, error], { depth: 9, showHidden: true })).not.toContain('sk_test_unknown_key');
  });
});

describe('settlements and disputes', () => {
  test('are read one by one and to the last page, with exact amounts, and lines in their order', async () => {
    const own = await harness.merchant();
    const client = clientOf({ apiKey: own.testKey });
    const ids = await recordSettlements(harness, own);
    const list = await all(client.settlements.list({ status: ['PAID', 'FAILED'], limit: 2 }));
    expect(list.map(({ settlementId }) => settlementId)).toEqual(ids);
    const [newest = ''] = ids;
    expect(await client.settlements.retrieve(newest)).toMatchObject({ net: '2462.5', fees: '37.5', settledOn: '2026-11-20' });
    expect(await all(client.settlements.list({ settledFrom: '2026-11-19', limit: 1 }))).toHaveLength(2);
    const lines = await all(client.settlements.listLines(newest, { limit: 1 }));
    expect(lines.map(({ kind, amount, matched }) => `${kind} ${amount} ${matched}`)).toEqual([
      'PAYMENT 2500 true',
      'FEE -37.5 true',
      'OTHER -0.01 false',
    ]);
    const { lines: fees, nextCursor } = await client.settlements.listLinesPage(newest, { kind: ['FEE', 'OTHER'], limit: 1 });
    expect([fees.map(({ kind }) => kind), nextCursor]).toEqual([['FEE'], '1']);
  });

  test('disputes go on to the last page, and are found by state and payment', async () => {
    const own = await harness.merchant();
    const client = clientOf({ apiKey: own.testKey });
    const { paymentId } = await client.payments.initiate(parameters());
    const ids = await recordDisputes(harness, own, paymentId);
    expect((await all(client.disputes.list({ limit: 2 }))).map(({ disputeId }) => disputeId)).toEqual(ids);
    expect(await client.disputes.retrieve(ids[0] ?? '')).toMatchObject({ state: 'won', amount: 1_000.5, fee: 15 });
    expect(await all(client.disputes.list({ state: ['won', 'lost'], paymentId }))).toHaveLength(1);
    expect(await all(client.disputes.list({ paymentId: randomUUID() }))).toEqual([]);
    expect(await all(client.disputes.list({ createdFrom: new Date('2026-11-18T00:00:00Z') }))).toHaveLength(3);
  });

  test('of another merchant are not found', async () => {
    const [id = ''] = await recordSettlements(harness, await harness.merchant());
    expect(await rejectionOf(clientOf().settlements.retrieve(id))).toMatchObject({ statusCode: 404 });
  });
});

test('nothing is sent with an id that is no UUID, in any place of a path', async () => {
  const sent: string[] = [];
  const recording: typeof fetch = async (input) => {
    sent.push(String(input));
    return new Response('{}');
  };
  const { payments, refunds, settlements, disputes } = clientOf({ fetch: recording, retriesMax: 0 });
  const own = randomUUID();
  for (const id of hostileIds(own)) {
    const calls = [
      payments.retrieve(id),
      payments.verify(id),
      refunds.create(id, { full: true }),
      refunds.retrieve(id, own),
      refunds.retrieve(own, id),
      refunds.listPage(id),
      all(refunds.list(id)),
      settlements.retrieve(id),
      settlements.listLinesPage(id),
      all(settlements.listLines(id)),
      disputes.retrieve(id),
    ];
    for (const call of calls) expect(await rejectionOf(call)).toBeInstanceOf(SwitchyardIdError);
  }
  expect(sent).toEqual([]);
  await rejectionOf(payments.verify(own.toUpperCase()));
  expect(sent).toEqual([`${harness.publicUrl}/v1/payments/${own.toUpperCase()}/verify`]);
});

describe('when answers are lost or late', () => {
  test('an initiate whose answer was lost is sent again and charges once', async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (lost++ > 1) return answer;
      await answer.text();
      throw new TypeError('fetch failed');
    };
    const order = parameters();
    const { paymentId } = await clientOf({ fetch: losing }).payments.initiate(order);
    expect(lost).toBe(3);
    expect(await clientOf().payments.listPage({ merchantOrderId: order.merchantOrderId })).toMatchObject({
      payments: [{ paymentId }],
    });
    expect(await openedFor(order.merchantOrderId)).toBe(1);
  });

  test('an initiate that takes longer than the time-out is asked for again and charges once', async () => {
    const slow = await harness.merchant();
    await harness.gateways.setFault('paystack', 'slow', 4_000);
    const order = parameters();
    const client = clientOf({ apiKey: slow.testKey, timeoutMs: 3_000 });
    expect((await client.payments.initiate(order)).status).toBe('PENDING');
    expect(await openedFor(order.merchantOrderId)).toBe(1);
  });

  test('what would be done a second time is sent once, whatever becomes of its answer', async () => {
    let sent = 0;
    const losing: typeof fetch = async () => {
      sent += 1;
      throw new TypeError('fetch failed');
    };
    const client = clientOf({ fetch: losing });
    const calls = [client.events.sendTest({ type: 'payment.succeeded' }), client.rules.createDraft({ file: {} })];
    for (const call of calls) expect(await rejectionOf(call)).toBeInstanceOf(SwitchyardConnectionError);
    expect(sent).toBe(calls.length);
  });

  test('without a retry the time-out is thrown as one, and a broken connection as another', async () => {
    const silent: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const late = await rejectionOf(clientOf({ fetch: silent, timeoutMs: 20, retriesMax: 0 }).payments.retrieve(randomUUID()));
    expect(late).toBeInstanceOf(SwitchyardTimeoutError);
    const refused = await rejectionOf(clientOf({ baseUrl: 'http://127.0.0.1:1', retriesMax: 0 }).payments.retrieve(randomUUID()));
    expect(refused).toBeInstanceOf(SwitchyardConnectionError);
  });

  test("the caller's own signal ends a call with its reason, also between two tries", async () => {
    const reason = new Error('the customer has left');
    const answered = Promise.withResolvers<void>();
    const busy: typeof fetch = async () => {
      answered.resolve();
      return new Response('', { status: 503, headers: { 'retry-after': '30' } });
    };
    const ending = new AbortController();
    const call = rejectionOf(clientOf({ fetch: busy }).payments.retrieve(randomUUID(), { signal: ending.signal }));
    await answered.promise;
    setImmediate(() => ending.abort(reason));
    expect(await call).toBe(reason);
  });
});

describe('webhooks', () => {
  const secret = `whsec_${Buffer.from('a signing secret of 24 b').toString('base64')}`;
  const body = JSON.stringify({ type: 'payment.succeeded', data: { customer: 'Adé' } });
  const signed = (at = new Date()) => ({
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('event-1', at, body),
  });

  test('are read from text and bytes, with headers of both kinds', () => {
    const event = JSON.parse(body);
    expect(webhooks.verify(body, signed(), secret)).toEqual(event);
    expect(webhooks.verify(new TextEncoder().encode(body), new Headers(signed()), secret)).toEqual(event);
    const lists = Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]);
    expect(webhooks.verify(body, Object.fromEntries(lists), secret)).toEqual(event);
    const two = { ...signed(), 'webhook-signature': ['v1,AAAA', signed()['webhook-signature']] };
    expect(webhooks.verify(body, two, secret)).toEqual(event);
  });

  test('are refused with a secret that is not set or too short, signed with it or not', () => {
    // A value that a caller without types may give, such as a variable of the environment.
    const unset: string = JSON.parse('{"secret":null}').secret;
    for (const given of [
      unset,
      '',
      'whsec_',
      'whsec_AAAA',
      `whsec_${Buffer.alloc(23, 1).toString('base64')}`,
      'whsec_no base64 at all, however long it is',
    ]) {
      const key = Buffer.from((given ?? '').replace('whsec_', ''), 'base64');
      const at = String(Math.floor(Date.now() / 1_000));
      const forged = createHmac('sha256', key).update(`event-1.${at}.${body}`).digest('base64');
      const headers = { 'webhook-id': 'event-1', 'webhook-timestamp': at, 'webhook-signature': `v1,${forged}` };
      expect(() => webhooks.verify(body, headers, given)).toThrow(SwitchyardSignatureError);
    }
  });

  test.each(['9'.repeat(5_000), `${'0'.repeat(4_990)}1764358400`, '-1', '1e9', 'now', ''])(
    'are refused with the time-stamp %.20s…',
    (timestamp) => {
      const headers = { ...signed(), 'webhook-timestamp': timestamp };
      expect(() => webhooks.verify(body, headers, secret)).toThrow(SwitchyardSignatureError);
    },
  );

  test('are refused when changed, old, unsigned or signed with another secret', () => {
    const tenMinutesAgo = new Date(Date.now() - 600_000);
    const refused = [
      () => webhooks.verify(body.replace('Ad', 'Id'), signed(), secret),
      () => webhooks.verify(body, signed(tenMinutesAgo), secret),
      () => webhooks.verify(body, {}, secret),
      () => webhooks.verify(body, signed(), `whsec_${Buffer.from('some other secret of 26 b').toString('base64')}`),
    ];
    for (const verify of refused) expect(verify).toThrow(SwitchyardSignatureError);
  });
});

describe('the example shop', () => {
  let shop: Server;
  let address: string;
  beforeAll(async () => {
    const server = createShop({ switchyard: clientOf(), webhookSecret: () => secret });
    shop = server.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const bound = shop.address();
    address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
    const { merchantId } = merchant;
    const endpoint = {
      merchantId,
      mode: 'test',
      description: '',
      types: [],
      actor: 'system:test',
      url: `${address}/webhooks`,
    } as const;
    const created = await createEndpoint(harness.switchyard, endpoint);
    if (created.kind !== 'created') throw new Error(JSON.stringify(created));
    secret = created.secret;
  });
  afterAll(() => {
    shop.closeAllConnections();
    shop.close();
  });
  let secret = '';

  const orders = async () => (await fetch(`${address}/orders`)).json();
  const buy = async () => {
    const answer = await fetch(`${address}/buy`, { method: 'POST', redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining('checkout')]);
    const payment = await harness.database.prisma.payment.findFirstOrThrow({
      where: { merchantId: merchant.merchantId },
      include: { attempts: true },
      orderBy: { id: 'desc' },
    });
    return { paymentId: payment.id, reference: payment.attempts[0]?.reference ?? '' };
  };

  test('sells to a customer who pays and comes back, and to one who pays and does not', async () => {
    const first = await buy();
    expect(await (await fetch(`${address}/thanks?paymentId=${first.paymentId}`)).text()).toContain('has not arrived yet');
    await harness.gateways.settle('paystack', first.reference, 'success');
    expect(await (await fetch(`${address}/thanks?paymentId=${first.paymentId}`)).text()).toContain('is paid');

    const second = await buy();
    await harness.gateways.settle('paystack', second.reference, 'success');
    await clientOf().payments.verify(second.paymentId);
    const troubles: unknown[] = [];
    const dispatcher = openDispatcher(harness.switchyard, { onError: (error) => troubles.push(error) });
    await dispatcher.sweep();
    await eventually('a webhook about the second order', async () => {
      const paid = await orders();
      return JSON.stringify(paid).split('"isPaid":true').length === 3 ? true : null;
    });
    await dispatcher.stop();
    expect(troubles).toEqual([]);
    expect((await fetch(`${address}/webhooks`, { method: 'POST', body: '{}' })).status).toBe(400);
  });
});
