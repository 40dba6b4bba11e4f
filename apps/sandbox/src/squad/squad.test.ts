import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { caller, DAY_MS, dayOf, describeDocumentedFlows, email, has, present } from '../testing/documented-flows.ts';
import { at, call, journal, listAt, quickSandbox, receiver, settle, submit, textAt, until } from '../testing/harness.ts';

let sandbox: Sandbox;
let base: string;
beforeAll(async () => {
  sandbox = await quickSandbox();
  base = sandbox.baseUrls.squad;
});
afterAll(() => sandbox.close());

const key = 'sandbox_sk_squad_demo';
const good = { email: 'ada@example.com', amount: 100_000, currency: 'NGN', initiate_type: 'inline' };
const back = 'https://shop.example/back?keep=1';
const card = { number: '5200000000000007', expiry: '12/30', cvv: '123' };
const declined = { number: '4000000000000002', expiry: '12/30', cvv: '123' };

const initiate = (body: unknown, as: string | null = key) => call('POST', `${base}/transaction/initiate`, as, body);
const verify = (reference: string, as: string | null = key) => call('GET', `${base}/transaction/verify/${reference}`, as);
const refund = (body: unknown) => call('POST', `${base}/transaction/refund`, key, body);
const open = async (fields: object = {}) => textAt((await initiate({ ...good, ...fields })).body, 'data', 'checkout_url');

describe('initiate', () => {
  it('answers with the documented fields and without `success`', async () => {
    const { status, body } = await initiate({ ...good, transaction_ref: 'shape-1', callback_url: back });
    expect(status).toBe(200);
    expect(Object.keys(body ?? {})).toEqual(['status', 'message', 'data']);
    expect(body).toMatchObject({
      status: 200,
      message: 'success',
      data: {
        transaction_ref: 'shape-1',
        transaction_amount: 100_000,
        currency: 'NGN',
        access_token: null,
        merchant_info: { merchant_id: expect.stringMatching(/^SB/) },
        callback_url: back,
        checkout_url: expect.stringMatching(new RegExp(`^${base}/pay/[a-z0-9]{24}$`)),
      },
    });
  });

  it('makes up a reference when none is sent, and takes kobo as a numeric string', async () => {
    const { body } = await initiate({ ...good, amount: '25050' });
    expect(textAt(body, 'data', 'transaction_ref')).toMatch(/^SQ[A-Z0-9]{20}$/);
    expect(at(body, 'data', 'transaction_amount')).toBe(25_050);
  });

  it('refuses a reference used before', async () => {
    await initiate({ ...good, transaction_ref: 'twice' });
    expect(await initiate({ ...good, transaction_ref: 'twice' })).toMatchObject({
      status: 400,
      body: { status: 400, success: false, message: 'Duplicate transaction reference', data: {} },
    });
  });

  it.each([
    [{ ...good, email: undefined }, 'email', 'The email field is required.'],
    [{ ...good, amount: 10.5 }, 'amount', 'The amount field is not valid.'],
    [{ ...good, initiate_type: 'redirect' }, 'initiate_type', 'The initiate_type field is not valid.'],
    [{ ...good, currency: undefined }, 'currency', 'The currency field is required.'],
    ['not json', '$', 'The JSON value could not be converted.'],
  ])('describes what is wrong with %j as problem details', async (body, field, message) => {
    expect(await initiate(body)).toMatchObject({
      status: 400,
      body: { title: 'One or more validation errors occurred.', status: 400, errors: { [field]: [message] } },
    });
  });
});

describe('keys', () => {
  const unauthorised = { status: 401, message: 'Initiate transaction Unauthorized', data: null };
  const wrongHost = { success: false, message: 'API key is invalid. Key must start with sandbox_sk_', data: {} };

  it('are refused by initiate in an envelope of its own', async () => {
    for (const other of [null, 'sandbox_sk_unregistered']) {
      const { status, body } = await initiate(good, other);
      expect([status, body]).toEqual([401, unauthorised]);
    }
  });

  it('of the other host are refused by their prefix', async () => {
    for (const answer of [await initiate(good, 'sk_live_key'), await verify('x', 'sk_live_key')]) {
      expect([answer.status, answer.body]).toEqual([403, wrongHost]);
    }
  });

  it('are refused by the other calls without a status in the body', async () => {
    const { status, body } = await verify('x', null);
    expect([status, body]).toEqual([401, { success: false, message: '', data: {} }]);
  });

  it('keep the ledgers of accounts apart', async () => {
    const other = 'sandbox_sk_another_account';
    await call('PUT', `${sandbox.controlUrl}/control/squad/keys`, null, { secretKey: other });
    await initiate({ ...good, transaction_ref: 'mine' });
    expect((await verify('mine', other)).status).toBe(400);
    expect((await initiate({ ...good, transaction_ref: 'mine' }, other)).status).toBe(200);
  });
});

