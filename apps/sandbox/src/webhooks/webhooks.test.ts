import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  type Receiver,
  receiver,
  setFault,
  settle,
  submit,
  textAt,
  until,
} from '../testing/harness.ts';

let merchant: Receiver;
let sandbox: Sandbox;
beforeEach(async () => {
  merchant = await receiver();
  sandbox = await quickSandbox({
    accounts: { paystack: { webhookUrl: merchant.url }, flutterwave: { webhookUrl: merchant.url } },
  });
});
afterEach(async () => {
  await sandbox.close();
  await merchant.close();
});

const card = { number: '4084084084084081', expiry: '12/30', cvv: '408' };

/** The journal's webhooks, once every one is final. */
async function endedHooks(gateway: 'paystack' | 'flutterwave', atLeast = 1): Promise<unknown[]> {
  const ended = (hooks: unknown[]) => hooks.length >= atLeast && hooks.every((hook) => at(hook, 'state') !== 'pending');
  return until(async () => listAt(await journal(sandbox, gateway), 'webhooks'), ended);
}

describe('signatures', () => {
  it('signs the raw body of charge.success with the secret key, as Paystack does', async () => {
    await openPaystack(sandbox, { reference: 'signed', metadata: { note: 'Ọ̀yọ́ ₦' } });
    await settle(sandbox, 'paystack', 'signed', { outcome: 'success' });
    const [hook] = await merchant.count(1);
    expect(hook?.headers['x-paystack-signature']).toBe(
      createHmac('sha512', paystackKey)
        .update(hook?.raw ?? '')
        .digest('hex'),
    );
    expect(hook?.headers['content-type']).toBe('application/json');
    expect(hook?.body).toMatchObject({
      event: 'charge.success',
      data: {
        reference: 'signed',
        status: 'success',
        amount: 100_000,
        source: { type: 'api', entry_point: 'transaction_initialize' },
      },
    });
  });

  it('repeats the merchant’s own hash with charge.completed, as Flutterwave does', async () => {
    await openFlutterwave(sandbox, { tx_ref: 'hashed' });
    await settle(sandbox, 'flutterwave', 'hashed', { outcome: 'success' });
    const [hook] = await merchant.count(1);
    expect(hook?.headers['verif-hash']).toBe('sandbox-flutterwave-hash');
    expect(hook?.body).toMatchObject({
      event: 'charge.completed',
      data: { id: expect.any(Number), tx_ref: 'hashed', status: 'successful', customer: { email: 'ada@example.com' } },
      'event.type': 'CARD_TRANSACTION',
    });
  });

  it('signs the body at Flutterwave for an account that chooses so, also when it forges', async () => {
    const signing = 'FLWSECK_TEST-signing-X';
    await call('PUT', `${sandbox.controlUrl}/control/flutterwave/keys`, null, {
      secretKey: signing,
      secretHash: 'a word of its own',
      webhookSignature: 'flutterwave-signature',
      webhookUrl: merchant.url,
    });
    await setFault(sandbox, 'flutterwave', { kind: 'forged_webhook' });
    await openFlutterwave(sandbox, { tx_ref: 'signed' }, signing);
    await settle(sandbox, 'flutterwave', 'signed', { outcome: 'failed' });
    const hooks = await merchant.count(3);
    const genuine = hooks.filter(({ raw, headers }) => {
      expect(headers['verif-hash']).toBeUndefined();
      return headers['flutterwave-signature'] === createHmac('sha256', 'a word of its own').update(raw).digest('base64');
    });
    expect(genuine.map(({ body }) => at(body, 'data', 'status'))).toEqual(['failed']);
  });

  it('goes to the address registered for the key, under that key', async () => {
    const other = 'sk_test_second_account';
    await call('PUT', `${sandbox.controlUrl}/control/paystack/keys`, null, {
      secretKey: other,
      webhookUrl: `${merchant.url}/second`,
    });
    await openPaystack(sandbox, { reference: 'second' }, other);
    await settle(sandbox, 'paystack', 'second', { outcome: 'success' });
    const [hook] = await merchant.count(1);
    expect(hook?.headers['x-paystack-signature']).toBe(
      createHmac('sha512', other)
        .update(hook?.raw ?? '')
        .digest('hex'),
    );
  });
});

