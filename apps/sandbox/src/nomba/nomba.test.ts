import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { DAY_MS, describeDocumentedFlows, email, has, present, type Shown } from '../testing/documented-flows.ts';
import { at, call, listAt, quickSandbox, receiver, setFault, settle, submit, textAt } from '../testing/harness.ts';
import { nomba } from './nomba.ts';

const demo = nomba.credentialsFor('demo');
const back = 'https://shop.example/back?keep=1';
const card = { number: '5434621074252808', expiry: '12/30', cvv: '123' };
const declined = { number: '5484497218317651', expiry: '12/30', cvv: '123' };

type Credentials = Readonly<Record<string, string | undefined>>;

/** A call with a token and the header that names the business. */
const send = (own: Sandbox, method: string, path: string, token: string | null, body?: unknown, accountId = demo.accountId) =>
  call(method, own.baseUrls.nomba + path, token, body, accountId === undefined ? {} : { accountId });

function grantOf({ clientId, secretKey }: Credentials) {
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: secretKey };
}

function logIn(own: Sandbox, credentials: Credentials = demo) {
  return send(own, 'POST', '/v1/auth/token/issue', null, grantOf(credentials), credentials.accountId);
}

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await quickSandbox();
  token = textAt((await logIn(sandbox)).body, 'data', 'access_token');
});
afterAll(() => sandbox.close());

const order = { amount: '1000.00', currency: 'NGN', customerEmail: email, callbackUrl: back };
const create = (fields: Readonly<Record<string, unknown>>, own = sandbox, key = token) =>
  send(own, 'POST', '/v1/checkout/order', key, { order: { ...order, ...fields } });
const open = async (orderReference: string) => textAt((await create({ orderReference })).body, 'data', 'checkoutLink');
const find = (query: Record<string, string>, own = sandbox, key = token) =>
  send(own, 'GET', `/v1/transactions/accounts/single?${new URLSearchParams(query)}`, key);
const refund = (body: unknown) => send(sandbox, 'POST', '/v1/checkout/refund', token, body);

describe('the token', () => {
  it('is issued to a client for 30 minutes, with the header that names the business', async () => {
    const own = await quickSandbox({ now: () => Date.parse('2026-11-20T12:00:00Z') });
    try {
      const { status, body } = await logIn(own);
      expect([status, at(body, 'code'), at(body, 'data', 'businessId')]).toEqual([200, '00', demo.accountId]);
      expect(at(body, 'data', 'expiresAt')).toBe('2026-11-20T12:30:00.000Z');
    } finally {
      await own.close();
    }
  });

  it.each([
    ['another secret', { ...demo, secretKey: 'sandbox-nomba-secret-other' }],
    ['another client', { ...demo, clientId: 'nomba-client-other' }],
    ['another business', { ...demo, accountId: 'nomba-account-other' }],
  ])('is refused to %s', async (_, credentials) => {
    expect(await logIn(sandbox, credentials)).toMatchObject({ status: 401, body: { code: '401', description: 'Unauthorized' } });
  });

  it('is what calls are made with: none, another one, an expired one, and one of another business are refused', async () => {
    for (const key of [null, 'no-token']) {
      expect((await send(sandbox, 'GET', '/v1/transactions/accounts', key)).status).toBe(401);
    }
    expect((await send(sandbox, 'GET', '/v1/transactions/accounts', token, undefined, 'nomba-account-other')).status).toBe(401);
    const own = await quickSandbox();
    try {
      const once = textAt((await logIn(own)).body, 'data', 'access_token');
      await setFault(own, 'nomba', { kind: 'expired_token' });
      const ask = () => send(own, 'GET', '/v1/transactions/accounts', once);
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 401]);
    } finally {
      await own.close();
    }
  });
});

