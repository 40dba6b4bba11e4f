import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import Flutterwave from 'flutterwave-node-v3';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { endSession } from '../harness/database-proxy.ts';
import { GATEWAYS, type GatewayName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { type WrittenFile, writeDocumentedFile } from './documented-file.ts';
import { PAYSTACK_SDKS } from './paystack-sdks.ts';

let harness: Harness;
let shown: WrittenFile;
const merchants = new Map<GatewayName, TestMerchant>();
beforeAll(async () => {
  // The package for Flutterwave reports its use to Flutterwave: here the connection is refused on this machine.
  vi.spyOn(https, 'request').mockImplementation(() => http.request('http://127.0.0.1:1'));
  harness = await startHarness({ worker: false });
  // Packages whose address is a constant get the file that merchants are shown.
  shown = writeDocumentedFile();
  vi.stubEnv('SWITCHYARD_PAYSTACK_BASE', paystackBase());
  vi.stubGlobal('fetch', fetch);
  createRequire(import.meta.url)(shown.file);
  for (const gateway of GATEWAYS) merchants.set(gateway, await harness.merchant({ order: [gateway] }));
});
afterEach(() => harness.gateways.heal());
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  shown.remove();
  await harness.close();
});

const paystackBase = () => `${harness.publicUrl}/compat/paystack`;
const flutterwaveBase = () => `${harness.publicUrl}/compat/flutterwave/`;

function merchantAt(gateway: GatewayName): TestMerchant {
  const merchant = merchants.get(gateway);
  if (merchant === undefined) throw new Error(`no merchant has ${gateway}`);
  return merchant;
}

const paymentOf = ({ merchantId }: TestMerchant, merchantOrderId: string) =>
  harness.database.prisma.payment.findFirstOrThrow({ where: { merchantId, merchantOrderId }, include: { attempts: true } });

/** Acts as the customer at the gateway whose checkout is open. */
async function pay(merchant: TestMerchant, reference: string, outcome: 'success' | 'failed' = 'success'): Promise<GatewayName> {
  const payment = await paymentOf(merchant, reference);
  const attempt = payment.attempts.find(({ id }) => id === payment.currentAttemptId);
  const gateway = GATEWAYS.find((name) => name === attempt?.gateway);
  if (attempt === undefined || gateway === undefined) throw new Error('no checkout is open');
  await harness.gateways.settle(gateway, attempt.reference, outcome);
  if (outcome === 'failed') await endSession(harness.database, payment.id);
  return gateway;
}

const initialized = z.object({
  status: z.literal(true),
  message: z.literal('Authorization URL created'),
  data: z.object({ authorization_url: z.url(), access_code: z.string().min(5), reference: z.string() }),
});
const verified = z.object({
  status: z.literal(true),
  data: z.object({ id: z.int().positive(), status: z.string(), amount: z.int(), reference: z.string(), metadata: z.unknown() }),
});
const listed = z.object({
  status: z.literal(true),
  message: z.literal('Transactions retrieved'),
  data: z.array(z.looseObject({ id: z.int().positive(), reference: z.string() })),
  meta: z.looseObject({}).optional(),
});
const refunded = z.object({ status: z.literal(true), data: z.looseObject({ id: z.int().positive(), amount: z.int() }) });
const order = () => ({
  email: 'ada@example.com',
  amount: 250_000,
  reference: `ord-${randomUUID()}`,
  callback_url: 'https://shop.example/thanks?lang=en',
  channels: ['card'],
  metadata: { cart_id: 'cart-1', custom_fields: [{ display_name: 'Cart', variable_name: 'cart_id', value: 'cart-1' }] },
});