describe('the event sent', () => {
  it('is only success at Paystack', async () => {
    await openPaystack(sandbox, { reference: 'silent' });
    await settle(sandbox, 'paystack', 'silent', { outcome: 'failed' });
    await settle(sandbox, 'paystack', 'silent', { outcome: 'abandoned' });
    expect(listAt(await journal(sandbox, 'paystack'), 'webhooks')).toEqual([]);
  });

  it('is failure too at Flutterwave', async () => {
    await openFlutterwave(sandbox, { tx_ref: 'loud' });
    await settle(sandbox, 'flutterwave', 'loud', { outcome: 'failed' });
    expect(at((await merchant.count(1))[0]?.body, 'data', 'status')).toBe('failed');
  });

  it('is each step of a refund at Paystack', async () => {
    await openPaystack(sandbox, { reference: 'refund' });
    await settle(sandbox, 'paystack', 'refund', { outcome: 'success' });
    await call('POST', `${sandbox.gateways.paystack}/refund`, paystackKey, { transaction: 'refund', amount: 40_000 });
    const bodies = (await merchant.count(3)).map((hook) => hook.body);
    expect(bodies.map((body) => at(body, 'event')).sort()).toEqual(['charge.success', 'refund.pending', 'refund.processed']);
    const processed = bodies.find((body) => at(body, 'event') === 'refund.processed');
    expect(Object.keys(at(processed, 'data') ?? {}).sort()).toEqual(
      'amount currency customer domain integration processor refund_reference status transaction_reference'.split(' '),
    );
    expect(at(processed, 'data')).toMatchObject({ transaction_reference: 'refund', amount: 40_000, status: 'processed' });
  });

  it('is a refund at Flutterwave only when requested, flat and without an envelope', async () => {
    await call('PUT', `${sandbox.controlUrl}/control/flutterwave/keys`, null, {
      secretKey: flutterwaveKey,
      refundWebhooks: true,
    });
    await openFlutterwave(sandbox, { tx_ref: 'flat' });
    await settle(sandbox, 'flutterwave', 'flat', { outcome: 'success' });
    const id = textAt((await merchant.count(1))[0]?.body, 'data', 'id');
    await call('POST', `${sandbox.gateways.flutterwave}/v3/transactions/${id}/refund`, flutterwaveKey, {});
    expect((await merchant.count(2))[1]?.body).toMatchObject({
      AmountRefunded: 1_000,
      status: 'completed-mpgs',
      TransactionId: Number(id),
    });
  });
});

describe('delivery', () => {
  it('tries again on anything but 200, the same body, and stops at success', async () => {
    merchant.answerWith(500, 204);
    await openPaystack(sandbox, { reference: 'retry' });
    await settle(sandbox, 'paystack', 'retry', { outcome: 'success' });
    const hooks = await merchant.count(3);
    expect(new Set(hooks.map((hook) => hook.raw.toString())).size).toBe(1);
    expect((await endedHooks('paystack'))[0]).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 500 }, { status: 204 }, { status: 200 }],
    });
  });

  it('gives up after the last retry', async () => {
    merchant.answerWith(500, 301, 500, 500);
    await openPaystack(sandbox, { reference: 'lost' });
    await settle(sandbox, 'paystack', 'lost', { outcome: 'success' });
    expect((await endedHooks('paystack'))[0]).toMatchObject({
      state: 'given_up',
      attempts: [{ status: 500 }, { status: 301 }, { status: 500 }],
    });
    expect(merchant.received).toHaveLength(3);
  });

  it('records why a server could not be reached, and that no address is registered', async () => {
    const keys = `${sandbox.controlUrl}/control/paystack/keys`;
    await call('PUT', keys, null, { secretKey: paystackKey, webhookUrl: 'http://127.0.0.1:1/nobody' });
    await openPaystack(sandbox, { reference: 'refused' });
    await settle(sandbox, 'paystack', 'refused', { outcome: 'success' });
    expect((await endedHooks('paystack'))[0]).toMatchObject({ state: 'given_up', attempts: [{ status: null }, {}, {}] });
    await call('PUT', keys, null, { secretKey: paystackKey, webhookUrl: null });
    await openPaystack(sandbox, { reference: 'nowhere' });
    await settle(sandbox, 'paystack', 'nowhere', { outcome: 'success' });
    expect((await endedHooks('paystack', 2))[1]).toMatchObject({ state: 'no_url', attempts: [] });
  });

  it('is sent again by resend-hook at Flutterwave', async () => {
    await openFlutterwave(sandbox, { tx_ref: 'resend' });
    await settle(sandbox, 'flutterwave', 'resend', { outcome: 'success' });
    const id = textAt((await merchant.count(1))[0]?.body, 'data', 'id');
    expect((await call('POST', `${sandbox.gateways.flutterwave}/v3/transactions/${id}/resend-hook`, flutterwaveKey)).status).toBe(
      200,
    );
    const hooks = await merchant.count(2);
    expect(hooks[1]?.raw).toEqual(hooks[0]?.raw);
  });
});