describe('an order', () => {
  it('is opened at a hosted page, and answered with an id of Nomba’s own', async () => {
    const { status, body } = await create({ orderReference: 'Shape-1', orderMetaData: { payment_id: 'p-1' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      code: '00',
      description: 'Success',
      data: {
        success: true,
        message: 'success',
        checkoutLink: expect.stringMatching(new RegExp(`^${sandbox.gateways.nomba}/sandbox/[a-z0-9]{32}$`)),
        orderReference: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      },
    });
  });

  it('is taken once under a reference, in either case', async () => {
    expect((await create({ orderReference: 'twice' })).status).toBe(200);
    expect(await create({ orderReference: 'TWICE' })).toMatchObject({
      status: 400,
      body: { code: '400', description: 'Duplicate order reference' },
    });
  });

  it.each([
    { amount: 0 },
    { amount: '10.505' },
    { currency: 'USD' },
    { callbackUrl: 'javascript:alert(1)' },
    { customerEmail: 'ada' },
  ])('is refused with %j', async (fields) => {
    expect(await create(fields)).toMatchObject({ status: 400, body: { code: '400' } });
  });
});

describe('a transaction', () => {
  it('does not exist until the customer begins, then is pending, failed and paid', async () => {
    const page = await open('Begin-1');
    const status = async () => at((await find({ orderReference: 'Begin-1' })).body, 'data', 'status');
    expect((await find({ orderReference: 'Begin-1' })).body).toEqual({
      code: '01',
      description: 'Transaction not found',
      data: null,
    });
    await submit(`${page}/card`, declined);
    expect(await status()).toBe('PAYMENT_FAILED');
    await submit(`${page}/card`, card);
    expect(await status()).toBe('PENDING_BILLING');
    await submit(`${page}/step`, { pin: '1234' });
    await submit(`${page}/step`, { otp: '9999' });
    expect(at((await find({ orderReference: 'begin-1' })).body, 'data')).toMatchObject({
      id: expect.stringMatching(/^WEB-ONLINE_C-[0-9A-F]{5}-/),
      status: 'SUCCESS',
      amount: '1000',
      fixedCharge: '14',
      onlineCheckoutOrderReference: 'begin-1',
      onlineCheckoutPaymentMethod: 'card_payment',
      onlineCheckoutCardPan: '543462 **** **** 2808',
    });
  });

  it('is found by the order’s id and by its own, and by no other account', async () => {
    const opened = await create({ orderReference: 'ids-1' });
    await settle(sandbox, 'nomba', 'ids-1', { outcome: 'success' });
    const byReference = await find({ orderReference: 'ids-1' });
    expect(await find({ orderId: textAt(opened.body, 'data', 'orderReference') })).toEqual(byReference);
    expect(await find({ transactionRef: textAt(byReference.body, 'data', 'id') })).toEqual(byReference);
    const other = nomba.credentialsFor('other');
    await call('PUT', `${sandbox.controlUrl}/control/nomba/keys`, null, other);
    const stranger = textAt((await logIn(sandbox, other)).body, 'data', 'access_token');
    const path = `/v1/transactions/accounts/single?transactionRef=${textAt(byReference.body, 'data', 'id')}`;
    expect((await send(sandbox, 'GET', path, stranger, undefined, other.accountId)).body).toMatchObject({ code: '01' });
  });

  it('is found late, where the account is set up so', async () => {
    let now = Date.parse('2026-11-20T12:00:00Z');
    const own = await quickSandbox({ now: () => now });
    try {
      await call('PUT', `${own.controlUrl}/control/nomba/keys`, null, { ...demo, lookupDelayMs: '10000' });
      const key = textAt((await logIn(own)).body, 'data', 'access_token');
      await create({ orderReference: 'late-1' }, own, key);
      await settle(own, 'nomba', 'late-1', { outcome: 'success' });
      expect((await find({ orderReference: 'late-1' }, own, key)).body).toMatchObject({ code: '01' });
      now += 10_000;
      expect(at((await find({ orderReference: 'late-1' }, own, key)).body, 'data', 'status')).toBe('SUCCESS');
    } finally {
      await own.close();
    }
  });
});

describe('the list', () => {
  it('goes by cursors to an empty one, newest first, within the period', async () => {
    let now = Date.parse('2026-11-20T12:00:00Z');
    const own = await quickSandbox({ now: () => (now += 1) });
    try {
      const key = textAt((await logIn(own)).body, 'data', 'access_token');
      for (const index of [1, 2, 3]) {
        await create({ orderReference: `list-${index}` }, own, key);
        await settle(own, 'nomba', `list-${index}`, { outcome: 'success' });
      }
      const list = (query: Record<string, string>) =>
        send(own, 'GET', `/v1/transactions/accounts?${new URLSearchParams(query)}`, key);
      const day = { dateFrom: '2026-11-20T00:00:00.000Z', dateTo: '2026-11-21T00:00:00' };
      const first = await list({ ...day, limit: '2' });
      const references = (body: unknown) => listAt(body, 'data', 'results').map((row) => at(row, 'onlineCheckoutOrderReference'));
      expect(references(first.body)).toEqual(['list-3', 'list-2']);
      const second = await list({ ...day, limit: '2', cursor: textAt(first.body, 'data', 'cursor') });
      expect([references(second.body), at(second.body, 'data', 'cursor')]).toEqual([['list-1'], '']);
      expect(references((await list({ dateFrom: '2026-11-21T00:00:00.000Z' })).body)).toEqual([]);
      expect((await list({ cursor: 'x' })).status).toBe(400);
    } finally {
      await own.close();
    }
  });
});

describe('refunds', () => {
  const paid = async (orderReference: string) => {
    await create({ orderReference });
    await settle(sandbox, 'nomba', orderReference, { outcome: 'success' });
    return textAt((await find({ orderReference })).body, 'data', 'id');
  };

  it('are taken by the transaction’s id, name nothing, and never exceed what was paid', async () => {
    const transactionId = await paid('refund-1');
    expect(await refund({ transactionId, amount: 400 })).toMatchObject({
      status: 200,
      body: { code: '00', data: { success: true, message: 'Refund processed successfully' } },
    });
    expect((await refund({ transactionId, amount: '600.01' })).status).toBe(400);
    expect((await refund({ transactionId })).status).toBe(200);
    expect((await refund({ transactionId })).status).toBe(400);
  });

  it('of a payment that failed, is not there, or has no id, are refused', async () => {
    await create({ orderReference: 'refund-2' });
    await settle(sandbox, 'nomba', 'refund-2', { outcome: 'failed' });
    const failed = textAt((await find({ orderReference: 'refund-2' })).body, 'data', 'id');
    expect((await refund({ transactionId: failed })).status).toBe(400);
    expect((await refund({ transactionId: 'WEB-ONLINE_C-1' })).status).toBe(404);
    expect((await refund({ amount: 1 })).status).toBe(400);
  });
});

describe('webhooks', () => {
  it('are sent for both outcomes, signed over eight fields and the time, and not over the amount', async () => {
    const own = await quickSandbox();
    const merchant = await receiver();
    try {
      await call('PUT', `${own.controlUrl}/control/nomba/keys`, null, { ...demo, webhookUrl: merchant.url });
      const key = textAt((await logIn(own)).body, 'data', 'access_token');
      const page = textAt((await create({ orderReference: 'Hook-1' }, own, key)).body, 'data', 'checkoutLink');
      await submit(`${page}/card`, declined);
      await merchant.count(1);
      await submit(`${page}/transfer`, { amount: '999.50' });
      const hooks = await merchant.count(2);
      expect(hooks.map(({ body }) => [at(body, 'event_type'), at(body, 'data', 'order', 'paymentMethod')])).toEqual([
        ['payment_failed', 'card_payment'],
        ['payment_success', 'bank_transfer'],
      ]);
      for (const { headers, body } of hooks) {
        const part = (...path: string[]) => textAt(body, ...path);
        const signed = [
          part('event_type'),
          part('requestId'),
          part('data', 'merchant', 'userId'),
          part('data', 'merchant', 'walletId'),
          part('data', 'transaction', 'transactionId'),
          part('data', 'transaction', 'type'),
          part('data', 'transaction', 'time'),
          '',
          headers['nomba-timestamp'],
        ].join(':');
        const signature = createHmac('sha256', demo.webhookSecret ?? '')
          .update(signed)
          .digest('base64');
        expect(headers['nomba-signature']).toBe(signature);
        expect(part('data', 'order', 'orderReference')).toBe('hook-1');
      }
    } finally {
      await merchant.close();
      await own.close();
    }
  });
});

describe('the hosted page', () => {
  it('sends the customer back with Nomba’s id and the reference in lower case, and keeps a declined one', async () => {
    const page = await open('Back-1');
    expect((await submit(`${page}/card`, declined)).headers.get('location')).toMatch(/^\/nomba\/sandbox\//);
    const location = new URL((await submit(`${page}/transfer`, { amount: '1000' })).headers.get('location') ?? '');
    expect(Object.fromEntries(location.searchParams)).toEqual({
      keep: '1',
      orderId: expect.any(String),
      orderReference: 'back-1',
    });
  });

  it('offers only the methods asked for', async () => {
    const link = textAt((await create({ allowedPaymentMethods: ['Transfer'] })).body, 'data', 'checkoutLink');
    const page = (await call('GET', link)).text;
    expect(page).toContain('Amount to send');
    expect(page).not.toContain('Card number');
  });
});

const noRefundCall = 'no call that shows a refund is documented, and no word for its state';

describeDocumentedFlows('nomba', {
  async connect(own, credentials) {
    const { body: issued } = await logIn(own, credentials);
    const ask = (method: string, path: string, body?: unknown): Promise<Shown> =>
      send(own, method, path, textAt(issued, 'data', 'access_token'), body, credentials.accountId);
    const verify = (reference: string) => ask('GET', `/v1/transactions/accounts/single?orderReference=${reference}`);
    const orderOf = (orderReference: string, amount: number) => ({ order: { ...order, orderReference, amount } });
    return {
      ask,
      token: issued,
      naira: 1,
      open: (reference) => ask('POST', '/v1/checkout/order', orderOf(reference, 1_000)),
      openInvalid: (reference) => ask('POST', '/v1/checkout/order', orderOf(reference, -5)),
      withWrongKey: (reference) =>
        send(
          own,
          'GET',
          `/v1/transactions/accounts/single?orderReference=${reference}`,
          'no-token',
          undefined,
          credentials.accountId,
        ),
      verify,
      async refund(reference) {
        const transactionId = textAt((await verify(reference)).body, 'data', 'id');
        return ask('POST', '/v1/checkout/refund', { transactionId, amount: 100 });
      },
      list() {
        const [from, to] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)];
        return ask('GET', `/v1/transactions/accounts?limit=10&dateFrom=${from.toISOString()}&dateTo=${to.toISOString()}`);
      },
    };
  },

  async fromOpeningToPayout(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const opened = await client.open(reference);
    const notFound = await client.verify(reference);
    const refusal = await present(client.withWrongKey)(reference);
    await stage.pay(reference);
    return {
      token: { status: 200, body: client.token },
      order: opened,
      notFound,
      refusal,
      transaction: await client.verify(reference),
      transactions: await client.list(),
      refund: await client.refund(reference),
      paymentEvent: await stage.event((body) => has(body, 'payment_success', reference)),
    };
  },

  gaps: {
    reversed: 'the words are described of transfers out of an account alone',
    'refund done': noRefundCall,
    'refund failed': noRefundCall,
    disputed: 'disputes are in the dashboard alone',
    'refunds listed': 'no list of refunds is documented',
    settled: 'no list of settlements is documented',
    'duplicate reference': 'what a reference that was used before is answered with is not documented',
    'failed event': 'the event is documented without a sample',
    'refund pending event': 'no event of refunds is documented',
    'refund done event': 'no event of refunds is documented',
    'refund failed event': 'no event of refunds is documented',
    'dispute event': 'no event of disputes is documented',
    'settlement event': 'no event of settlements is documented',
  },

  known: {},
  knownShapes: {},
});
