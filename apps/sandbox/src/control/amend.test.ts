import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../index.ts';
import {
  at,
  call,
  flutterwaveKey,
  journal,
  listAt,
  openFlutterwave,
  openPaystack,
  paystackKey,
  quickSandbox,
  settle,
  textAt,
} from '../testing/harness.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const control = (path: string, body: unknown) => call('POST', `${sandbox.controlUrl}/control/${path}`, null, body);
const paystackList = async (query: string) =>
  listAt((await call('GET', `${sandbox.gateways.paystack}/transaction?${query}`, paystackKey)).body, 'data');
const flutterwaveList = async (query: string) =>
  listAt((await call('GET', `${sandbox.gateways.flutterwave}/v3/transactions?${query}`, flutterwaveKey)).body, 'data');

describe('a transaction added to the ledger', () => {
  it('is listed on its day as any other, and no webhook goes out', async () => {
    const facts = { reference: 'till-1', amount: 77_000, createdAt: '2026-03-01T10:00:00Z' };
    expect((await control('paystack/transactions', facts)).status).toBe(200);
    const own = { reference: 'till-2', amount: 770.5, createdAt: '2026-03-01T10:00:00Z' };
    expect((await control('flutterwave/transactions', own)).status).toBe(200);
    const listed = await paystackList('from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z');
    expect(listed).toMatchObject([
      { reference: 'till-1', amount: 77_000, status: 'success', created_at: '2026-03-01T10:00:00.000Z' },
    ]);
    expect(await flutterwaveList('from=2026-03-01&to=2026-03-01')).toMatchObject([{ tx_ref: 'till-2', amount: 770.5 }]);
    expect(await paystackList('from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z')).toEqual([]);
    expect(listAt(await journal(sandbox, 'paystack'), 'webhooks')).toEqual([]);
  });

  it('is refused with a reason when it makes no sense', async () => {
    const refused = await control('paystack/transactions', { amount: 1.5, currency: 'naira', status: 'maybe' });
    expect(refused).toMatchObject({ status: 400 });
    expect(listAt(refused.body, 'errors')).toEqual([
      'amount must be a whole number',
      'currency must be three capital letters',
      'status must be one of success, failed, pending, abandoned',
    ]);
    expect((await control('paystack/transactions', { amount: 1, account: 'account-9' })).status).toBe(404);
  });
});

describe('a transaction changed in the ledger', () => {
  it('has another amount, currency or status, in lists and in verify', async () => {
    await openPaystack(sandbox, { reference: 'changed', amount: 100_000 });
    await settle(sandbox, 'paystack', 'changed', { outcome: 'success' });
    await control('paystack/transactions/changed/alter', { amount: 90_000, currency: 'USD' });
    const fetched = await call('GET', `${sandbox.gateways.paystack}/transaction/verify/changed`, paystackKey);
    expect(at(fetched.body, 'data')).toMatchObject({
      amount: 90_000,
      currency: 'USD',
      status: 'success',
      requested_amount: 100_000,
    });
    await control('paystack/transactions/changed/alter', { status: 'failed' });
    expect(await paystackList('status=failed')).toMatchObject([{ reference: 'changed' }]);
  });

  it('is not found anywhere while hidden, and found again afterwards', async () => {
    await openFlutterwave(sandbox, { tx_ref: 'lost' });
    await settle(sandbox, 'flutterwave', 'lost', { outcome: 'success' });
    const ask = () =>
      call('GET', `${sandbox.gateways.flutterwave}/v3/transactions/verify_by_reference?tx_ref=lost`, flutterwaveKey);
    const id = textAt((await ask()).body, 'data', 'id');
    await control('flutterwave/transactions/lost/alter', { hidden: true });
    expect((await ask()).status).toBe(400);
    expect((await call('GET', `${sandbox.gateways.flutterwave}/v3/transactions/${id}/verify`, flutterwaveKey)).status).toBe(400);
    expect(await flutterwaveList('tx_ref=lost')).toEqual([]);
    await control('flutterwave/transactions/lost/alter', { hidden: false });
    expect(await flutterwaveList('tx_ref=lost')).toMatchObject([{ tx_ref: 'lost' }]);
  });

  it('is in lists, and found by no look-up, while it is listed only', async () => {
    await openFlutterwave(sandbox, { tx_ref: 'seen' });
    await settle(sandbox, 'flutterwave', 'seen', { outcome: 'success' });
    const ask = () =>
      call('GET', `${sandbox.gateways.flutterwave}/v3/transactions/verify_by_reference?tx_ref=seen`, flutterwaveKey);
    await control('flutterwave/transactions/seen/alter', { listedOnly: true });
    expect((await ask()).status).toBe(400);
    expect(await flutterwaveList('tx_ref=seen')).toMatchObject([{ tx_ref: 'seen' }]);
    await control('flutterwave/transactions/seen/alter', { listedOnly: false });
    expect((await ask()).status).toBe(200);
  });

  it('moves to another day whole', async () => {
    await openPaystack(sandbox, { reference: 'moved', amount: 5_000 });
    await settle(sandbox, 'paystack', 'moved', { outcome: 'success' });
    await control('paystack/transactions/moved/alter', { createdAt: '2026-02-03T22:59:59.999Z' });
    const listed = await paystackList('from=2026-02-03T00:00:00Z&to=2026-02-03T23:00:00Z');
    expect(listed).toMatchObject([{ reference: 'moved', created_at: '2026-02-03T22:59:59.999Z' }]);
    expect(textAt(listed[0], 'paid_at').slice(0, 10)).toBe('2026-02-03');
    expect((await control('paystack/transactions/unknown/alter', { hidden: true })).status).toBe(404);
  });
});