describe('verify', () => {
  it('follows the customer: abandoned, pending, paid', async () => {
    const url = await open({ transaction_ref: 'steps', callback_url: back });
    const state = async () => at((await verify('steps')).body, 'data');
    expect(await state()).toMatchObject({ transaction_status: 'Abandoned', gateway_transaction_ref: null });
    await submit(`${url}/card`, { ...card, number: '5555555555554444' });
    expect(await state()).toMatchObject({ transaction_status: 'Pending' });
    await submit(`${url}/step`, { pin: '1234' });
    const location = (await submit(`${url}/step`, { otp: '123456' })).headers.get('location');
    expect(location).toBe('https://shop.example/back?keep=1&reference=steps');
    const { status, body } = await verify('steps');
    expect([status, at(body, 'success'), at(body, 'message')]).toEqual([200, true, 'Success']);
    expect(Object.keys(at(body, 'data') ?? {}).sort()).toEqual(
      'created_at email gateway_transaction_ref merchant_business_name merchant_email merchant_name plan_code recurring transaction_amount transaction_currency_id transaction_ref transaction_status transaction_type'.split(
        ' ',
      ),
    );
    expect(at(body, 'data')).toMatchObject({
      transaction_status: 'Success',
      transaction_amount: 100_000,
      transaction_type: 'Card',
      gateway_transaction_ref: 'steps_1_1',
      created_at: expect.stringMatching(/T[\d:.]+$/),
    });
  });

  it('shows a declined try as failed, and a later one that pays as paid', async () => {
    const url = await open({ transaction_ref: 'again', callback_url: back });
    await submit(`${url}/card`, declined);
    expect(at((await verify('again')).body, 'data', 'transaction_status')).toBe('Failed');
    expect((await submit(`${url}/transfer`, { amount: '999.50' })).text).toContain('NGN 999.50 goes back to your bank');
    await submit(`${url}/transfer`, { amount: '1000' });
    expect(at((await verify('again')).body, 'data')).toMatchObject({
      transaction_status: 'Success',
      transaction_amount: 100_000,
      transaction_type: 'Transfer',
      gateway_transaction_ref: 'again_2_2',
    });
  });

  it('of an unknown reference is a refusal', async () => {
    const { status, body } = await verify('nowhere');
    expect([status, body]).toEqual([400, { status: 400, success: false, message: 'Invalid transaction reference', data: {} }]);
  });
});

