import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { caller, DAY_MS, dayOf, describeDocumentedFlows, email, has, present } from '../testing/documented-flows.ts';
import {
  at,
  call,
  flutterwaveKey,
  listAt,
  openFlutterwave,
  quickSandbox,
  settle,
  submit,
  textAt,
  until,
} from '../testing/harness.ts';

let sandbox: Sandbox;
let base: string;
beforeAll(async () => {
  sandbox = await quickSandbox();
  base = `${sandbox.gateways.flutterwave}/v3`;
});
afterAll(() => sandbox.close());

const pay = (body: unknown, key: string | null = flutterwaveKey) => call('POST', `${base}/payments`, key, body);
const byReference = (reference: string, key = flutterwaveKey) =>
  call('GET', `${base}/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`, key);
const byId = (id: unknown, key = flutterwaveKey) => call('GET', `${base}/transactions/${String(id)}/verify`, key);
const good = { tx_ref: 'order-1', amount: 1_000, currency: 'NGN', customer: { email: 'ada@example.com' } };
const back = 'https://shop.example/back?keep=1';
const card = { number: '5531886652142950', expiry: '09/32', cvv: '564' };
const verve = { number: '5061460166976054667', expiry: '09/32', cvv: '123' };
const declined = { number: '5143010522339965', expiry: '09/32', cvv: '276' };

describe('payments', () => {
  it('answers with a hosted link and nothing else', async () => {
    const { status, body } = await pay(good);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: 'Hosted Link',
      data: { link: expect.stringMatching(new RegExp(`^${base}/hosted/pay/flwlnk-[0-9a-f]{32}$`)) },
    });
  });

  it('takes naira as a number or a string, with up to two decimals', async () => {
    for (const amount of [1000.5, '1000', '1000.55']) expect((await pay({ ...good, amount })).status).toBe(200);
    for (const amount of [0, -1, 1.005, '1,000', '1.005', 'x', null]) expect((await pay({ ...good, amount })).status).toBe(400);
  });

  it.each([
    [{ ...good, tx_ref: undefined }, 'tx_ref is required'],
    [{ ...good, amount: undefined }, 'amount is required'],
    [{ ...good, customer: {} }, 'customer.email is required'],
    [{ ...good, customer: { email: 'nobody' } }, 'customer.email is invalid'],
    [{ ...good, tx_ref: 'x'.repeat(101) }, 'tx_ref is invalid'],
    [{ ...good, currency: 'XXX' }, 'Currency is not supported'],
    [{ ...good, redirect_url: 'javascript:alert(1)' }, 'redirect_url is invalid'],
    ['not json', 'Invalid JSON in request body'],
  ])('refuses %j: %s', async (body, message) => {
    expect(await pay(body)).toMatchObject({ status: 400, body: { status: 'error', message, data: null } });
  });

  it.each([
    ['no key', null, 'Authorization required'],
    ['an unregistered key', 'FLWSECK_TEST-unregistered-X', 'Invalid authorization key'],
  ])('answers 401 to %s', async (_what, key, message) => {
    expect(await pay(good, key)).toMatchObject({ status: 401, body: { status: 'error', message, data: null } });
  });
});

