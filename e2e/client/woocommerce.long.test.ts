import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '../harness/harness.ts';
import { buildInstallFolder } from '../harness/installation.ts';
import { findPhp } from '../harness/interpreters.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { untilListening } from '../harness/until-listening.ts';

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
const ordersSchema = z.record(
  z.string(),
  z.object({ status: z.string(), paid: z.number().optional(), notes: z.record(z.string(), z.string()).optional() }).loose(),
);

describe.skipIf(php === null)('a shop of WooCommerce', () => {
  let harness: Harness;
  let merchant: TestMerchant;
  let folder: string;
  let shop: string;
  let server: ChildProcess;

  beforeAll(async () => {
    harness = await startHarness({ worker: false });
    merchant = await harness.merchant();
    folder = mkdtempSync(join(tmpdir(), 'switchyard-woocommerce-'));
    const installation = buildInstallFolder();
    cpSync(join(ROOT, 'samples', 'woocommerce'), folder, { recursive: true });
    cpSync(join(installation.path, 'Switchyard.php'), join(folder, 'Switchyard.php'));
    installation.remove();
    const port = await reservePort();
    shop = `http://127.0.0.1:${port}/`;
    const program = join(import.meta.dirname, 'languages', 'woocommerce.php');
    const env = {
      ...process.env,
      ...php?.env,
      SWITCHYARD_URL: harness.publicUrl,
      SWITCHYARD_API_KEY: merchant.testKey,
      WEBHOOK_SECRET: SECRET,
      PLUGIN: folder,
      ORDERS: join(folder, 'orders.json'),
    };
    server = spawn(php?.command ?? '', [...(php?.args ?? []), '-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, program], {
      env,
      stdio: 'ignore',
    });
    await untilListening(port);
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    await harness.close();
  });

  function keepOrder(id: number, total: string): void {
    writeFileSync(join(folder, 'orders.json'), JSON.stringify({ [id]: { id, total, status: 'pending', meta: {} } }));
  }

  function orderOf(id: number) {
    return ordersSchema.parse(JSON.parse(readFileSync(join(folder, 'orders.json'), 'utf8')))[String(id)];
  }

  async function take(step: string, query: Record<string, string | number>, init: RequestInit = {}) {
    const written = Object.entries(query).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
    const text = await (await fetch(`${shop}?step=${step}${written.join('')}`, init)).text();
    const printed = z.string().transform((json) => printedSchema.parse(JSON.parse(json)));
    return printed.parse(text);
  }

  const paymentsOf = (id: number) =>
    harness.database.prisma.payment.findMany({
      where: { merchantId: merchant.merchantId, merchantOrderId: { startsWith: `wc-${id}-` } },
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
    const data = { paymentId: payment?.id, merchantOrderId: 'wc-7-1' };
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
  });

  test('pays by a new payment after one that failed, and reports money that arrives for another amount', async () => {
    keepOrder(8, '2500');
    for (const gateway of ['paystack', 'flutterwave'] as const) await harness.gateways.setFault(gateway, 'http_500');
    expect(await take('checkout', { order: 8 })).toMatchObject({ result: { result: 'failure' }, notices: [expect.any(String)] });
    await harness.gateways.heal();
    checkoutSchema.parse((await take('checkout', { order: 8 })).result);
    const [failed, second] = await paymentsOf(8);
    expect([failed?.status, failed?.merchantOrderId, second?.merchantOrderId]).toEqual(['FAILED', 'wc-8-1', 'wc-8-2']);
    await harness.gateways.settle(
      second?.attempts[0]?.gateway === 'FLUTTERWAVE' ? 'flutterwave' : 'paystack',
      second?.attempts[0]?.reference ?? '',
      'success',
    );
    const orders = JSON.parse(readFileSync(join(folder, 'orders.json'), 'utf8'));
    orders[8].total = '3000';
    writeFileSync(join(folder, 'orders.json'), JSON.stringify(orders));
    await sendEvent('payment.succeeded', { paymentId: second?.id, merchantOrderId: 'wc-8-2' });
    expect(orderOf(8)).toMatchObject({ status: 'pending', notes: { 0: expect.stringContaining('has arrived as well') } });
    checkoutSchema.parse((await take('checkout', { order: 8 })).result);
    expect((await paymentsOf(8)).map(({ amount }) => amount)).toEqual([2_500n, 2_500n, 3_000n]);
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
