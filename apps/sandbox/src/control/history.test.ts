import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../index.ts';
import { at, call, flutterwaveKey, journal, listAt, paystackKey, quickSandbox } from '../testing/harness.ts';

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