describe('transactions', () => {
  it('does not exist until the customer submits, then has a number and a reference of its own', async () => {
    const url = await openFlutterwave(sandbox, { tx_ref: 'later', redirect_url: back });
    const missing = { status: 400, body: { status: 'error', message: 'No transaction was found for this id', data: null } };
    expect(await byReference('later')).toMatchObject(missing);
    expect(await byId(1)).toMatchObject(missing);
    await submit(`${url}/card`, card);
    expect(at((await byReference('later')).body, 'data', 'status')).toBe('pending');
    await submit(`${url}/step`, { pin: '3310' });
    await submit(`${url}/step`, { otp: '12345' });
    const { status, body } = await byReference('later');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'success', message: 'Transaction fetched successfully' });
    expect(Object.keys(at(body, 'data') ?? {}).sort()).toEqual(
      'id tx_ref flw_ref device_fingerprint amount currency charged_amount app_fee merchant_fee processor_response auth_model ip narration status payment_type created_at account_id amount_settled card meta customer'
        .split(' ')
        .sort(),
    );
    expect(at(body, 'data')).toMatchObject({
      id: expect.any(Number),
      tx_ref: 'later',
      flw_ref: expect.stringMatching(/^FLW-MOCK-/),
      status: 'successful',
      amount: 1_000,
      charged_amount: 1_000,
      app_fee: 14,
      amount_settled: 986,
      payment_type: 'card',
      card: { first_6digits: '553188', last_4digits: '2950', expiry: '09/32' },
      customer: { email: 'ada@example.com' },
    });
    expect((await byId(at(body, 'data', 'id'))).body).toEqual(body);
  });

  it('is invisible to another account', async () => {
    const other = 'FLWSECK_TEST-another-account-X';
    await call('PUT', `${sandbox.controlUrl}/control/flutterwave/keys`, null, { secretKey: other });
    await pay({ ...good, tx_ref: 'private' });
    await settle(sandbox, 'flutterwave', 'private', { outcome: 'success' });
    const id = at((await byReference('private')).body, 'data', 'id');
    expect((await byReference('private', other)).status).toBe(400);
    expect((await byId(id, other)).status).toBe(400);
    expect((await call('POST', `${base}/transactions/${id}/refund`, other, {})).status).toBe(400);
    expect(at((await call('GET', `${base}/transactions`, other)).body, 'data')).toEqual([]);
  });

  it('takes a reference twice when links are made, and collides when the second is paid', async () => {
    const first = await openFlutterwave(sandbox, { tx_ref: 'same', redirect_url: back });
    const second = await openFlutterwave(sandbox, { tx_ref: 'same', redirect_url: back });
    await submit(`${first}/card`, verve);
    const collision = await submit(`${second}/card`, verve);
    expect(collision.status).toBe(422);
    expect(collision.text).toContain('A payment with this reference has already been made.');
  });

  it('accepts one of two payments under one reference, and returns it for the reference', async () => {
    const first = await openFlutterwave(sandbox, { tx_ref: 'race', redirect_url: back });
    const second = await openFlutterwave(sandbox, { tx_ref: 'race', redirect_url: back });
    await submit(`${first}/card`, card);
    await submit(`${second}/card`, card);
    for (const url of [first, second]) await submit(`${url}/step`, { pin: '3310' });
    for (const url of [first, second]) await submit(`${url}/step`, { otp: '12345' });
    const listed = await call('GET', `${base}/transactions?tx_ref=race`, flutterwaveKey);
    expect(listAt(listed.body, 'data').map((entry) => at(entry, 'status'))).toEqual(['failed', 'successful']);
    expect(at((await byReference('race')).body, 'data', 'status')).toBe('successful');
  });

  it('lists charges, not links, with page_info', async () => {
    const own = await quickSandbox();
    try {
      for (const index of [1, 2, 3]) await openFlutterwave(own, { tx_ref: `list-${index}` });
      await settle(own, 'flutterwave', 'list-1', { outcome: 'success' });
      await settle(own, 'flutterwave', 'list-2', { outcome: 'failed' });
      const url = `${own.gateways.flutterwave}/v3/transactions`;
      const all = await call('GET', url, flutterwaveKey);
      expect(listAt(all.body, 'data').map((entry) => at(entry, 'tx_ref'))).toEqual(['list-2', 'list-1']);
      expect(at(all.body, 'meta', 'page_info')).toEqual({ total: 2, current_page: 1, total_pages: 1 });
      expect(listAt((await call('GET', `${url}?status=failed`, flutterwaveKey)).body, 'data')).toHaveLength(1);
      expect(listAt((await call('GET', `${url}?to=2001-01-01`, flutterwaveKey)).body, 'data')).toEqual([]);
      expect((await call('GET', `${url}?from=yesterday`, flutterwaveKey)).status).toBe(400);
    } finally {
      await own.close();
    }
  });
});

