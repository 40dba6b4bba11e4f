import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { caller, describeDocumentedFlows, email, has, present } from '../testing/documented-flows.ts';
import {
  at,
  call,
  journal,
  listAt,
  quickSandbox,
  receiver,
  setFault,
  settle,
  submit,
  textAt,
  until,
} from '../testing/harness.ts';
import { koraFee } from './wire.ts';

const key = 'sk_test_sandbox_kora_demo';
const back = 'https://shop.example/back?keep=1';
const good = { amount: 1_000, currency: 'NGN', reference: 'order-0001', customer: { email: 'ada@example.com' } };
const plain = { number: '4084127883172787', expiry: '09/30', cvv: '123' };
const declined = { number: '4060665000000017', expiry: '09/30', cvv: '123' };

let sandbox: Sandbox;
let base: string;
beforeAll(async () => {
  sandbox = await quickSandbox();
  base = sandbox.baseUrls.kora;
});
afterAll(() => sandbox.close());

const initialize = (body: unknown, by: string | null = key) => call('POST', `${base}/charges/initialize`, by, body);
const look = (reference: string, by = key) => call('GET', `${base}/charges/${encodeURIComponent(reference)}`, by);
const refund = (body: unknown) => call('POST', `${base}/refunds/initiate`, key, body);
async function open(reference: string, changes: object = {}): Promise<string> {
  return textAt((await initialize({ ...good, reference, redirect_url: back, ...changes })).body, 'data', 'checkout_url');
}
async function paid(reference: string, amount = 1_000): Promise<string> {
  await open(reference, { amount });
  await settle(sandbox, 'kora', reference, { outcome: 'success' });
  return reference;
}

async function eventsOf(reference: string): Promise<unknown[]> {
  const hooks = listAt(await journal(sandbox, 'kora'), 'webhooks');
  return hooks.filter((hook) => at(hook, 'reference') === reference).map((hook) => at(hook, 'event'));
}

describe('charges/initialize', () => {
  it('answers with the reference and the address of the page', async () => {
    expect(base).toBe(`${sandbox.gateways.kora}/merchant/api/v1`);
    const { status, body } = await initialize(good);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      message: 'Charge created successfully',
      data: {
        reference: 'order-0001',
        checkout_url: expect.stringMatching(new RegExp(`^${sandbox.gateways.kora}/checkout/[a-z0-9]{24}$`)),
      },
    });
  });

  it('takes a reference once', async () => {
    await open('order-twice');
    expect(await initialize({ ...good, reference: 'order-twice' })).toMatchObject({
      status: 409,
      body: { status: false, message: 'Duplicate payment reference', data: null },
    });
  });

  it.each([
    ['amount', { amount: '1000' }],
    ['amount', { amount: 99.99 }],
    ['amount', { amount: 1000.005 }],
    ['amount', { amount: 10_000_001 }],
    ['currency', { currency: undefined }],
    ['reference', { reference: 'short' }],
    ['reference', { reference: 'x'.repeat(51) }],
    ['customer', { customer: undefined }],
    ['customer.email', { customer: { email: 'nobody' } }],
    ['redirect_url', { redirect_url: 'javascript:alert(1)' }],
    ['channels.0', { channels: ['pigeon'] }],
    ['default_channel', { channels: ['card'], default_channel: 'bank_transfer' }],
    ['metadata', { metadata: {} }],
    ['metadata', { metadata: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 } }],
    ['metadata.under_score', { metadata: { under_score: 1 } }],
    ['merchant_bears_cost', { merchant_bears_cost: 'yes' }],
  ])('refuses a wrong %s by its name', async (field, changes) => {
    const { status, body } = await initialize({ ...good, reference: 'order-wrong', ...changes });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      status: false,
      message: 'Invalid request data',
      data: { [field]: { message: expect.any(String) } },
    });
  });

  it('refuses what is not JSON', async () => {
    expect(await initialize('{')).toMatchObject({ status: 400, body: { status: false, message: 'Invalid request data' } });
  });

  it.each([
    ['no key', null, 'Authorization key is required'],
    ['an unregistered key', 'sk_test_unregistered', 'Invalid authorization key'],
  ])('answers 401 to %s', async (_what, by, message) => {
    expect(await initialize(good, by)).toMatchObject({ status: 401, body: { status: false, message, data: null } });
  });
});

