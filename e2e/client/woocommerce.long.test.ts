import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { order } from '../harness/contract.ts';
import { eventually, untilListening } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { buildInstallFolder } from '../harness/installation.ts';
import { findPhp } from '../harness/interpreters.ts';
import type { TestMerchant } from '../harness/merchants.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const php = findPhp();

const printedSchema = z.object({
  notices: z.array(z.string()),
  status: z.number(),
  location: z.string().optional(),
  result: z.unknown().optional(),
});
const checkoutSchema = z.object({ result: z.literal('success'), redirect: z.url() });
const shopSchema = z.looseObject({
  orders: z.record(
    z.string(),
    z.looseObject({
      status: z.string(),
      paid: z.number().optional(),
      notes: z.record(z.string(), z.string()).optional(),
      refunds: z.record(z.string(), z.object({ amount: z.string().nullable(), sent: z.boolean() })).optional(),
    }),
  ),
});

describe.skipIf(php === null)('a shop of WooCommerce', () => {
  let harness: Harness;
  let merchant: TestMerchant;
  let folder: string;
  /** Two servers of one shop, since a server of PHP takes one request at a time. Requests go to them by turns. */
  const shops: string[] = [];
  const servers: ChildProcess[] = [];
  let requests = 0;
  let proxy: Awaited<ReturnType<typeof startProxy>>;

  beforeAll(async () => {
    harness = await startHarness({ worker: false });
    merchant = await harness.merchant();
    folder = mkdtempSync(join(tmpdir(), 'switchyard-woocommerce-'));
    const installation = buildInstallFolder();
    cpSync(join(ROOT, 'samples', 'woocommerce'), folder, { recursive: true });
    cpSync(join(installation.path, 'Switchyard.php'), join(folder, 'Switchyard.php'));
    installation.remove();
    const program = join(import.meta.dirname, 'languages', 'woocommerce.php');
    proxy = await startProxy(harness.publicUrl);
    const env = {
      ...process.env,
      ...php?.env,
      SWITCHYARD_URL: proxy.url,
      SWITCHYARD_API_KEY: merchant.testKey,
      WEBHOOK_SECRET: SECRET,
      PLUGIN: folder,
      ORDERS: join(folder, 'orders.json'),
    };
    for (let started = 0; started < 2; started += 1) {
      const port = await reservePort();
      const args = [...(php?.args ?? []), '-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, program];
      servers.push(spawn(php?.command ?? '', args, { env, stdio: 'ignore' }));
      await untilListening(port);
      shops.push(`http://127.0.0.1:${port}/`);
    }
  });
  afterAll(async () => {
    for (const server of servers) server.kill('SIGKILL');
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
    await harness.close();
  });

  function readShop() {
    return shopSchema.parse(JSON.parse(readFileSync(join(folder, 'orders.json'), 'utf8')));
  }

  function keepOrder(id: number, total: string): void {
    const path = join(folder, 'orders.json');
    const { orders, ...others } = existsSync(path) ? readShop() : { orders: {} };
    writeFileSync(path, JSON.stringify({ ...others, orders: { ...orders, [id]: { id, total, status: 'pending', meta: {} } } }));
  }

  const orderOf = (id: number) => readShop().orders[String(id)];

  /** Sends the customer of a new order to the checkout and pays there. Returns the payment. */
  async function pay(id: number) {
    keepOrder(id, '2500');
    checkoutSchema.parse((await take('checkout', { order: id })).result);
    const [payment] = await paymentsOf(id);
    if (payment === undefined) throw new Error('no payment was started');
    await harness.gateways.settle('paystack', payment.attempts[0]?.reference ?? '', 'success');
    return payment;
  }

  async function take(step: string, query: Record<string, string | number>, init: RequestInit = {}) {
    const written = Object.entries(query).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
    const shop = shops[requests++ % shops.length];
    const text = await (await fetch(`${shop}?step=${step}${written.join('')}`, init)).text();
    const printed = z.string().transform((json) => printedSchema.parse(JSON.parse(json)));
    return printed.parse(text);
  }

  const paymentsOf = (id: number) =>
    harness.database.prisma.payment.findMany({
      where: { merchantId: merchant.merchantId, merchantOrderId: { contains: `-${id}-` } },
      include: { attempts: true, refunds: true },
      orderBy: { id: 'asc' },
    });

  function sendEvent(type: string, data: object, secret = SECRET) {
    const body = JSON.stringify({ id: 'e-1', type, data });
    const at = new Date();
    const headers = {
      'webhook-id': 'e-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('e-1', at, body),
    };
    return take('webhook', {}, { method: 'POST', headers, body });
  }

  test('sends the customer to the checkout, is paid once, and refunds', async () => {
    keepOrder(7, '2500.00');
    const { result, notices } = await take('checkout', { order: 7 });
    expect(notices).toEqual([]);
    const { redirect } = checkoutSchema.parse(result);
    expect(redirect).toContain('/paystack/');
    expect((await take('checkout', { order: 7 })).result).toEqual(result);
    expect(await take('return', { order: 7, key: 'wrong' })).toMatchObject({ status: 404 });
    const back = { order: 7, key: 'wc_order_7' };
    expect((await take('return', back)).location).toBe('https://shop.example/checkout/order-received/7');
    expect(orderOf(7)?.status).toBe('pending');

    const [payment, ...others] = await paymentsOf(7);
    expect(others).toEqual([]);
    await harness.gateways.settle('paystack', payment?.attempts[0]?.reference ?? '', 'success');
    const data = { paymentId: payment?.id, merchantOrderId: payment?.merchantOrderId };
    expect(payment?.merchantOrderId).toMatch(/^wc-[0-9a-f]{12}-7-1$/);
    expect(await sendEvent('payment.succeeded', data, `whsec_${Buffer.alloc(24, 4).toString('base64')}`)).toMatchObject({
      status: 400,
    });
    expect(orderOf(7)?.status).toBe('pending');
    expect(await sendEvent('payment.succeeded', data)).toMatchObject({ status: 204 });
    expect(await sendEvent('payment.succeeded', data)).toMatchObject({ status: 204 });
    expect((await take('return', back)).location).toContain('order-received');
    expect(orderOf(7)).toMatchObject({ status: 'processing', paid: 1 });

    expect(await take('refund', { order: 7, amount: '1000.00' })).toMatchObject({ result: true });
    expect((await paymentsOf(7))[0]?.refunds).toMatchObject([{ amount: 1_000n, reason: 'a size too small' }]);
    expect(await take('refund', { order: 7, amount: '10.50' })).toMatchObject({ result: 'A refund is of whole naira.' });
    expect((await take('refund', { order: 7, amount: '9000' })).result).toMatch(/409/);
    // A refusal is no answer to the next one.
    expect(await take('refund', { order: 7, amount: '100' })).toMatchObject({ result: true });
    expect(await take('refund', { order: 7 })).toMatchObject({ result: true });
    expect((await paymentsOf(7))[0]?.refunds.map(({ amount }) => Number(amount)).toSorted((one, other) => one - other)).toEqual([
      100, 1_000, 1_400,
    ]);
  });

  test('pays by a new payment after one that failed, and reports money that arrives for another amount', async () => {
    keepOrder(8, '2500');
    for (const gateway of ['paystack', 'flutterwave'] as const) await harness.gateways.setFault(gateway, 'http_500');
    expect(await take('checkout', { order: 8 })).toMatchObject({ result: { result: 'failure' }, notices: [expect.any(String)] });
    await harness.gateways.heal();
    checkoutSchema.parse((await take('checkout', { order: 8 })).result);
    const [failed, second] = await paymentsOf(8);
    const [first = ''] = failed?.merchantOrderId.match(/.+-8-/) ?? [];
    expect([failed?.status, failed?.merchantOrderId, second?.merchantOrderId]).toEqual(['FAILED', `${first}1`, `${first}2`]);
    await harness.gateways.settle(
      second?.attempts[0]?.gateway === 'FLUTTERWAVE' ? 'flutterwave' : 'paystack',
      second?.attempts[0]?.reference ?? '',
      'success',
    );
    const shopData = readShop();
    const changed = { ...shopData.orders['8'], total: '3000' };
    writeFileSync(join(folder, 'orders.json'), JSON.stringify({ ...shopData, orders: { ...shopData.orders, 8: changed } }));
    const event = { paymentId: second?.id, merchantOrderId: `${first}2` };
    for (let times = 0; times < 2; times += 1) await sendEvent('payment.succeeded', event);
    expect(Object.keys(orderOf(8)?.notes ?? {})).toHaveLength(1);
    expect(orderOf(8)).toMatchObject({ status: 'pending', notes: { 0: expect.stringContaining('has arrived as well') } });
    checkoutSchema.parse((await take('checkout', { order: 8 })).result);
    expect((await paymentsOf(8)).map(({ amount }) => amount)).toEqual([2_500n, 2_500n, 3_000n]);
  });

  test('completes an order once when the customer and the webhook arrive at once', async () => {
    const payment = await pay(10);
    // Both have read the order as unpaid, and ask Switchyard at the same moment.
    proxy.holdUntil(2, /\/verify$/);
    const [back, heard] = await Promise.all([
      take('return', { order: 10, key: 'wc_order_10' }),
      sendEvent('payment.succeeded', { paymentId: payment.id, merchantOrderId: payment.merchantOrderId }),
    ]);
    expect([back.location, heard.status]).toEqual([expect.stringContaining('order-received'), 204]);
    expect(orderOf(10)).toMatchObject({ status: 'processing', paid: 1 });
    expect(orderOf(10)?.notes).toBeUndefined();
  });

  test('refunds once when the button is pressed twice, and again from a page that shows the first refund', async () => {
    const payment = await pay(11);
    await sendEvent('payment.succeeded', { paymentId: payment.id, merchantOrderId: payment.merchantOrderId });
    const refund = (refunded: string) => {
      const body = new URLSearchParams({ refunded_amount: refunded });
      return take('refund', { order: 11, amount: '1000' }, { method: 'POST', body });
    };
    // The first is on its way when the second is pressed.
    proxy.holdUntil(2, /\/refunds$/);
    const first = refund('0.00');
    await eventually('the refund at Switchyard', async () => proxy.held() > 0 || null);
    const second = refund('0.00');
    await eventually('both records of WooCommerce', async () => Object.keys(orderOf(11)?.refunds ?? {}).length === 2 || null);
    proxy.release();
    expect([(await first).result, (await second).result]).toEqual([true, expect.stringMatching(/sent already/)]);
    const refunds = async () => (await paymentsOf(11))[0]?.refunds.map(({ amount }) => amount);
    expect(await refunds()).toEqual([1_000n]);
    expect(Object.values(orderOf(11)?.refunds ?? {})).toEqual([{ amount: '1000', sent: true }]);
    expect((await refund('1000.00')).result).toBe(true);
    expect(await refunds()).toEqual([1_000n, 1_000n]);
  });

  test('refunds once when the answer of the first try was lost', async () => {
    const payment = await pay(12);
    await sendEvent('payment.succeeded', { paymentId: payment.id, merchantOrderId: payment.merchantOrderId });
    proxy.lose(/\/refunds$/);
    expect((await take('refund', { order: 12, amount: '1000' })).result).toMatch(/^No answer/);
    proxy.lose(null);
    expect((await take('refund', { order: 12, amount: '1000' })).result).toBe(true);
    expect((await paymentsOf(12))[0]?.refunds.map(({ amount }) => amount)).toEqual([1_000n]);
  });

  test('a payment that this shop did not begin completes no order of it, not even under its reference', async () => {
    keepOrder(13, '2500');
    checkoutSchema.parse((await take('checkout', { order: 13 })).result);
    const [own] = await paymentsOf(13);
    const site = own?.merchantOrderId.split('-')[1] ?? '';
    const back = { order: 13, key: 'wc_order_13' };
    // Orders of another shop of the merchant, with the same number, and of a program that uses this shop's form of a reference.
    for (const merchantOrderId of ['wc-0123456789ab-13-1', `wc-${site}-13-2`, 'wc-13-1']) {
      const body = order({ merchantOrderId, amount: 2_500 });
      const started = await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body });
      const foreign = await harness.database.prisma.payment.findFirstOrThrow({
        where: { merchantId: merchant.merchantId, merchantOrderId },
        include: { attempts: true },
      });
      expect(started.status).toBe(200);
      const { gateway, reference } = foreign.attempts[0] ?? { gateway: null, reference: '' };
      await harness.gateways.settle(gateway === 'FLUTTERWAVE' ? 'flutterwave' : 'paystack', reference, 'success');
      for (const claimed of [merchantOrderId, own?.merchantOrderId]) {
        expect(await sendEvent('payment.succeeded', { paymentId: foreign.id, merchantOrderId: claimed })).toMatchObject({
          status: 204,
        });
      }
      await take('return', { ...back, paymentId: foreign.id });
      expect(orderOf(13)).toMatchObject({ status: 'pending' });
      expect(orderOf(13)?.paid).toBeUndefined();
    }
    // The next try goes round the reference that is taken.
    const data = readShop();
    const changed = { ...data.orders['13'], total: '2600' };
    writeFileSync(join(folder, 'orders.json'), JSON.stringify({ ...data, orders: { ...data.orders, 13: changed } }));
    checkoutSchema.parse((await take('checkout', { order: 13 })).result);
    const references = (await paymentsOf(13)).map(({ merchantOrderId }) => merchantOrderId);
    expect(references).toContain(`wc-${site}-13-3`);
    await take('return', back);
    expect(orderOf(13)).toMatchObject({ status: 'pending' });
  });

  test('takes no order with kobo', async () => {
    keepOrder(9, '99.50');
    expect(await take('checkout', { order: 9 })).toMatchObject({
      result: { result: 'failure' },
      notices: [expect.stringContaining('whole naira')],
    });
    expect(await paymentsOf(9)).toEqual([]);
  });
});

/** Stands between the shop and Switchyard, and lets requests to some addresses wait for each other. */
async function startProxy(target: string) {
  let gate: { readonly path: RegExp; readonly size: number } | null = null;
  let held: (() => void)[] = [];
  let lost: RegExp | null = null;
  const release = () => {
    gate = null;
    for (const go of held.splice(0)) go();
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (gate?.path.test(request.url ?? '')) {
      const turn = new Promise<void>((go) => held.push(go));
      if (held.length >= gate.size) release();
      await turn;
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const body = request.method === 'GET' ? null : Buffer.concat(chunks);
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body,
    });
    if (lost?.test(request.url ?? '')) {
      request.socket.destroy();
      return;
    }
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, retryAfter === null ? {} : { 'retry-after': retryAfter });
    response.end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    /** Holds requests to these addresses until there are so many of them. */
    holdUntil(size: number, path: RegExp): void {
      held = [];
      gate = { path, size };
    },
    /** Carries requests to these addresses out, and loses the answers. */
    lose(path: RegExp | null): void {
      lost = path;
    },
    held: () => held.length,
    release,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