describe('what its own SDK asks besides', () => {
  it('is the list, with a slash too many', async () => {
    await pay({ ...good, tx_ref: 'slashes' });
    await settle(sandbox, 'flutterwave', 'slashes', { outcome: 'success' });
    const listed = await call('GET', `${sandbox.gateways.flutterwave}//v3/transactions?tx_ref=slashes`, flutterwaveKey);
    expect(listed.status).toBe(200);
    expect(listAt(listed.body, 'data').map((entry) => at(entry, 'tx_ref'))).toEqual(['slashes']);
  });

  it('is the fee of an amount', async () => {
    const fee = (query: string) => call('GET', `${base}/transactions/fee?${query}`, flutterwaveKey);
    const data = { charge_amount: 1_000, fee: 14, merchant_fee: 0, flutterwave_fee: 14, stamp_duty_fee: 0, currency: 'NGN' };
    for (const query of ['amount=1000&currency=NGN', 'amount=1000&currency=undefined', 'amount=1000']) {
      expect(await fee(query)).toMatchObject({ status: 200, body: { status: 'success', message: 'Charged fee', data } });
    }
    expect(at((await fee('amount=1000000')).body, 'data', 'fee')).toBe(2_000);
    for (const query of ['', 'amount=none', 'amount=0', 'amount=1&currency=XXX']) expect((await fee(query)).status).toBe(400);
  });

  it('is the timeline of a transaction, which another account cannot see', async () => {
    const url = await openFlutterwave(sandbox, { tx_ref: 'timeline' });
    await submit(`${url}/card`, declined);
    const id = textAt((await byReference('timeline')).body, 'data', 'id');
    const events = await call('GET', `${base}/transactions/${id}/events`, flutterwaveKey);
    expect(events).toMatchObject({ status: 200, body: { message: 'Transaction events fetched' } });
    expect(listAt(events.body, 'data')).toMatchObject([
      { actor: 'ada@example.com', object: 'modal', action: 'loaded', context: 'web' },
      { action: 'click', note: 'Pay button clicked: card' },
      { action: 'charge request', note: 'Charge failed: Do Not Honour', created_at: expect.any(String) },
    ]);
    const other = 'FLWSECK_TEST-events-of-another-X';
    await call('PUT', `${sandbox.controlUrl}/control/flutterwave/keys`, null, { secretKey: other });
    expect((await call('GET', `${base}/transactions/${id}/events`, other)).status).toBe(400);
  });
});