describe('charges/:reference', () => {
  it('is pending, then processing, then success with what was paid', async () => {
    const url = await open('order-life');
    expect((await look('order-life')).body).toMatchObject({
      data: { status: 'pending', amount: '1000.00', amount_paid: '0.00' },
    });
    await submit(`${url}/card`, { number: '5130000052131820', expiry: '12/32', cvv: '419' });
    expect(at((await look('order-life')).body, 'data', 'status')).toBe('processing');
    await submit(`${url}/step`, { pin: '0000' });
    const { status, body } = await look('order-life');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: true,
      message: 'Charge retrieved successfully',
      data: {
        reference: 'order-life',
        status: 'success',
        amount: '1000.00',
        amount_paid: '1000.00',
        fee: '16.13',
        currency: 'NGN',
        payment_method: 'card',
      },
    });
  });

  it('shows what arrived beside what was asked for', async () => {
    const url = await open('order-short');
    await submit(`${url}/transfer`, { amount: '900.50' });
    expect((await look('order-short')).body).toMatchObject({
      data: { status: 'success', amount: '1000.00', amount_paid: '900.50', payment_method: 'bank_transfer' },
    });
  });

  it('accepts what was asked for alone where the account has the excess returned', async () => {
    const own = await quickSandbox();
    try {
      const secretKey = 'sk_test_sandbox_kora_demo';
      await call('PUT', `${own.controlUrl}/control/kora/keys`, null, { secretKey, overpayments: 'returned' });
      const path = `${own.baseUrls.kora}/charges`;
      const order = { amount: 1_000, currency: 'NGN', reference: 'order-over', customer: { email: 'ada@example.com' } };
      await call('POST', `${path}/initialize`, secretKey, order);
      await call('POST', `${own.controlUrl}/control/kora/transactions/order-over/transfer`, null, { amount: 1_200 });
      expect((await call('GET', `${path}/order-over`, secretKey)).body).toMatchObject({
        data: { amount_paid: '1200.00', amount_accepted: '1000.00' },
      });
    } finally {
      await own.close();
    }
  });

  it('is failed after a declined card, and success when the next one pays', async () => {
    const url = await open('order-again');
    await submit(`${url}/card`, declined);
    expect((await look('order-again')).body).toMatchObject({
      data: { status: 'failed', amount_paid: '0.00', message: 'Transaction declined by issuer' },
    });
    await submit(`${url}/card`, plain);
    expect(at((await look('order-again')).body, 'data', 'status')).toBe('success');
  });

  it('expires after an hour without a try', async () => {
    let now = Date.parse('2026-11-20T10:00:00Z');
    const own = await quickSandbox({ now: () => now });
    try {
      await call('POST', `${own.baseUrls.kora}/charges/initialize`, key, good);
      now += 60 * 60_000;
      const answer = await call('GET', `${own.baseUrls.kora}/charges/${good.reference}`, key);
      expect(at(answer.body, 'data', 'status')).toBe('expired');
    } finally {
      await own.close();
    }
  });

  it('answers 404 about payments of another account', async () => {
    const other = 'sk_test_another_account';
    await call('PUT', `${sandbox.controlUrl}/control/kora/keys`, null, { secretKey: other });
    await paid('order-private');
    const missing = { status: 404, body: { status: false, message: 'Charge not found', data: null } };
    expect(await look('order-private', other)).toMatchObject(missing);
    expect(await look('order-nobody')).toMatchObject(missing);
    expect(at((await call('GET', `${base}/pay-ins`, other)).body, 'data')).toEqual([]);
  });
});