describe('faults', () => {
  it('no_webhook withholds each one and records it', async () => {
    await setFault(sandbox, 'paystack', { kind: 'no_webhook' });
    await openPaystack(sandbox, { reference: 'held' });
    await settle(sandbox, 'paystack', 'held', { outcome: 'success' });
    expect((await endedHooks('paystack'))[0]).toMatchObject({ state: 'suppressed', attempts: [] });
    expect(merchant.received).toEqual([]);
  });

  it('duplicate_webhook delivers the same body twice', async () => {
    await setFault(sandbox, 'paystack', { kind: 'duplicate_webhook' });
    await openPaystack(sandbox, { reference: 'double' });
    await settle(sandbox, 'paystack', 'double', { outcome: 'success' });
    const hooks = await merchant.count(2);
    expect(hooks[1]?.raw).toEqual(hooks[0]?.raw);
    expect(await endedHooks('paystack', 2)).toHaveLength(2);
  });

  it('webhook_before_redirect keeps the customer until the merchant has answered the webhook', async () => {
    const url = await openPaystack(sandbox, { reference: 'first', callback_url: 'https://shop.example/back' });
    await setFault(sandbox, 'paystack', { kind: 'webhook_before_redirect' });
    await submit(`${url}/card`, card);
    expect(merchant.received).toHaveLength(1);
  });

  it('sends the customer back without waiting for the webhook otherwise', async () => {
    const slowSandbox = await quickSandbox({ webhookDelayMs: 60_000, accounts: { paystack: { webhookUrl: merchant.url } } });
    try {
      const url = await openPaystack(slowSandbox, { reference: 'second', callback_url: 'https://shop.example/back' });
      expect((await submit(`${url}/card`, card)).status).toBe(303);
      expect(listAt(await journal(slowSandbox, 'paystack'), 'webhooks')).toMatchObject([{ state: 'pending', attempts: [] }]);
    } finally {
      await slowSandbox.close();
    }
  });

  it('forged_webhook claims an unpaid checkout was paid, under a signature that does not verify', async () => {
    await setFault(sandbox, 'paystack', { kind: 'forged_webhook' });
    await openPaystack(sandbox, { reference: 'forged' });
    const [forged] = await merchant.count(1);
    expect(at(forged?.body, 'event')).toBe('charge.success');
    expect(forged?.headers['x-paystack-signature']).toMatch(/^[0-9a-f]{128}$/);
    expect(forged?.headers['x-paystack-signature']).not.toBe(
      createHmac('sha512', paystackKey)
        .update(forged?.raw ?? '')
        .digest('hex'),
    );
    const verified = await call('GET', `${sandbox.gateways.paystack}/transaction/verify/forged`, paystackKey);
    expect(at(verified.body, 'data', 'status')).toBe('abandoned');
  });

  it('forged_webhook at Flutterwave carries a wrong hash, beside the genuine event', async () => {
    await openFlutterwave(sandbox, { tx_ref: 'forged' });
    await setFault(sandbox, 'flutterwave', { kind: 'forged_webhook' });
    await settle(sandbox, 'flutterwave', 'forged', { outcome: 'failed' });
    const hooks = await merchant.count(2);
    expect(hooks.map((hook) => `${hook.headers['verif-hash']}: ${textAt(hook.body, 'data', 'status')}`).sort()).toEqual([
      'not-the-secret-hash: successful',
      'sandbox-flutterwave-hash: failed',
    ]);
  });
});