describe.each(Object.entries(PAYSTACK_SDKS))('unmodified code on %s', (name, open) => {
  /** One package throws a message of its own and leaves the answer's out. */
  const refusal = (message: string) => ({
    status: false,
    message: expect.stringContaining(name === 'paystack-node' ? '' : message),
  });

  test.each(GATEWAYS)('begins, verifies and refunds a payment that %s takes', async (gateway) => {
    const merchant = merchantAt(gateway);
    const sdk = open(merchant.testKey, paystackBase());
    const sent = order();
    const { data } = initialized.parse(await sdk.initialize(sent));
    expect(data.reference).toBe(sent.reference);
    expect(verified.parse(await sdk.verify(sent.reference)).data).toMatchObject({ status: 'abandoned', amount: 250_000 });
    await pay(merchant, sent.reference);
    const paid = verified.parse(await sdk.verify(sent.reference)).data;
    expect(paid).toMatchObject({ status: 'success', amount: 250_000, reference: sent.reference, metadata: sent.metadata });
    if (sdk.refunds === null) return;
    const refund = await sdk.refunds.create({ transaction: sent.reference, amount: 100_000, merchant_note: 'Torn' });
    expect(refund).toMatchObject({
      status: true,
      message: 'Refund has been queued for processing',
      data: {
        amount: 100_000,
        status: 'pending',
        merchant_note: 'Torn',
        transaction: { id: paid.id, reference: sent.reference },
      },
    });
    expect(verified.parse(await sdk.verify(sent.reference)).data.id).toBe(paid.id);
  });

  test('gets a payment that fell back to another gateway', async () => {
    const merchant = await harness.merchant({ order: ['paystack', 'flutterwave'] });
    const sdk = open(merchant.testKey, paystackBase());
    await harness.gateways.setFault('paystack', 'http_500');
    const sent = order();
    const { data } = initialized.parse(await sdk.initialize(sent));
    expect(data.access_code).toMatch(/^use_authorization_url_[0-9a-f]{10}$/);
    expect(await pay(merchant, sent.reference)).toBe('flutterwave');
    expect(verified.parse(await sdk.verify(sent.reference)).data.status).toBe('success');
  });

  test('lists and totals what there is, page by page, and refunds of kobo only as naira', async () => {
    const merchant = await harness.merchant({ order: ['paystack'] });
    const sdk = open(merchant.testKey, paystackBase());
    const orders = Array.from({ length: 5 }, (_, place) => ({ ...order(), amount: 100_000 * (place + 1) }));
    for (const sent of orders) initialized.parse(await sdk.initialize(sent));
    const [first = order(), second = order()] = orders;
    for (const { reference } of [first, second]) {
      await pay(merchant, reference);
      verified.parse(await sdk.verify(reference));
    }
    const newestFirst = orders.map(({ reference }) => reference).toReversed();
    const pages = [1, 2, 3].map(async (page) => listed.parse(await sdk.list({ perPage: 2, page })));
    const read = await Promise.all(pages);
    expect(read.map(({ data }) => data.map(({ reference }) => reference))).toEqual([
      newestFirst.slice(0, 2),
      newestFirst.slice(2, 4),
      newestFirst.slice(4),
    ]);
    // The official package leaves `meta` out.
    const isOfficial = name === '@paystack/paystack-sdk';
    const metas = [
      { total: 5, skipped: 0, perPage: 2, page: 1, pageCount: 3, total_volume: 900_000 },
      { total: 5, skipped: 2, perPage: 2, page: 2, pageCount: 3, total_volume: 500_000 },
      { total: 5, skipped: 4, perPage: 2, page: 3, pageCount: 3, total_volume: 100_000 },
    ];
    expect(read.map(({ meta }) => meta)).toEqual(isOfficial ? metas.map(() => undefined) : metas);
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(listed.parse(await sdk.list({ perPage: 2, page: 1, from: tomorrow })).data).toEqual([]);
    const id = read[2]?.data[0]?.id ?? 0;
    expect(verified.parse(await sdk.fetch(id)).data).toMatchObject({ id, reference: first.reference, status: 'success' });
    expect(await sdk.totals()).toMatchObject({
      status: true,
      data: { total_transactions: 2, total_volume: 300_000, total_volume_by_currency: [{ currency: 'NGN', amount: 300_000 }] },
    });
    if (sdk.refunds === null) return;
    const part = { transaction: first.reference, amount: 50_050 };
    expect(await sdk.refunds.create(part)).toMatchObject(refusal('Invalid Amount Sent'));
    const refund = refunded.parse(await sdk.refunds.create({ ...part, amount: 50_000 })).data;
    expect(refunded.parse(await sdk.refunds.fetch(refund.id)).data).toMatchObject({ id: refund.id, amount: 50_000 });
    expect(await sdk.refunds.list(first.reference)).toMatchObject({
      status: true,
      message: 'Refunds retrieved',
      data: [{ id: refund.id, transaction: id, amount: 50_000, status: 'pending', domain: 'test' }],
      ...(isOfficial ? {} : { meta: { total: 1, page: 1, pageCount: 1 } }),
    });
  });

  test('learns that a payment failed, that a reference was used, that one is unknown, and that its key is', async () => {
    const merchant = merchantAt('paystack');
    const sdk = open(merchant.testKey, paystackBase());
    const sent = order();
    initialized.parse(await sdk.initialize(sent));
    expect(await sdk.initialize(sent)).toMatchObject(refusal('Duplicate Transaction Reference'));
    await pay(merchant, sent.reference, 'failed');
    expect(verified.parse(await sdk.verify(sent.reference)).data.status).toBe('failed');
    expect(await sdk.verify('nobody')).toMatchObject(refusal('Transaction reference not found'));
    expect(await sdk.initialize({ ...order(), amount: 250_050 })).toMatchObject(refusal('Invalid Amount Sent'));
    expect(await open('sk_test_nobody', paystackBase()).verify(sent.reference)).toMatchObject(refusal('Invalid key'));
  });
});

const hostedLink = z.object({ status: z.literal('success'), data: z.object({ link: z.url() }) });
const fetched = z.object({
  status: z.literal('success'),
  data: z.looseObject({ id: z.int().positive(), tx_ref: z.string(), status: z.string(), amount: z.number() }),
});

const fetchedPage = z.object({
  status: z.literal('success'),
  message: z.literal('Transactions fetched'),
  meta: z.object({ page_info: z.looseObject({}) }),
  data: z.array(z.looseObject({ id: z.string(), tx_ref: z.string() })),
});