describe('the list', () => {
  const days = 'start_date=2000-01-01&end_date=2000-01-31';
  const list = (search: string) => call('GET', `${base}/transaction?${search}`, key);
  it('holds the days requested, a page at a time, without the number of pages', async () => {
    let now = Date.parse('2026-11-20T12:00:00Z');
    const own = await quickSandbox({ now: () => (now += 1) });
    try {
      const listed = (search: string) => call('GET', `${own.baseUrls.squad}/transaction?${search}`, key);
      for (const reference of ['list-1', 'list-2', 'list-3'])
        await call('POST', `${own.baseUrls.squad}/transaction/initiate`, key, { ...good, transaction_ref: reference });
      await settle(own, 'squad', 'list-3', { outcome: 'success' });
      const day = 'start_date=2026-11-20&end_date=2026-11-20';
      const { body } = await listed(`${day}&perPage=2&page=1`);
      expect(Object.keys(body ?? {})).toEqual(['status', 'success', 'message', 'data']);
      expect(listAt(body, 'data')).toMatchObject([
        { transaction_ref: 'list-3', transaction_status: 'success', merchant_amount: 99_000, transaction_gateway_id: '' },
        { transaction_ref: 'list-2', transaction_status: 'abandoned' },
      ]);
      expect(textAt(body, 'data', 0, 'created_at')).toMatch(/\+00:00$/);
      expect(listAt((await listed(`${day}&perpage=2&page=500`)).body, 'data')).toEqual([]);
      expect(listAt((await listed(`${day}&reference=list-1`)).body, 'data')).toHaveLength(1);
      expect(listAt((await listed(days)).body, 'data')).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('needs both dates, a month apart at most', async () => {
    expect((await list('start_date=2026-01-01')).status).toBe(400);
    expect((await list('start_date=2026-01-01&end_date=2026-03-01')).status).toBe(400);
  });
});

describe('refunds', () => {
  async function paid(reference: string): Promise<void> {
    await initiate({ ...good, transaction_ref: reference });
    await settle(sandbox, 'squad', reference, { outcome: 'success' });
  }
  const of = (reference: string, fields: object) => ({
    transaction_ref: reference,
    gateway_transaction_ref: `${reference}_1_1`,
    reason_for_refund: 'rf-1 Wrong size',
    ...fields,
  });

  it('are accepted as pending, name the try, and appear in no later answer', async () => {
    await paid('refund-1');
    const { status, body } = await refund(of('refund-1', { refund_type: 'Partial', refund_amount: '40000' }));
    expect([status, body]).toEqual([
      200,
      {
        status: 200,
        success: true,
        message: 'Success',
        data: { gateway_refund_status: 'pending', refund_status: 2, refund_reference: 'REFUND-refund-1_1_1' },
      },
    ]);
    await until(
      () => journal(sandbox, 'squad'),
      (shown) => at(shown, 'refunds', 0, 'status') === 'processed',
    );
    expect((await call('GET', `${base}/transaction/refund/REFUND-refund-1_1_1`, key)).status).toBe(404);
  });

  it('never exceed what was paid', async () => {
    await paid('refund-2');
    expect((await refund(of('refund-2', { refund_type: 'Partial', refund_amount: '99999' }))).status).toBe(200);
    expect((await refund(of('refund-2', { refund_type: 'Partial', refund_amount: '2' }))).status).toBe(400);
    expect((await refund(of('refund-2', { refund_type: 'Full' }))).status).toBe(200);
    expect((await refund(of('refund-2', { refund_type: 'Full' }))).status).toBe(400);
  });

  it('need the reference of the try that paid, a reason, and the amount of a part', async () => {
    await paid('refund-3');
    await initiate({ ...good, transaction_ref: 'refund-4' });
    for (const body of [
      of('refund-3', { refund_type: 'Full', gateway_transaction_ref: 'refund-3_1_2' }),
      of('refund-3', { refund_type: 'Full', reason_for_refund: '' }),
      of('refund-3', { refund_type: 'Partial' }),
      of('refund-3', { refund_type: 'Half' }),
      of('refund-4', { refund_type: 'Full' }),
      of('nowhere', { refund_type: 'Full' }),
    ]) {
      expect(await refund(body)).toMatchObject({ status: 400, body: { success: false, data: {} } });
    }
  });
});

describe('webhooks', () => {
  it('are sent for successful payments only, with a signature in capitals over the bytes sent', async () => {
    const merchant = await receiver();
    const own = await quickSandbox();
    try {
      await call('PUT', `${own.controlUrl}/control/squad/keys`, null, { secretKey: key, webhookUrl: merchant.url });
      const pay = (reference: string) =>
        call('POST', `${own.baseUrls.squad}/transaction/initiate`, key, { ...good, transaction_ref: reference });
      await pay('hook-0');
      await settle(own, 'squad', 'hook-0', { outcome: 'failed' });
      await pay('hook-1');
      await settle(own, 'squad', 'hook-1', { outcome: 'success' });
      const [hook] = await merchant.count(1);
      const expected = createHmac('sha512', key)
        .update(hook?.raw ?? '')
        .digest('hex')
        .toUpperCase();
      expect(hook?.headers['x-squad-encrypted-body']).toBe(expected);
      expect(hook?.body).toMatchObject({
        Event: 'charge_successful',
        TransactionRef: 'hook-1',
        Body: {
          transaction_ref: 'hook-1',
          gateway_ref: 'hook-1_1_1',
          amount: 100_000,
          merchant_amount: 99_000,
          transaction_status: 'Success',
          payment_information: { payment_type: 'card', pan: '520000******0007' },
        },
      });
      expect(merchant.received).toHaveLength(1);
    } finally {
      await own.close();
      await merchant.close();
    }
  });
});

describe('the hosted page', () => {
  it('sends a customer who gives up back with the reference, and keeps a declined one', async () => {
    const url = await open({ transaction_ref: 'leave', callback_url: back });
    expect((await submit(`${url}/card`, declined)).headers.get('location')).toMatch(/^\/squad\/pay\//);
    const location = (await submit(`${url}/cancel`, {})).headers.get('location');
    expect(location).toBe('https://shop.example/back?keep=1&reference=leave');
    expect((await submit(`${url}/card`, card)).headers.get('location')).toContain('reference=leave');
  });

  it('offers only the channels asked for', async () => {
    const page = (await call('GET', await open({ payment_channels: ['transfer'] }))).text;
    expect(page).toContain('Amount to send');
    expect(page).not.toContain('Card number');
  });
});

const unnamed = 'the order names no customer: null in other samples';
const unpaid = 'one that was not paid is listed as well, the sample has paid ones alone';

describeDocumentedFlows('squad', {
  connect(sandbox, { secretKey = '' }) {
    const base = sandbox.baseUrls.squad;
    const ask = caller(base, secretKey);
    const order = (reference: string) => {
      return { email, amount: 100_000, currency: 'NGN', initiate_type: 'inline', transaction_ref: reference };
    };
    const initiate = '/transaction/initiate';
    const verify = (reference: string) => ask('GET', `/transaction/verify/${reference}`);
    return {
      ask,
      naira: 100,
      open: (reference) => ask('POST', initiate, { ...order(reference), callback_url: 'https://shop.example' }),
      openWithoutKey: (reference) => caller(base, null)('POST', initiate, order(reference)),
      openWithoutEmail: (reference) => ask('POST', initiate, { ...order(reference), email: undefined }),
      openInvalid: (reference) => ask('POST', initiate, { ...order(reference), amount: -5 }),
      withWrongKey: (reference) => caller(base, 'live_sk_nothing')('GET', `/transaction/verify/${reference}`),
      verify,
      async refund(reference) {
        return ask('POST', '/transaction/refund', {
          gateway_transaction_ref: textAt((await verify(reference)).body, 'data', 'gateway_transaction_ref'),
          transaction_ref: reference,
          refund_type: 'Partial',
          reason_for_refund: 'Wrong size',
          refund_amount: '10000',
        });
      },
      list() {
        const [from, to] = [dayOf(Date.now() - DAY_MS), dayOf(Date.now() + DAY_MS)];
        return ask('GET', `/transaction?start_date=${from}&end_date=${to}&page=1&perPage=10`);
      },
    };
  },

  async fromOpeningToPayout(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initiate = await client.open(reference);
    const initiateRefusal = await present(client.openWithoutKey)(reference);
    const invalidFields = await present(client.openWithoutEmail)(stage.reference());
    const refusal = await client.verify(stage.reference());
    const keyRefusal = await present(client.withWrongKey)(reference);
    await stage.pay(reference);
    return {
      initiate,
      initiateRefusal,
      invalidFields,
      refusal,
      keyRefusal,
      verify: await client.verify(reference),
      transactions: await client.list(),
      refund: await client.refund(reference),
      chargeEvent: await stage.event((body) => has(body, 'charge_successful', reference)),
    };
  },

  gaps: {
    reversed: 'a status of transfers alone',
    'refund done': 'no call that shows a refund is documented, and no word but pending',
    'refund failed': 'no call that shows a refund is documented, and no word but pending',
    disputed: 'the sample answer of the list of disputes is empty',
    'refunds listed': 'no list of refunds is documented',
    settled: 'no list of settlements is documented',
    'duplicate reference': 'references have to differ; the words of the refusal are not documented',
    'failed event': 'the one event is of charges that succeeded',
    'refund pending event': 'no event of refunds is documented',
    'refund done event': 'no event of refunds is documented',
    'refund failed event': 'no event of refunds is documented',
    'dispute event': 'no event of disputes is documented',
    'settlement event': 'no event of settlements is documented',
  },

  known: {
    listed: {
      'data[].customer_name: null, documented as string': unnamed,
      'data[].transaction_type: null, documented as string': unpaid,
    },
    'invalid amount': { 'errors.email: missing': 'the sample is of another field' },
  },

  knownShapes: {
    chargeEvent: { 'Body.payment_information.token_id: null, documented as string': 'the card was not to be tokenised' },
    transactions: { 'data[].customer_name: null, documented as string': unnamed },
  },
});