describe('refunds in the lists', () => {
  it('made at the gateway are listed on their day, changed and hidden like transactions', async () => {
    await control('paystack/transactions', { reference: 'refunded', amount: 50_000 });
    const planted = { reference: 'refunded', amount: 20_000, note: 'at the counter', createdAt: '2026-03-05T09:00:00Z' };
    const id = textAt((await control('paystack/refunds', planted)).body, 'refund', 'id');
    const list = async (query: string) =>
      listAt((await call('GET', `${sandbox.gateways.paystack}/refund?${query}`, paystackKey)).body, 'data');
    const day = 'from=2026-03-05T00:00:00Z&to=2026-03-06T00:00:00Z';
    expect(await list(day)).toMatchObject([
      { id: Number(id), amount: 20_000, merchant_note: 'at the counter', status: 'processed' },
    ]);
    expect(await list('from=2026-03-06T00:00:00Z&to=2026-03-07T00:00:00Z')).toEqual([]);
    await control(`paystack/refunds/${id}/alter`, { amount: 10_000, status: 'failed' });
    expect(await list(day)).toMatchObject([{ amount: 10_000, status: 'failed' }]);
    await control(`paystack/refunds/${id}/alter`, { hidden: true });
    expect(await list(day)).toEqual([]);
    expect((await call('GET', `${sandbox.gateways.paystack}/refund/${id}`, paystackKey)).status).toBe(404);
  });

  it('of Flutterwave are paged and narrowed by day', async () => {
    await control('flutterwave/transactions', { reference: 'many', amount: 9_000 });
    for (let count = 0; count < 23; count += 1) {
      await control('flutterwave/refunds', { reference: 'many', amount: 1.5, createdAt: '2026-03-08T09:00:00Z' });
    }
    const page = (number: number) =>
      call('GET', `${sandbox.gateways.flutterwave}/v3/refunds?from=2026-03-08&to=2026-03-08&page=${number}`, flutterwaveKey);
    const first = await page(1);
    const second = await page(2);
    expect([listAt(first.body, 'data').length, listAt(second.body, 'data').length]).toEqual([20, 3]);
    expect(at(second.body, 'meta', 'page_info')).toEqual({ total: 23, current_page: 2, total_pages: 2, page_size: 20 });
    const other = await call('GET', `${sandbox.gateways.flutterwave}/v3/refunds?from=2026-03-09`, flutterwaveKey);
    expect(listAt(other.body, 'data')).toEqual([]);
  });
});