describe('the hosted page', () => {
  const leave = async (url: string, path: string, fields: Record<string, string>) =>
    (await submit(`${url}/${path}`, fields)).headers.get('location') ?? '';

  it('sends the customer back with the reference alone, paid or not', async () => {
    const home = (reference: string) => `https://shop.example/back?keep=1&reference=${reference}`;
    expect(await leave(await open('order-back1'), 'card', plain)).toBe(home('order-back1'));
    expect(await leave(await open('order-back2'), 'cancel', {})).toBe(home('order-back2'));
    const url = await open('order-back3');
    await submit(`${url}/card`, declined);
    expect(await leave(url, 'leave', {})).toBe(home('order-back3'));
  });

  it('accepts the steps of its cards', async () => {
    const bank = await open('order-steps1');
    await submit(`${bank}/card`, { number: '5399665000000032', expiry: '09/30', cvv: '123' });
    expect(await leave(bank, 'step', { decision: 'approve' })).toContain('reference=order-steps1');
    const codes = await open('order-steps2');
    await submit(`${codes}/card`, { number: '5060665000000006', expiry: '09/30', cvv: '123' });
    await submit(`${codes}/step`, { pin: '1234' });
    expect(await leave(codes, 'step', { otp: '123456' })).toContain('reference=order-steps2');
  });
});

describe('webhooks', () => {
  it('are signed over their data alone, under the secret key', async () => {
    const hooks = await receiver();
    const own = await quickSandbox();
    try {
      const address = `${own.controlUrl}/control/kora/keys`;
      await call('PUT', address, null, { secretKey: key, webhookUrl: hooks.url });
      await call('POST', `${own.baseUrls.kora}/charges/initialize`, key, good);
      await setFault(own, 'kora', { kind: 'forged_webhook' });
      await settle(own, 'kora', good.reference, { outcome: 'success' });
      const received = await hooks.count(2);
      const genuine = received.filter(({ headers, body }) => {
        const signed = createHmac('sha256', key)
          .update(JSON.stringify(at(body, 'data')))
          .digest('hex');
        return headers['x-korapay-signature'] === signed;
      });
      expect(genuine).toHaveLength(1);
      expect(genuine[0]?.body).toEqual({
        event: 'charge.success',
        data: {
          reference: good.reference,
          currency: 'NGN',
          amount: 1_000,
          amount_expected: 1_000,
          fee: 16.13,
          status: 'success',
          payment_method: 'card',
          payment_reference: good.reference,
        },
      });
    } finally {
      await own.close();
      await hooks.close();
    }
  });

  it('are not sent of a payment that failed', async () => {
    await open('order-silent');
    await settle(sandbox, 'kora', 'order-silent', { outcome: 'failed' });
    expect(await eventsOf('order-silent')).toEqual([]);
  });
});

