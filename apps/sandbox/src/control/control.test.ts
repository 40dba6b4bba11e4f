import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { gatewayNames, ofEachGateway } from '../simulators.ts';
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
  receiver,
  setFault,
  settle,
  submit,
  textAt,
  until,
} from '../testing/harness.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const control = (path: string) => `${sandbox.controlUrl}/control/${path}`;
const entry = async (gateway: 'paystack' | 'flutterwave', reference: string) =>
  at((await call('GET', control(`${gateway}/transactions/${reference}`))).body, 'transaction');

describe('the journal', () => {
  it('lists each transaction in its own unit, with every call about it and its answer', async () => {
    await openPaystack(sandbox, { reference: 'kept', amount: 250_000 });
    await call('GET', `${sandbox.gateways.paystack}/transaction/verify/kept`, paystackKey);
    await openFlutterwave(sandbox, { tx_ref: 'kept', amount: 2_500.5 });
    const paystack = await journal(sandbox, 'paystack');
    expect(at(paystack, 'unit')).toBe('kobo');
    const transaction = listAt(paystack, 'transactions').find((item) => at(item, 'reference') === 'kept');
    expect(transaction).toMatchObject({
      amount: 250_000,
      currency: 'NGN',
      unit: 'kobo',
      status: 'abandoned',
      paid: false,
      amountPaid: null,
      account: 'account-1',
      calls: [
        { method: 'POST', path: '/transaction/initialize', status: 200, at: expect.stringMatching(/Z$/), fault: null },
        { method: 'GET', path: '/transaction/verify/kept', status: 200, durationMs: expect.any(Number) },
      ],
    });
    expect(await entry('flutterwave', 'kept')).toMatchObject({
      amount: 2_500.5,
      unit: 'naira',
      status: 'not_started',
      transactionId: null,
    });
  });

  it('records a call whatever its outcome', async () => {
    await call('POST', `${sandbox.gateways.paystack}/transaction/initialize`, 'sk_test_nobody', { reference: 'stranger' });
    await call('DELETE', `${sandbox.gateways.paystack}/nowhere`, paystackKey);
    const calls = listAt(await journal(sandbox, 'paystack'), 'calls');
    expect(calls.find((item) => at(item, 'reference') === 'stranger')).toMatchObject({ status: 401, account: null });
    expect(calls.find((item) => at(item, 'path') === '/nowhere')).toMatchObject({ status: 404, method: 'DELETE' });
  });

  it('narrows by reference and limit, and is cleared on request', async () => {
    const own = await quickSandbox();
    try {
      for (const reference of ['a', 'b', 'c']) await openPaystack(own, { reference });
      const url = `${own.controlUrl}/control/paystack/journal`;
      expect(listAt((await call('GET', `${url}?reference=b`)).body, 'transactions')).toHaveLength(1);
      expect(listAt((await call('GET', `${url}?limit=1`)).body, 'transactions')).toMatchObject([{ reference: 'c' }]);
      expect((await call('GET', `${url}?limit=0`)).body).toEqual({
        error: 'limit must be 1 or more',
        errors: ['limit must be 1 or more'],
      });
      expect((await call('DELETE', url)).status).toBe(200);
      expect((await call('GET', url)).body).toMatchObject({ transactions: [], calls: [], webhooks: [], refunds: [] });
      expect(
        (
          await call('POST', `${own.gateways.paystack}/transaction/initialize`, paystackKey, {
            email: 'a@b.co',
            amount: 1,
            reference: 'a',
          })
        ).status,
      ).toBe(200);
    } finally {
      await own.close();
    }
  });

  it('keeps no more than its limits, dropping the oldest', async () => {
    const own = await quickSandbox({ limits: { transactions: 3, calls: 4 } });
    try {
      for (const index of [1, 2, 3, 4, 5]) await openPaystack(own, { reference: `n-${index}` });
      const bounded = await journal(own, 'paystack');
      expect(listAt(bounded, 'transactions').map((item) => at(item, 'reference'))).toEqual(['n-3', 'n-4', 'n-5']);
      expect(listAt(bounded, 'calls')).toHaveLength(4);
      expect((await call('GET', `${own.gateways.paystack}/transaction/verify/n-1`, paystackKey)).status).toBe(400);
    } finally {
      await own.close();
    }
  });
});