/** The package begins no hosted payment: merchants post it themselves, as Flutterwave's documentation shows. */
async function postPayment(key: string, fields: object): Promise<unknown> {
  const answer = await fetch(`${flutterwaveBase()}v3/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return answer.json();
}

const flutterwaveOrder = () => ({
  tx_ref: `tx-${randomUUID()}`,
  amount: '2500',
  currency: 'NGN',
  redirect_url: 'https://shop.example/done',
  customer: { email: 'ada@example.com', name: 'Ada', phonenumber: '08012345678' },
  meta: { cart: 7 },
  customizations: { title: 'Shop' },
});

describe('unmodified code on flutterwave-node-v3', () => {
  const open = ({ testKey }: TestMerchant) => new Flutterwave('FLWPUBK_TEST-x', testKey, flutterwaveBase()).Transaction;

  test.each(GATEWAYS)('verifies and refunds a payment that %s takes', async (gateway) => {
    const merchant = merchantAt(gateway);
    const transactions = open(merchant);
    const sent = flutterwaveOrder();
    const { link } = hostedLink.parse(await postPayment(merchant.testKey, sent)).data;
    expect(hostedLink.parse(await postPayment(merchant.testKey, sent)).data.link).toBe(link);
    const { tx_ref } = sent;
    expect(fetched.parse(await transactions.verify_by_tx({ tx_ref })).data).toMatchObject({
      status: 'pending',
      amount: 2_500,
      tx_ref,
    });
    await pay(merchant, tx_ref);
    const paid = fetched.parse(await transactions.verify_by_tx({ tx_ref })).data;
    expect(paid).toMatchObject({ status: 'successful', amount: 2_500, currency: 'NGN', meta: { cart: 7 } });
    expect(fetched.parse(await transactions.verify({ id: paid.id })).data).toEqual(paid);
    expect(await transactions.refund({ id: String(paid.id), amount: 1_000 })).toMatchObject({
      status: 'success',
      message: 'Transaction refund initiated',
      data: { tx_id: paid.id, amount_refunded: 1_000, status: 'processing' },
    });
  });

  test('lists what there is, page by page', async () => {
    const merchant = await harness.merchant({ order: ['flutterwave'] });
    const transactions = open(merchant);
    const orders = Array.from({ length: 12 }, flutterwaveOrder);
    for (const sent of orders) hostedLink.parse(await postPayment(merchant.testKey, sent));
    const [first = flutterwaveOrder()] = orders;
    await pay(merchant, first.tx_ref);
    const paid = fetched.parse(await transactions.verify_by_tx({ tx_ref: first.tx_ref })).data;
    const read = [await transactions.fetch({ page: '1' }), await transactions.fetch({ page: '2' })].map((page) =>
      fetchedPage.parse(page),
    );
    expect(read.flatMap(({ data }) => data.map(({ tx_ref }) => tx_ref))).toEqual(orders.map(({ tx_ref }) => tx_ref).toReversed());
    expect(read.map(({ meta }) => meta.page_info)).toEqual([
      { total: 12, current_page: 1, total_pages: 2, page_size: 10 },
      { total: 12, current_page: 2, total_pages: 2, page_size: 10 },
    ]);
    const oneOf = async (query: object) => fetchedPage.parse(await transactions.fetch(query)).data;
    expect(await oneOf({ status: 'successful' })).toMatchObject([
      {
        id: String(paid.id),
        tx_ref: first.tx_ref,
        status: 'successful',
        customer_email: 'ada@example.com',
        customer_name: 'Ada',
      },
    ]);
    expect(await oneOf({ tx_ref: first.tx_ref })).toHaveLength(1);
    expect(await oneOf({ from: '2020-01-01', to: '2020-05-05' })).toEqual([]);
    expect(fetchedPage.parse(await transactions.fetch({})).data).toHaveLength(10);
  });

  test('learns that a payment failed, and that an id, a reference or a key is unknown', async () => {
    const merchant = merchantAt('flutterwave');
    const transactions = open(merchant);
    const sent = flutterwaveOrder();
    hostedLink.parse(await postPayment(merchant.testKey, sent));
    await pay(merchant, sent.tx_ref, 'failed');
    const { id } = fetched.parse(await transactions.verify_by_tx({ tx_ref: sent.tx_ref })).data;
    expect(fetched.parse(await transactions.verify({ id })).data.status).toBe('failed');
    const error = (message: string) => ({ status: 'error', message, data: null });
    expect(await transactions.verify({ id: 7 })).toEqual(error('No transaction was found for this id'));
    expect(await transactions.verify_by_tx({ tx_ref: 'nobody' })).toEqual(error('No transaction was found for this id'));
    expect(await transactions.refund({ id: String(id), amount: 1 })).toEqual(
      error('Only a successful transaction can be refunded'),
    );
    expect(await postPayment('sk_test_nobody', sent)).toEqual(error('Invalid authorization key'));
    expect(await postPayment(merchant.testKey, sent)).toMatchObject({ status: 'error' });
    const other = merchantAt('paystack');
    expect(await open(other).verify({ id })).toEqual(error('No transaction was found for this id'));
  });
});