describe('refunds', () => {
  it('are taken under the merchant’s reference, are found by it, and end by themselves', async () => {
    await paid('order-refund', 500.5);
    const { status, body } = await refund({ payment_reference: 'order-refund', reference: 'rf-1', reason: 'Wrong size' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      message: 'Refund successfully initiated',
      data: {
        refund_reference: 'rf-1',
        refund_date: expect.stringMatching(/Z$/),
        status: 'processing',
        payment_reference: 'order-refund',
        reason: 'Wrong size',
        amount_returned: 500.5,
        currency: 'NGN',
      },
    });
    await until(
      () => call('GET', `${base}/refunds/rf-1`, key),
      (answer) => at(answer.body, 'data', 'status') === 'success',
    );
    expect(at((await look('order-refund')).body, 'data', 'status')).toBe('success');
    expect(await eventsOf('order-refund')).toEqual(expect.arrayContaining(['charge.success', 'refund.success']));
  });

  it('never exceed what was paid, kobo by kobo', async () => {
    await paid('order-part', 500.5);
    const of = (reference: string, amount?: number) => refund({ payment_reference: 'order-part', reference, amount });
    expect((await of('part-1', 500.49)).status).toBe(200);
    expect(await of('part-2', 0.02)).toMatchObject({
      status: 400,
      body: { message: 'The maximum refundable amount for this transaction is NGN 0.01' },
    });
    expect((await of('part-3', 0.01)).status).toBe(200);
    expect((await of('part-4')).status).toBe(400);
  });

  it('take a reference once, a known payment, and one that was paid', async () => {
    await paid('order-once');
    const one = { payment_reference: 'order-once', reference: 'once-1', amount: 100 };
    expect((await refund(one)).status).toBe(200);
    expect(await refund(one)).toMatchObject({ status: 409, body: { message: 'Refund already exists with reference once-1' } });
    expect((await refund({ ...one, reference: 'x', payment_reference: 'order-nobody' })).status).toBe(404);
    await open('order-unpaid');
    expect((await refund({ ...one, reference: 'y', payment_reference: 'order-unpaid' })).status).toBe(400);
    expect(await call('GET', `${base}/refunds/nothing`, key)).toMatchObject({ status: 404, body: { status: false } });
  });

  it('end with the outcome that the request names', async () => {
    await paid('order-forced');
    const forced = {
      payment_reference: 'order-forced',
      reference: 'forced-1',
      completion_status: 'failed',
      status_reason: 'No account',
    };
    expect((await refund(forced)).status).toBe(200);
    await until(
      () => call('GET', `${base}/refunds/forced-1`, key),
      (answer) => at(answer.body, 'data', 'status') === 'failed',
    );
  });
});