describe('the hosted page', () => {
  const leave = async (url: string, path: string, fields: Record<string, string>) =>
    (await submit(`${url}/${path}`, fields)).headers.get('location') ?? '';

  it('sends the customer back with status, reference and id after a card', async () => {
    const url = await openFlutterwave(sandbox, { tx_ref: 'back-1', redirect_url: back });
    const location = await leave(url, 'card', verve);
    const id = textAt((await byReference('back-1')).body, 'data', 'id');
    expect(location).toBe(`https://shop.example/back?keep=1&status=successful&tx_ref=back-1&transaction_id=${id}`);
  });

  it('reports completed after a transfer, with the received amount', async () => {
    const url = await openFlutterwave(sandbox, { tx_ref: 'back-2', redirect_url: back });
    expect(await leave(url, 'transfer', { amount: '1500.25' })).toContain('status=completed&tx_ref=back-2&transaction_id=');
    expect(at((await byReference('back-2')).body, 'data')).toMatchObject({ amount: 1500.25, payment_type: 'bank_transfer' });
  });

  it('leaves the id out when the customer cancels, even after a failed try', async () => {
    const url = await openFlutterwave(sandbox, { tx_ref: 'back-3', redirect_url: back });
    await submit(`${url}/card`, declined);
    expect(await leave(url, 'cancel', {})).toBe('https://shop.example/back?keep=1&status=cancelled&tx_ref=back-3');
  });

  it('keeps a declined customer on the page, with the way back as failed', async () => {
    const url = await openFlutterwave(sandbox, { tx_ref: 'back-4', redirect_url: back });
    expect(await leave(url, 'card', declined)).toMatch(/^\/flutterwave\/v3\/hosted\/pay\//);
    const page = (await call('GET', url)).text;
    expect(page).toContain('Payment failed: Do Not Honour');
    expect(page).toContain('Return to merchant');
    expect(await leave(url, 'leave', {})).toMatch(/status=failed&tx_ref=back-4&transaction_id=\d+$/);
    expect(at((await byReference('back-4')).body, 'data')).toMatchObject({
      status: 'failed',
      processor_response: 'Do Not Honour',
    });
  });

  it('closes after the tries allowed and sends the customer back', async () => {
    const url = await openFlutterwave(sandbox, { tx_ref: 'back-5', redirect_url: back, max_retry_attempt: 2 });
    await submit(`${url}/card`, declined);
    expect(await leave(url, 'card', declined)).toContain('status=failed');
    expect((await submit(`${url}/card`, verve)).text).toContain('This payment page is closed.');
  });

  it('accepts every challenge of its cards', async () => {
    const steps: [string, string, Record<string, string>][] = [
      ['5438898014560229', '123', { decision: 'approve' }],
      ['4187427415564246', '828', { decision: 'approve' }],
      ['4556052704172643', '899', { address: '1 Marina, Lagos' }],
    ];
    for (const [number, cvv, answer] of steps) {
      const url = await openFlutterwave(sandbox, { tx_ref: `step-${number}`, redirect_url: back });
      await submit(`${url}/card`, { number, cvv, expiry: '09/32' });
      expect(await leave(url, 'step', answer)).toContain('status=successful');
    }
  });

  it('refuses money once its session is over or its link is disabled', async () => {
    const disabled = await openFlutterwave(sandbox, { tx_ref: 'disabled' });
    expect((await call('POST', `${base}/payments/link/disable`, flutterwaveKey, { link: disabled })).status).toBe(200);
    expect((await submit(`${disabled}/card`, verve)).status).toBe(422);
    let now = Date.parse('2026-11-20T10:00:00Z');
    const own = await quickSandbox({ now: () => now });
    try {
      const url = await openFlutterwave(own, { session_duration: 10 });
      now += 10 * 60_000;
      expect((await submit(`${url}/card`, verve)).text).toContain('This payment page has expired.');
    } finally {
      await own.close();
    }
  });
});

describe('refunds', () => {
  async function paidId(reference: string): Promise<string> {
    await pay({ ...good, tx_ref: reference, amount: 500.5 });
    await settle(sandbox, 'flutterwave', reference, { outcome: 'success' });
    return textAt((await byReference(reference)).body, 'data', 'id');
  }
  const refund = (id: string, body?: unknown) => call('POST', `${base}/transactions/${id}/refund`, flutterwaveKey, body);

  it('is taken by numeric id and completes by itself', async () => {
    const id = await paidId('refund-1');
    const { status, body } = await refund(id, { comments: 'Wrong size' });
    expect(status).toBe(200);
    expect(at(body, 'data')).toEqual({
      id: expect.any(Number),
      account_id: expect.any(Number),
      tx_id: Number(id),
      flw_ref: expect.stringMatching(/^FLW-MOCK-/),
      wallet_id: expect.any(Number),
      amount_refunded: 500.5,
      status: 'processing',
      destination: 'payment_source',
      comments: 'Wrong size',
      meta: { source: 'availablebalance' },
      created_at: expect.any(String),
    });
    await until(
      () => call('GET', `${base}/refunds/${textAt(body, 'data', 'id')}`, flutterwaveKey),
      (answer) => at(answer.body, 'data', 'status') === 'completed-mpgs',
    );
    expect(at((await byId(id)).body, 'data', 'status')).toBe('successful');
  });

  it('is called completed before it is paid out for an account that chooses so', async () => {
    const prompt = 'FLWSECK_TEST-prompt-refunds-X';
    const keys = `${sandbox.controlUrl}/control/flutterwave/keys`;
    const registered = await call('PUT', keys, null, { secretKey: prompt, refundAnswer: 'completed' });
    expect(registered.body).toMatchObject({ refundAnswer: 'completed', webhookSignature: null });
    expect((await call('PUT', keys, null, { secretKey: prompt, refundAnswer: 'perhaps' })).body).toEqual({
      error: 'refundAnswer must be processing or completed',
      errors: ['refundAnswer must be processing or completed'],
    });
    await pay({ ...good, tx_ref: 'prompt' }, prompt);
    await settle(sandbox, 'flutterwave', 'prompt', { outcome: 'success' });
    const id = textAt((await byReference('prompt', prompt)).body, 'data', 'id');
    const answer = await call('POST', `${base}/transactions/${id}/refund`, prompt, { amount: 100 });
    expect(at(answer.body, 'data')).toMatchObject({ status: 'completed', amount_refunded: 100 });
    const found = await call('GET', `${base}/refunds/${textAt(answer.body, 'data', 'id')}`, prompt);
    expect(at(found.body, 'data', 'status')).toMatch(/^completed(-mpgs)?$/);
    await until(
      () => call('GET', `${base}/refunds`, prompt),
      (answer) => at(listAt(answer.body, 'data')[0], 'status') === 'completed-mpgs',
    );
    expect(listAt((await call('GET', `${base}/refunds`, prompt)).body, 'data')[0]).toMatchObject({
      transaction_id: Number(id),
      amount_refunded: 100,
      comment: null,
    });
  });

  it('never exceeds what was paid, kobo by kobo', async () => {
    const id = await paidId('refund-2');
    expect((await refund(id, { amount: 500.49 })).status).toBe(200);
    expect((await refund(id, { amount: 0.02 })).status).toBe(400);
    expect((await refund(id, { amount: 0.01 })).status).toBe(200);
    expect((await refund(id)).status).toBe(400);
  });

  it('is refused for a charge that failed', async () => {
    await pay({ ...good, tx_ref: 'refund-3' });
    await settle(sandbox, 'flutterwave', 'refund-3', { outcome: 'failed' });
    expect((await refund(textAt((await byReference('refund-3')).body, 'data', 'id'))).status).toBe(400);
  });
});

const byCard = 'paid by card, the sample from a bank account';
const span = (): string => `from=${dayOf(Date.now() - DAY_MS)}&to=${dayOf(Date.now() + DAY_MS)}`;

describeDocumentedFlows('flutterwave', {
  connect(sandbox, { secretKey = '' }) {
    const ask = caller(sandbox.baseUrls.flutterwave, secretKey);
    const order = (reference: string) => {
      return { tx_ref: reference, amount: 1_000, currency: 'NGN', redirect_url: 'https://shop.example', customer: { email } };
    };
    const verify = (reference: string) => ask('GET', `/transactions/verify_by_reference?tx_ref=${reference}`);
    return {
      ask,
      naira: 1,
      open: (reference) => ask('POST', '/payments', order(reference)),
      openInvalid: (reference) => ask('POST', '/payments', { ...order(reference), amount: -5 }),
      verify,
      async refund(reference) {
        const id = textAt((await verify(reference)).body, 'data', 'id');
        return ask('POST', `/transactions/${id}/refund`, { amount: 100, comments: 'wrong size' });
      },
      findRefund: ({ body }) => ask('GET', `/refunds/${textAt(body, 'data', 'id')}`),
      showsPendingRefund: true,
      list: () => ask('GET', `/transactions?${span()}`),
      listRefunds: () => ask('GET', `/refunds?${span()}`),
      listDisputes: () => ask('GET', `/chargebacks?${span()}`),
      async upload() {
        const form = new FormData();
        form.set('image', new Blob(['a file'], { type: 'image/png' }), 'a.png');
        const headers = { authorization: `Bearer ${secretKey}` };
        const response = await fetch(`${sandbox.baseUrls.flutterwave}/upload_image`, { method: 'POST', headers, body: form });
        const body: unknown = await response.json();
        return { status: response.status, body };
      },
      settled: () => ask('GET', `/settlements?${span()}`),
      isRefundEvent: (body, state) => has(body, 'AmountRefunded', state === 'failed' ? '"failed"' : '"completed'),
    };
  },

  async fromOpeningToPayout(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const link = await client.open(reference);
    const refusal = await client.verify(reference);
    await stage.pay(reference);
    const refund = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    await stage.dispute(reference);
    await stage.payOut();
    const settlements = await stage.settled();
    const chargebacks = await present(client.listDisputes)();
    return {
      link,
      refusal,
      transaction: await client.verify(reference),
      transactions: await client.list(),
      refund,
      refunds: await present(client.listRefunds)(),
      chargeEvent: await stage.event((body) => has(body, 'charge.completed', reference)),
      refundEvent: await stage.event((body) => has(body, 'AmountRefunded')),
      settlements,
      settlement: await client.ask('GET', `/settlements/${textAt(settlements.body, 'data', 0, 'id')}`),
      chargebacks,
      upload: await present(client.upload)(),
      chargebackAnswered: await client.ask('PUT', `/chargebacks/${textAt(chargebacks.body, 'data', 0, 'id')}`, {
        action: 'accept',
        comment: 'Accepted',
      }),
    };
  },

  gaps: {
    reversed: 'transactions have no such status: refunds and chargebacks are records of their own',
    'wrong key': 'no page shows the answer to a key that is not known',
    'duplicate reference': 'no page shows it, and references may be used again',
    'invalid amount': 'no page shows the answer to invalid fields',
    'refund pending event': 'the one sample is of a refund that is done',
    'refund failed event': 'the one sample is of a refund that is done',
    'dispute event': 'the page on chargebacks names the event, and shows no body',
    'settlement event': 'no event of settlements is documented',
  },

  known: {
    listed: { 'data[].account: missing': byCard },
    'refund done event': {
      'status: completed-mpgs, documented as completed': 'the sample has the bare word, the table of statuses one for each way',
    },
  },

  knownShapes: {
    transactions: { 'data[].account: missing': byCard },
  },
});
