import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
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

describe('history', () => {
  let folder: string;
  let sandbox: Sandbox;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-history-'));
    sandbox = await quickSandbox({ stateDir: folder });
  });
  afterAll(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  });

  const keys = { paystack: paystackKey, flutterwave: flutterwaveKey } as const;
  const gateways = ['paystack', 'flutterwave'] as const;
  const transaction = (gateway: keyof typeof keys, changes: object = {}) => ({
    id: 4_100_000_001,
    reference: 'past-1',
    amount: gateway === 'paystack' ? 250_000 : 2_500,
    currency: 'NGN',
    email: 'ada@example.com',
    channel: 'card',
    createdAt: '2026-03-01T10:00:00Z',
    paidAt: '2026-03-01T10:02:00Z',
    refunds: [],
    ...changes,
  });
  const record = (gateway: keyof typeof keys, transactions: object[], key: string = keys[gateway]) =>
    call('PUT', `${sandbox.controlUrl}/control/${gateway}/history`, null, { key, transactions });
  const askPaystack = (method: string, path: string, body?: object) =>
    call(method, `${sandbox.gateways.paystack}${path}`, paystackKey, body);
  const askFlutterwave = (method: string, path: string, body?: object) =>
    call(method, `${sandbox.gateways.flutterwave}/v3${path}`, flutterwaveKey, body);

  describe('transactions from before the sandbox was started', () => {
    it('are found, listed and refunded as any other, at both gateways', async () => {
      for (const gateway of gateways) expect((await record(gateway, [transaction(gateway)])).body).toEqual({ added: 1 });
      expect((await askPaystack('GET', '/transaction/verify/past-1')).body).toMatchObject({
        data: { id: 4_100_000_001, status: 'success', amount: 250_000, paid_at: '2026-03-01T10:02:00.000Z' },
      });
      expect((await askFlutterwave('GET', '/transactions/4100000001/verify')).body).toMatchObject({
        data: { tx_ref: 'past-1', status: 'successful', amount: 2_500 },
      });
      const listed = await askPaystack('GET', '/transaction?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z');
      expect(listAt(listed.body, 'data')).toMatchObject([{ reference: 'past-1' }]);
      expect((await askPaystack('POST', '/refund', { transaction: 'past-1', amount: 100_000 })).status).toBe(200);
      expect((await askFlutterwave('POST', '/transactions/4100000001/refund', { amount: 1_000 })).status).toBe(200);
    });

    it('are taken once, however often they are sent, also after a restart with stored state', async () => {
      const before = await journal(sandbox, 'paystack');
      expect((await record('paystack', [transaction('paystack', { amount: 1 })])).body).toEqual({ added: 0 });
      await sandbox.close();
      sandbox = await quickSandbox({ stateDir: folder });
      for (const gateway of gateways) expect((await record(gateway, [transaction(gateway)])).body).toEqual({ added: 0 });
      expect(listAt(await journal(sandbox, 'paystack'), 'transactions')).toHaveLength(listAt(before, 'transactions').length);
      expect((await askPaystack('GET', '/transaction/verify/past-1')).body).toMatchObject({ data: { amount: 250_000 } });
    });

    it('include their refunds: a refunded amount cannot be refunded again', async () => {
      const refund = { note: 'rf-1 Wrong item', createdAt: '2026-03-02T10:00:00Z', updatedAt: '2026-03-02T11:00:00Z' };
      const past = transaction('paystack', {
        id: 4_100_000_002,
        reference: 'past-2',
        refunds: [
          { ...refund, id: 81, amount: 200_000, status: 'processed' },
          { ...refund, id: 82, amount: 50_000, status: 'needs-attention' },
        ],
      });
      expect((await record('paystack', [past])).body).toEqual({ added: 1 });
      expect((await askPaystack('GET', '/refund/81')).body).toMatchObject({ data: { status: 'processed', amount: 200_000 } });
      expect((await askPaystack('GET', '/refund/82')).body).toMatchObject({ data: { status: 'needs-attention' } });
      expect((await askPaystack('POST', '/refund', { transaction: 'past-2' })).status).toBe(400);
    });

    it('may share a reference where the gateway lets several payments carry one', async () => {
      const twice = [
        transaction('flutterwave', { id: 4_100_000_003, reference: 'past-3' }),
        transaction('flutterwave', { id: 4_100_000_004, reference: 'past-3' }),
      ];
      expect((await record('flutterwave', twice)).body).toEqual({ added: 2 });
      for (const { id } of twice) {
        expect(at((await askFlutterwave('GET', `/transactions/${id}/verify`)).body, 'data', 'id')).toBe(id);
      }
    });

    it('are refused with a reason when invalid or of an unknown key', async () => {
      const refused = await record('paystack', [transaction('paystack', { id: -1, channel: 'cheque', paidAt: 'yesterday' })]);
      expect(refused.status).toBe(400);
      expect(listAt(refused.body, 'errors')).toEqual([
        'transactions.0.id must be above 0',
        'transactions.0.channel must be one of card, bank_transfer',
        'transactions.0.paidAt must be an ISO 8601 time',
      ]);
      expect((await record('paystack', [], 'sk_test_unknown')).status).toBe(404);
    });
  });
});

describe('amend', () => {
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
      expect((await call('GET', `${sandbox.gateways.flutterwave}/v3/transactions/${id}/verify`, flutterwaveKey)).status).toBe(
        400,
      );
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
});