describe('lists', () => {
  it('go by pointers, newest first', async () => {
    const own = await quickSandbox();
    try {
      const pages = `${own.baseUrls.kora}/pay-ins`;
      for (const index of [1, 2, 3]) {
        await call('POST', `${own.baseUrls.kora}/charges/initialize`, key, { ...good, reference: `order-list${index}` });
      }
      await settle(own, 'kora', 'order-list1', { outcome: 'success' });
      const first = (await call('GET', `${pages}?limit=2`, key)).body;
      expect(at(first, 'has_more')).toBe(true);
      expect(listAt(first, 'data').map((row) => at(row, 'reference'))).toEqual(['order-list3', 'order-list2']);
      const pointer = textAt(first, 'data', 1, 'pointer');
      const second = (await call('GET', `${pages}?limit=2&starting_after=${pointer}`, key)).body;
      expect(second).toMatchObject({
        has_more: false,
        data: [
          {
            reference: 'order-list1',
            status: 'success',
            amount: '1000.00',
            amount_paid: '1000.00',
            amount_expected: '1000.00',
            fee: '16.13',
            date_created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          },
        ],
      });
      const last = textAt(second, 'data', 0, 'pointer');
      const before = (await call('GET', `${pages}?limit=1&ending_before=${last}`, key)).body;
      expect(listAt(before, 'data').map((row) => at(row, 'reference'))).toEqual(['order-list2']);
      expect((await call('GET', `${pages}?starting_after=${last}&ending_before=${last}`, key)).status).toBe(400);
      expect((await call('GET', `${pages}?date_from=2026-11-20`, key)).status).toBe(400);
      expect(at((await call('GET', `${pages}?date_to=2001-01-01-00-00-00`, key)).body, 'data')).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('hold refunds too, those made elsewhere under a reference of Kora’s', async () => {
    const own = await quickSandbox();
    try {
      await call('POST', `${own.baseUrls.kora}/charges/initialize`, key, good);
      await settle(own, 'kora', good.reference, { outcome: 'success' });
      await call('POST', `${own.baseUrls.kora}/refunds/initiate`, key, {
        payment_reference: good.reference,
        reference: 'rf-list',
        amount: 10,
      });
      await call('POST', `${own.controlUrl}/control/kora/refunds`, null, { reference: good.reference, amount: 5 });
      const { body } = await call('GET', `${own.baseUrls.kora}/refunds`, key);
      expect(listAt(body, 'data', 'refunds').map((row) => [at(row, 'reference'), at(row, 'amount')])).toEqual([
        [expect.stringMatching(/^KPY-RFD-\d+$/), '5.00'],
        ['rf-list', '10.00'],
      ]);
    } finally {
      await own.close();
    }
  });
});

describe('fees', () => {
  it.each([
    [1_000, 16.13],
    [100, 1.61],
    [133_333, 2_149.99],
    [133_334, 2_150],
    [10_000_000, 2_150],
  ])('of %d naira are %d', (amount, fee) => {
    expect(koraFee(amount)).toBe(fee);
  });
});

const tabled = 'in the table of the page on card payments, whose sample was not found';
const oneObject = 'the page announces a list and shows one object in its place';

describeDocumentedFlows('kora', {
  connect(sandbox, { secretKey = '' }) {
    const base = sandbox.baseUrls.kora;
    const ask = caller(base, secretKey);
    const order = (reference: string) => {
      return { amount: 1_000, currency: 'NGN', reference, customer: { email }, redirect_url: 'https://shop.example' };
    };
    return {
      ask,
      naira: 1,
      open: (reference) => ask('POST', '/charges/initialize', order(reference)),
      openInvalid: (reference) => ask('POST', '/charges/initialize', { ...order(reference), amount: 'much' }),
      withWrongKey: (reference) => caller(base, 'sk_test_unknown1')('GET', `/charges/${reference}`),
      verify: (reference) => ask('GET', `/charges/${reference}`),
      refund: (reference) =>
        ask('POST', '/refunds/initiate', {
          payment_reference: reference,
          reference: `rf-${reference}`,
          amount: 100,
          reason: 'Wrong size',
        }),
      findRefund: ({ body }) => ask('GET', `/refunds/${textAt(body, 'data', 'refund_reference')}`),
      showsPendingRefund: true,
      list: () => ask('GET', '/pay-ins'),
      listRefunds: () => ask('GET', '/refunds'),
      isRefundEvent: (body, state) => has(body, state === 'failed' ? 'refund.failed' : 'refund.success'),
    };
  },

  async fromOpeningToPayout(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initialize = await client.open(reference);
    const refusal = await client.open(reference);
    const invalid = await client.openInvalid(stage.reference());
    await stage.pay(reference);
    const refund = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    return {
      initialize,
      refusal,
      invalid,
      charge: await client.verify(reference),
      payIns: await client.list(),
      refund,
      refundEvent: await stage.event((body) => has(body, 'refund.success', `rf-${reference}`)),
      refundFound: await present(client.findRefund)(refund),
      refunds: await present(client.listRefunds)(),
      chargeEvent: await stage.event((body) => has(body, 'charge.success', reference)),
    };
  },

  gaps: {
    reversed: 'charges have no such status',
    disputed: 'chargebacks can be updated by their reference, and are listed by no call',
    settled: 'no list of settlements is documented',
    'failed event': 'the page on Checkout says that only success is sent',
    'refund pending event': 'events are of refunds that ended',
    'dispute event': 'no event of chargebacks is documented',
    'settlement event': 'no event of settlements is documented',
  },

  known: {
    failed: { 'data.card: in no example': tabled },
    pending: { 'data.card: in no example': tabled },
    listed: { 'data: list, documented as object': oneObject },
    'refunds listed': { 'data.refunds[].completed_at: null, documented as string': 'one that is under way, the sample is done' },
  },

  knownShapes: {
    charge: { 'data.card: in no example': tabled },
    payIns: { 'data: list, documented as object': oneObject },
  },
});