describe('keys', () => {
  it('are registered by the pattern of their gateway, and never shown whole', async () => {
    const secretKey = 'sk_test_a_very_secret_thing';
    expect(
      (await call('PUT', control('paystack/keys'), null, { secretKey, webhookUrl: 'https://shop.example/hook' })).status,
    ).toBe(200);
    const listed = (await call('GET', control('paystack/keys'))).text;
    expect(listed).toContain('https://shop.example/hook');
    expect(listed).not.toContain(secretKey);
    expect(JSON.stringify(await journal(sandbox, 'paystack'))).not.toContain(paystackKey);
  });

  it.each([
    [{ secretKey: 'pk_test_public' }, 'secretKey must start with sk_test_ or sk_live_'],
    [{ secretKey: 'sk_test_good', webhookUrl: 'ftp://x' }, 'webhookUrl must be an http or https address'],
    ['[', 'body must be a JSON object'],
  ])('refuse %j', async (body, error) => {
    expect(await call('PUT', control('paystack/keys'), null, body)).toMatchObject({ status: 400, body: { errors: [error] } });
  });
});

describe('settle', () => {
  it('pays, fails and abandons without a browser', async () => {
    await openFlutterwave(sandbox, { tx_ref: 'settle-1' });
    expect(at((await settle(sandbox, 'flutterwave', 'settle-1', { outcome: 'abandoned' })).body, 'transaction', 'status')).toBe(
      'not_started',
    );
    expect(at((await settle(sandbox, 'flutterwave', 'settle-1', { outcome: 'failed' })).body, 'transaction', 'status')).toBe(
      'failed',
    );
    expect((await settle(sandbox, 'flutterwave', 'settle-1', { outcome: 'success', amount: 999.99 })).body).toMatchObject({
      transaction: { status: 'successful', paid: true, amountPaid: 999.99 },
    });
  });

  it.each([
    [{ outcome: 'maybe' }, 400, 'outcome must be one of success, failed, abandoned'],
    [{ outcome: 'success', amount: 10.5 }, 400, 'amount must be a whole number'],
    [{ outcome: 'success', amount: 0 }, 400, 'amount must be above 0'],
  ])('refuses %j', async (body, status, error) => {
    await openPaystack(sandbox, { reference: 'settle-2' });
    expect(await settle(sandbox, 'paystack', 'settle-2', body)).toMatchObject({ status, body: { errors: [error] } });
  });

  it('pays neither twice nor an unknown reference', async () => {
    await openPaystack(sandbox, { reference: 'settle-3' });
    await settle(sandbox, 'paystack', 'settle-3', { outcome: 'success' });
    expect((await settle(sandbox, 'paystack', 'settle-3', { outcome: 'success' })).status).toBe(409);
    expect((await settle(sandbox, 'paystack', 'settle-3', { outcome: 'abandoned' })).status).toBe(409);
    expect((await settle(sandbox, 'paystack', 'unknown', { outcome: 'success' })).status).toBe(404);
  });

  it('accepts a late payment, after the page has expired', async () => {
    let now = Date.parse('2026-11-20T10:00:00Z');
    const own = await quickSandbox({ now: () => now });
    try {
      await openFlutterwave(own, { tx_ref: 'late', session_duration: 1 });
      now += 3_600_000;
      expect((await settle(own, 'flutterwave', 'late', { outcome: 'success' })).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it('ends a refund with the outcome given', async () => {
    const own = await quickSandbox({ refundDelayMs: 60_000 });
    try {
      await openPaystack(own, { reference: 'r' });
      await settle(own, 'paystack', 'r', { outcome: 'success' });
      const refund = await call('POST', `${own.gateways.paystack}/refund`, paystackKey, { transaction: 'r' });
      const url = `${own.controlUrl}/control/paystack/refunds/${textAt(refund.body, 'data', 'id')}/settle`;
      expect((await call('POST', url, null, { outcome: 'failed' })).body).toMatchObject({
        refund: { status: 'failed', reference: 'r' },
      });
      expect((await call('POST', url, null, { outcome: 'processed' })).status).toBe(409);
    } finally {
      await own.close();
    }
  });
});

describe('the control server', () => {
  it('reports health with where each gateway is', async () => {
    expect((await call('GET', control('health'))).body).toEqual({
      status: 'ok',
      gateways: ofEachGateway((name) => ({ url: sandbox.gateways[name], listening: true, fault: null })),
    });
  });

  it('answers 404 and 405 in its own envelope', async () => {
    const error = `There is no gateway stripe; there are ${gatewayNames.join(', ')}`;
    expect((await call('GET', control('stripe/journal'))).body).toEqual({ error, errors: [error] });
    const wrong = await call('POST', control('paystack/fault'));
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PUT, DELETE']);
  });

  it('takes no change from another site’s page', async () => {
    const answer = await submit(
      `${sandbox.controlUrl}/switch/paystack`,
      { action: 'on', kind: 'down' },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(answer.status).toBe(403);
    expect(at((await call('GET', control('paystack/fault'))).body, 'fault')).toBeNull();
  });

  it('shows its records, and sets a fault by form', async () => {
    await openPaystack(sandbox, { reference: 'on-the-page', amount: 1_234_500 });
    const switchUrl = `${sandbox.controlUrl}/switch/paystack`;
    const answer = await submit(switchUrl, {
      action: 'on',
      kind: 'slow',
      latencyMs: '5',
      probability: '',
      seed: '',
      calls: 'reading',
      back: '?view=calls',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/?view=calls']);
    const page = (await call('GET', sandbox.controlUrl)).text;
    for (const text of ['on-the-page', 'NGN 12,345', '1,234,500 kobo', 'Fault: slow', 'latency 5 ms', 'only reading calls'])
      expect(page).toContain(text);
    const wrong = await submit(switchUrl, { action: 'on', kind: 'slow', latencyMs: 'soon' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('latencyMs must be a whole number of milliseconds');
    expect(wrong.text).toContain('value="soon"');
    await submit(switchUrl, { action: 'off', back: '' });
    expect((await call('GET', sandbox.controlUrl)).text).not.toContain('Fault: slow');
    await submit(`${sandbox.controlUrl}/act/paystack`, { reference: 'on-the-page', outcome: 'success' });
    expect(await entry('paystack', 'on-the-page')).toMatchObject({ status: 'success' });
    for (const view of ['?view=calls', '?view=webhooks', '?view=refunds', '?gateway=paystack&reference=on-the-page']) {
      expect((await call('GET', `${sandbox.controlUrl}/${view}`)).status).toBe(200);
    }
  });
});

describe('a state folder', () => {
  it('lets a restarted sandbox resume its transactions, keys, refunds and webhooks', async () => {
    const merchant = await receiver();
    const stateDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
    try {
      const first = await quickSandbox({ stateDir, webhookDelayMs: 60_000, refundDelayMs: 60_000 });
      await call('PUT', `${first.controlUrl}/control/flutterwave/keys`, null, {
        secretKey: flutterwaveKey,
        webhookUrl: merchant.url,
      });
      await openFlutterwave(first, { tx_ref: 'survives' });
      await settle(first, 'flutterwave', 'survives', { outcome: 'success' });
      await openPaystack(first, { reference: 'survives' });
      await settle(first, 'paystack', 'survives', { outcome: 'success' });
      const refund = await call('POST', `${first.gateways.paystack}/refund`, paystackKey, { transaction: 'survives' });
      await setFault(first, 'paystack', { kind: 'down' });
      await first.close();
      const file = join(stateDir, 'paystack.jsonl');
      expect((await stat(file)).mode & 0o077).toBe(0);
      expect(await readFile(file, 'utf8')).toContain('survives');

      const second = await quickSandbox({ stateDir });
      const url = `${second.gateways.paystack}/refund/${textAt(refund.body, 'data', 'id')}`;
      await until(
        () => call('GET', url, paystackKey),
        (answer) => at(answer.body, 'data', 'status') === 'processed',
      );
      const duplicate = { email: 'a@b.co', amount: 100, reference: 'survives' };
      expect((await call('POST', `${second.gateways.paystack}/transaction/initialize`, paystackKey, duplicate)).status).toBe(400);
      expect(at((await merchant.count(1))[0]?.body, 'data', 'tx_ref')).toBe('survives');
      await second.close();
    } finally {
      await merchant.close();
      await rm(stateDir, { recursive: true });
    }
  });
});
