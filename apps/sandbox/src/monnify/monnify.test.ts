import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { caller, describeDocumentedFlows, email, has, present, tokenFor } from '../testing/documented-flows.ts';
import {
  type Answer,
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
import { monnify } from './monnify.ts';
import { monnifyFee, slashTime } from './wire.ts';

const keys = monnify.credentialsFor('demo');
let sandbox: Sandbox;
let base: string;
let token: string;
beforeAll(async () => {
  sandbox = await quickSandbox();
  base = sandbox.gateways.monnify;
  token = textAt((await logIn()).body, 'responseBody', 'accessToken');
});
afterAll(() => sandbox.close());

async function logIn(address = base, { apiKey = '', secretKey = '' } = keys): Promise<{ status: number; body: unknown }> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
  const response = await fetch(`${address}/api/v1/auth/login`, { method: 'POST', headers: { authorization } });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

const good = {
  amount: 1_000,
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  paymentReference: 'order-1',
  paymentDescription: 'Order 1',
  currencyCode: 'NGN',
  contractCode: keys.contractCode,
};
const back = 'https://shop.example/back?keep=1';
const plain = { number: '4111111111111111', expiry: '10/27', cvv: '123' };
const declined = { number: '4111111111111110', expiry: '10/27', cvv: '123' };

const init = (body: unknown, key: string | null = token) =>
  call('POST', `${base}/api/v1/merchant/transactions/init-transaction`, key, body);
const query = (reference: string, key = token) =>
  call('GET', `${base}/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(reference)}`, key);
const statusOf = async (reference: string) => at((await query(reference)).body, 'responseBody', 'paymentStatus');
const refused = (status: number, responseMessage: unknown, responseCode = '99') => ({
  status,
  body: { requestSuccessful: false, responseMessage, responseCode },
});

/** Opens a payment and returns its page's address. */
async function open(reference: string, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await init({ ...good, paymentReference: reference, redirectUrl: back, ...fields });
  return textAt(answer.body, 'responseBody', 'checkoutUrl');
}

describe('the login', () => {
  it('gives a token for an hour', async () => {
    expect(await logIn()).toEqual({
      status: 200,
      body: {
        requestSuccessful: true,
        responseMessage: 'success',
        responseCode: '0',
        responseBody: { accessToken: expect.any(String), expiresIn: 3600 },
      },
    });
  });

  it('refuses keys that do not belong together', async () => {
    const wrong = refused(401, 'Invalid credentials');
    expect(await logIn(base, { ...keys, secretKey: 'SOMETHINGELSE' })).toEqual(wrong);
    expect(await logIn(base, { ...keys, apiKey: 'MK_TEST_NOBODY' })).toEqual(wrong);
  });

  it('is what every other call needs: keys themselves open nothing, and tokens end', async () => {
    expect(await init(good, null)).toMatchObject(refused(401, 'Full authentication is required to access this resource'));
    expect(await init(good, keys.apiKey)).toMatchObject(refused(401, 'Invalid credentials'));
    let now = Date.parse('2026-11-20T10:00:00Z');
    const own = await quickSandbox({ now: () => now });
    try {
      const issued = textAt((await logIn(own.gateways.monnify)).body, 'responseBody', 'accessToken');
      const search = () => call('GET', `${own.gateways.monnify}/api/v1/transactions/search`, issued);
      expect((await search()).status).toBe(200);
      now += 3_600_000;
      expect(await search()).toMatchObject(refused(401, 'Access token expired'));
    } finally {
      await own.close();
    }
  });

  it('is needed again after each call under the fault expired_token', async () => {
    const own = await quickSandbox();
    try {
      await setFault(own, 'monnify', { kind: 'expired_token' });
      const issued = textAt((await logIn(own.gateways.monnify)).body, 'responseBody', 'accessToken');
      const search = () => call('GET', `${own.gateways.monnify}/api/v1/transactions/search`, issued);
      expect([(await search()).status, (await search()).status]).toEqual([200, 401]);
    } finally {
      await own.close();
    }
  });
});

describe('payments', () => {
  it('answers with a page whose address ends with Monnify’s own reference', async () => {
    const { status, body } = await init({ ...good, paymentReference: 'shape', redirectUrl: back, metaData: { a: 'b' } });
    expect(status).toBe(200);
    const reference = textAt(body, 'responseBody', 'transactionReference');
    expect(reference).toMatch(/^MNFY\|17\|\d{14}\|\d{6}$/);
    expect(at(body, 'responseBody')).toEqual({
      transactionReference: reference,
      paymentReference: 'shape',
      merchantName: expect.any(String),
      apiKey: keys.apiKey,
      redirectUrl: back,
      enabledPaymentMethod: ['CARD', 'ACCOUNT_TRANSFER'],
      checkoutUrl: `${base}/checkout/${reference}`,
      incomeSplitConfig: [],
      metaData: { a: 'b' },
    });
    for (const address of [reference, encodeURIComponent(reference)]) {
      expect((await call('GET', `${base}/checkout/${address}`)).text).toContain('Order 1');
    }
  });

  it.each([
    [{ ...good, amount: 19.99 }, 400, 'amount is missing or invalid'],
    [{ ...good, amount: 100.005 }, 400, 'amount is missing or invalid'],
    [{ ...good, amount: '1000' }, 400, 'amount is missing or invalid'],
    [{ ...good, customerEmail: 'nobody' }, 400, 'customerEmail is missing or invalid'],
    [{ ...good, customerName: 'Al' }, 400, 'customerName is missing or invalid'],
    [{ ...good, paymentDescription: undefined }, 400, 'paymentDescription is missing or invalid'],
    [{ ...good, currencyCode: 'USD' }, 400, 'currencyCode is missing or invalid'],
    [{ ...good, redirectUrl: 'javascript:alert(1)' }, 400, 'redirectUrl is missing or invalid'],
    [{ ...good, paymentMethods: ['PIGEON'] }, 400, 'paymentMethods.0 is missing or invalid'],
    [{ ...good, contractCode: '5555555555' }, 404, 'Could not find specified contract'],
    ['not json', 400, 'Invalid JSON in request body'],
  ])('refuses %j with %i: %s', async (body, status, message) => {
    expect(await init(body)).toMatchObject(refused(status, message));
  });

  it('takes a reference once', async () => {
    await open('once');
    expect(await init({ ...good, paymentReference: 'once' })).toMatchObject(refused(422, 'Duplicate payment reference'));
  });

  it('are invisible to another account', async () => {
    const other = monnify.credentialsFor('another');
    await call('PUT', `${sandbox.controlUrl}/control/monnify/keys`, null, other);
    const theirs = textAt((await logIn(base, other)).body, 'responseBody', 'accessToken');
    await open('private');
    await settle(sandbox, 'monnify', 'private', { outcome: 'success' });
    const reference = textAt((await query('private')).body, 'responseBody', 'transactionReference');
    expect((await query('private', theirs)).status).toBe(404);
    expect((await call('GET', `${base}/api/v2/transactions/${encodeURIComponent(reference)}`, theirs)).status).toBe(404);
    const rows = await call('GET', `${base}/api/v1/transactions/search`, theirs);
    expect(at(rows.body, 'responseBody', 'content')).toEqual([]);
    expect(await refundOf(reference, 'rf-theirs', 100, theirs)).toMatchObject({ body: { responseCode: 'R1' } });
  });
});

describe('transactions', () => {
  it('exist as PENDING before the customer acts, and under either reference', async () => {
    await open('later');
    const { status, body } = await query('later');
    expect(status).toBe(200);
    expect(at(body, 'responseBody')).toMatchObject({
      paymentReference: 'later',
      paymentStatus: 'PENDING',
      amountPaid: '0.00',
      settlementAmount: null,
      paidOn: null,
      currency: 'NGN',
      product: { type: 'WEB_SDK', reference: 'later' },
      customer: { email: 'ada@example.com', name: 'Ada Obi' },
    });
    const reference = encodeURIComponent(textAt(body, 'responseBody', 'transactionReference'));
    expect((await call('GET', `${base}/api/v2/transactions/${reference}`, token)).body).toEqual(body);
    const byOwn = await call('GET', `${base}/api/v2/merchant/transactions/query?transactionReference=${reference}`, token);
    expect(byOwn.body).toEqual(body);
  });

  it('that were not initialised are 404', async () => {
    const unknown = refused(404, 'There is no transaction with the specified reference');
    expect(await query('never')).toMatchObject(unknown);
    for (const reference of ['MNFY%7C17%7C1%7C2', 'MNFY%7C00%7C00000000000000%7C000001', 'x']) {
      expect(await call('GET', `${base}/api/v2/transactions/${reference}`, token)).toMatchObject(unknown);
    }
    expect((await call('GET', `${base}/api/v2/merchant/transactions/query`, token)).status).toBe(400);
  });

  it.each([
    [1_000, 'PAID', '1000.00', '985.00'],
    [999.99, 'PARTIALLY_PAID', '999.99', '984.99'],
    [1_000.01, 'OVERPAID', '1000.01', '985.01'],
  ])('to which %d naira came are %s', async (amount, paymentStatus, amountPaid, settlementAmount) => {
    await open(`came-${amount}`);
    await settle(sandbox, 'monnify', `came-${amount}`, { outcome: 'success', amount });
    expect(at((await query(`came-${amount}`)).body, 'responseBody')).toMatchObject({
      paymentStatus,
      amountPaid,
      settlementAmount,
      paidOn: expect.stringMatching(/^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2} [AP]M$/),
    });
  });

  it('are FAILED after a declined card, and PAID once another is taken', async () => {
    const page = await open('again');
    await submit(`${page}/card`, declined);
    expect(await statusOf('again')).toBe('FAILED');
    await submit(`${page}/card`, plain);
    expect(await statusOf('again')).toBe('PAID');
  });

  it('are EXPIRED after forty minutes, as their page is', async () => {
    let now = Date.parse('2026-11-20T10:00:00Z');
    const own = await quickSandbox({ now: () => now });
    try {
      const address = own.gateways.monnify;
      const issued = textAt((await logIn(address)).body, 'responseBody', 'accessToken');
      const opened = await call('POST', `${address}/api/v1/merchant/transactions/init-transaction`, issued, good);
      expect(textAt(opened.body, 'responseBody', 'transactionReference')).toContain('MNFY|17|20261120110000|');
      now += 2_400_000;
      const page = textAt(opened.body, 'responseBody', 'checkoutUrl');
      expect((await submit(`${page}/card`, plain)).text).toContain('This payment page has expired.');
      const found = await call('GET', `${address}/api/v2/merchant/transactions/query?paymentReference=order-1`, issued);
      expect(at(found.body, 'responseBody', 'paymentStatus')).toBe('EXPIRED');
    } finally {
      await own.close();
    }
  });

  it('are found in pages that count from 0, by status and by period', async () => {
    const own = await quickSandbox();
    try {
      const address = own.gateways.monnify;
      const issued = textAt((await logIn(address)).body, 'responseBody', 'accessToken');
      const search = (filter: string) => call('GET', `${address}/api/v1/transactions/search?${filter}`, issued);
      for (const index of [1, 2, 3]) {
        const body = { ...good, paymentReference: `list-${index}` };
        await call('POST', `${address}/api/v1/merchant/transactions/init-transaction`, issued, body);
      }
      await settle(own, 'monnify', 'list-1', { outcome: 'success' });
      const references = (answer: Answer) =>
        listAt(answer.body, 'responseBody', 'content').map((row) => at(row, 'paymentReference'));
      const first = await search('page=0&size=2');
      expect(references(first)).toEqual(['list-3', 'list-2']);
      expect(at(first.body, 'responseBody')).toMatchObject({
        totalElements: 3,
        totalPages: 2,
        number: 0,
        first: true,
        last: false,
      });
      expect(references(await search('page=1&size=2'))).toEqual(['list-1']);
      expect(references(await search('paymentStatus=PAID'))).toEqual(['list-1']);
      expect(references(await search(`from=${Date.now() + 60_000}`))).toEqual([]);
      expect(references(await search('to=1'))).toEqual([]);
      expect((await search('from=yesterday')).status).toBe(400);
      expect(at((await search('paymentStatus=PAID')).body, 'responseBody', 'content', 0)).toMatchObject({
        amount: 1_000,
        amountPaid: 1_000,
        fee: 15,
        currencyCode: 'NGN',
        createdOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+\+00:00$/),
        customerDTO: { email: 'ada@example.com' },
      });
    } finally {
      await own.close();
    }
  });

  it('that another system made have a reference too, by which they are found', async () => {
    const planted = { reference: 'elsewhere', amount: 500 };
    await call('POST', `${sandbox.controlUrl}/control/monnify/transactions`, null, planted);
    const reference = textAt((await query('elsewhere')).body, 'responseBody', 'transactionReference');
    const found = await call('GET', `${base}/api/v2/transactions/${encodeURIComponent(reference)}`, token);
    expect(at(found.body, 'responseBody', 'paymentReference')).toBe('elsewhere');
  });
});

describe('the hosted page', () => {
  const leave = async (url: string, path: string, fields: Record<string, string>) =>
    (await submit(`${url}/${path}`, fields)).headers.get('location') ?? '';

  it('sends the customer back with the merchant’s reference, paid or not', async () => {
    const expected = (reference: string) => `https://shop.example/back?keep=1&paymentReference=${reference}`;
    expect(await leave(await open('back-1'), 'card', plain)).toBe(expected('back-1'));
    expect(await leave(await open('back-2'), 'transfer', { amount: '1000' })).toBe(expected('back-2'));
    expect(await leave(await open('back-3'), 'cancel', {})).toBe(expected('back-3'));
  });

  it('accepts every challenge of its cards', async () => {
    const otp = await open('step-1');
    await submit(`${otp}/card`, { number: '5060995994247093', expiry: '12/27', cvv: '123' });
    await submit(`${otp}/step`, { pin: '1234' });
    expect(await leave(otp, 'step', { otp: '123456' })).toContain('paymentReference=step-1');
    const bank = await open('step-2');
    await submit(`${bank}/card`, { number: '4000000000000002', expiry: '12/27', cvv: '123' });
    expect(await leave(bank, 'step', { decision: 'approve' })).toContain('paymentReference=step-2');
    expect([await statusOf('step-1'), await statusOf('step-2')]).toEqual(['PAID', 'PAID']);
  });

  it('offers what the request names', async () => {
    const page = (await call('GET', await open('transfer-only', { paymentMethods: ['ACCOUNT_TRANSFER'] }))).text;
    expect(page).toContain('Bank transfer');
    expect(page).not.toContain('Card number');
  });
});

function refundOf(transactionReference: string, refundReference: string, refundAmount: number, key = token): Promise<Answer> {
  const body = { transactionReference, refundReference, refundAmount, refundReason: 'Wrong size', customerNote: 'Refund' };
  return call('POST', `${base}/api/v1/refunds/initiate-refund`, key, body);
}

describe('refunds', () => {
  async function paid(reference: string): Promise<string> {
    await open(reference, { amount: 500.5 });
    await settle(sandbox, 'monnify', reference, { outcome: 'success' });
    return textAt((await query(reference)).body, 'responseBody', 'transactionReference');
  }

  it('are taken under the merchant’s reference and complete by themselves', async () => {
    const transactionReference = await paid('refund-1');
    const { status, body } = await refundOf(transactionReference, 'rf-1', 500.5);
    expect(status).toBe(200);
    expect(at(body, 'responseBody')).toEqual({
      refundReference: 'rf-1',
      transactionReference,
      refundReason: 'Wrong size',
      customerNote: 'Refund',
      refundAmount: 500.5,
      refundType: 'FULL_REFUND',
      refundStatus: 'PENDING',
      refundStrategy: 'MERCHANT_WALLET',
      comment: expect.any(String),
      completedOn: null,
      createdOn: expect.stringMatching(/[AP]M$/),
    });
    await until(
      () => call('GET', `${base}/api/v1/refunds/rf-1`, token),
      (answer) => at(answer.body, 'responseBody', 'refundStatus') === 'COMPLETED',
    );
    expect(await statusOf('refund-1')).toBe('PAID');
  });

  it('never exceed what was paid, and have one reference each', async () => {
    const reference = await paid('refund-2');
    expect((await refundOf(reference, 'rf-2a', 490.4)).status).toBe(200);
    expect(await refundOf(reference, 'rf-2b', 10.11)).toMatchObject(refused(422, expect.any(String), 'R3'));
    expect(await refundOf(reference, 'rf-2b', 9.99)).toMatchObject(refused(422, expect.any(String), 'R4'));
    expect(await refundOf(reference, 'rf-2a', 10.1)).toMatchObject(refused(422, 'Duplicate refund reference'));
    expect(await refundOf(reference, 'rf-2b', 10.1)).toMatchObject({ body: { responseBody: { refundType: 'PARTIAL_REFUND' } } });
  });

  it('are refused for what was not paid, and for what is not there', async () => {
    await open('refund-3');
    const reference = textAt((await query('refund-3')).body, 'responseBody', 'transactionReference');
    expect(await refundOf(reference, 'rf-3', 100)).toMatchObject(refused(422, expect.any(String), 'R2'));
    expect(await refundOf('MNFY|1|2|3', 'rf-3', 100)).toMatchObject(refused(404, expect.any(String), 'R1'));
    expect(await call('GET', `${base}/api/v1/refunds/rf-3`, token)).toMatchObject(refused(404, expect.any(String)));
  });

  it('are listed, all or of one transaction', async () => {
    const reference = await paid('refund-4');
    await refundOf(reference, 'rf-4', 100);
    const list = async (filter: string) =>
      listAt((await call('GET', `${base}/api/v1/refunds?${filter}`, token)).body, 'responseBody', 'content').map((row) =>
        at(row, 'refundReference'),
      );
    expect(await list(`transactionReference=${encodeURIComponent(reference)}`)).toEqual(['rf-4']);
    expect(await list('size=100')).toContain('rf-4');
    expect(await list('to=1')).toEqual([]);
  });
});

describe('webhooks', () => {
  it('are sent for money that came and for refunds that ended, signed over the bytes with the secret key', async () => {
    const merchant = await receiver();
    const own = await quickSandbox({ accounts: { monnify: { webhookUrl: merchant.url } } });
    try {
      const address = own.gateways.monnify;
      const issued = textAt((await logIn(address)).body, 'responseBody', 'accessToken');
      const body = { ...good, metaData: { note: 'Ọ̀yọ́ ₦' } };
      const opened = await call('POST', `${address}/api/v1/merchant/transactions/init-transaction`, issued, body);
      await submit(`${textAt(opened.body, 'responseBody', 'checkoutUrl')}/card`, declined);
      await settle(own, 'monnify', 'order-1', { outcome: 'success' });
      const transactionReference = textAt(opened.body, 'responseBody', 'transactionReference');
      const refund = { transactionReference, refundReference: 'rf-1', refundAmount: 400, refundReason: 'Wrong size' };
      await call('POST', `${address}/api/v1/refunds/initiate-refund`, issued, refund);
      const hooks = await merchant.count(2);
      for (const { headers, raw } of hooks) {
        const hmac = createHmac('sha512', keys.secretKey ?? '').update(raw);
        expect(headers['monnify-signature']).toBe(hmac.digest('hex'));
      }
      expect(hooks.map((hook) => hook.body)).toMatchObject([
        {
          eventType: 'SUCCESSFUL_TRANSACTION',
          eventData: {
            transactionReference,
            paymentReference: 'order-1',
            paymentStatus: 'PAID',
            amountPaid: 1_000,
            settlementAmount: '985.00',
            paidOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/),
          },
        },
        {
          eventType: 'SUCCESSFUL_REFUND',
          eventData: { transactionReference, refundReference: 'rf-1', refundStatus: 'COMPLETED', refundAmount: 400 },
        },
      ]);
      const calls = listAt(await journal(own, 'monnify'), 'calls').map((entry) => at(entry, 'reference'));
      expect(calls).toContain('order-1');
    } finally {
      await own.close();
      await merchant.close();
    }
  });
});

describe('figures', () => {
  it.each([
    [1_000, 15],
    [500.5, 7.51],
    [133_334, 2_000],
    [1_000_000, 2_000],
  ])('the fee on %d naira is %d', (amount, fee) => {
    expect(monnifyFee(amount)).toBe(fee);
  });

  it.each([
    ['2026-11-20T10:24:45.615Z', '20/11/2026 11:24:45 AM'],
    ['2026-11-20T11:00:00.000Z', '20/11/2026 12:00:00 PM'],
    ['2026-11-19T23:00:00.000Z', '20/11/2026 12:00:00 AM'],
    ['2026-12-31T23:59:59.000Z', '01/01/2027 12:59:59 AM'],
  ])('%s is written as %s', (iso, text) => {
    expect(slashTime(iso)).toBe(text);
  });
});

describe('settlements', () => {
  const wednesday = Date.parse('2026-11-18T11:00:00.000Z');

  it('are announced with their payments, which are told page by page; refunds are paid from the wallet', async () => {
    const merchant = await receiver();
    let now = wednesday;
    const own = await quickSandbox({ now: () => now, accounts: { monnify: { webhookUrl: merchant.url } } });
    try {
      const address = own.gateways.monnify;
      const issue = async () => textAt((await logIn(address)).body, 'responseBody', 'accessToken');
      for (const paymentReference of ['one', 'two', 'three']) {
        await call('POST', `${address}/api/v1/merchant/transactions/init-transaction`, await issue(), {
          ...good,
          paymentReference,
        });
        await settle(own, 'monnify', paymentReference, { outcome: 'success' });
      }
      const found = await call('GET', `${address}/api/v2/merchant/transactions/query?paymentReference=one`, await issue());
      const transactionReference = textAt(found.body, 'responseBody', 'transactionReference');
      const refund = { transactionReference, refundReference: 'rf-1', refundAmount: 400, refundReason: 'Wrong size' };
      await call('POST', `${address}/api/v1/refunds/initiate-refund`, await issue(), refund);
      await merchant.count(4);
      now += 86_400_000;
      const faults = [{ kind: 'missing_settlement_line', reference: 'three' }];
      await call('POST', `${own.controlUrl}/control/monnify/settlements`, null, { dueOnly: true, faults });
      const hook = (await merchant.count(5))[4];
      const hmac = createHmac('sha512', keys.secretKey ?? '').update(hook?.raw ?? '');
      expect(hook?.headers['monnify-signature']).toBe(hmac.digest('hex'));
      expect(hook?.body).toMatchObject({
        eventType: 'SETTLEMENT',
        eventData: { amount: '2955.00', settlementTime: '19/11/2026 02:00:00 AM', transactionsCount: 2 },
      });
      const reference = textAt(hook?.body, 'eventData', 'settlementReference');
      const page = async (query: string) =>
        call('GET', `${address}/api/v1/transactions/find-by-settlement-reference?${query}`, await issue());
      const [first, second] = [
        await page(`reference=${reference}&page=0&size=1`),
        await page(`reference=${reference}&page=1&size=1`),
      ];
      expect([first.body, second.body].map((body) => listAt(body, 'responseBody', 'content'))).toMatchObject([
        [{ paymentReference: 'one', amountPaid: '1000.00', settlementAmount: '985.00', paymentStatus: 'PAID' }],
        [{ paymentReference: 'two' }],
      ]);
      expect(second.body).toMatchObject({ responseBody: { number: 1, totalPages: 2, last: true } });
      expect((await page('reference=unknown')).status).toBe(404);
      expect((await page('page=0')).status).toBe(400);
    } finally {
      await own.close();
      await merchant.close();
    }
  });
});

describe('a card charged by API', () => {
  const charge = async (reference: string, number: string) => {
    const opened = await init({ ...good, paymentReference: reference, redirectUrl: back });
    const transactionReference = textAt(opened.body, 'responseBody', 'transactionReference');
    const card = { number, expiryMonth: '12', expiryYear: '2032', cvv: '123', pin: '1234' };
    const body = { transactionReference, collectionChannel: 'API_NOTIFICATION', card };
    return (await call('POST', `${base}/api/v1/merchant/cards/charge`, token, body)).body;
  };

  it('pays the open checkout, once', async () => {
    expect(await charge('api-1', plain.number)).toMatchObject({
      requestSuccessful: true,
      responseBody: { status: 'SUCCESS', paymentReference: 'api-1', authorizedAmount: 1_000 },
    });
    expect(await statusOf('api-1')).toBe('PAID');
  });

  it('asks for a step where the card has one, and fails where it is declined', async () => {
    expect(at(await charge('api-2', '5060995994247093'), 'responseBody', 'status')).toBe('OTP_AUTHORIZATION_REQUIRED');
    expect(at(await charge('api-3', '4000000000000002'), 'responseBody', 'status')).toBe('BANK_AUTHORIZATION_REQUIRED');
    expect(at(await charge('api-4', declined.number), 'responseBody', 'status')).toBe('FAILED');
    expect(await statusOf('api-4')).not.toBe('PAID');
  });

  it('refuses a transaction that it does not know', async () => {
    const card = { number: plain.number, expiryMonth: '12', expiryYear: '2032', cvv: '123' };
    const body = { transactionReference: 'MNFY|00|1|1', collectionChannel: 'API_NOTIFICATION', card };
    expect((await call('POST', `${base}/api/v1/merchant/cards/charge`, token, body)).status).toBe(404);
  });
});

const unpaid = 'one that was not paid is listed as well, the sample has paid ones alone';
const searched = 'in the API reference’s answer of the search, not in the SDK’s sample';

describeDocumentedFlows('monnify', {
  async connect(sandbox, { apiKey = '', secretKey = '', contractCode }) {
    const base = sandbox.baseUrls.monnify;
    const issued = await tokenFor(`${base}/api/v1/auth/login`, `${apiKey}:${secretKey}`);
    const ask = caller(base, textAt(issued, 'responseBody', 'accessToken'));
    const order = (reference: string) => ({
      amount: 1_000,
      customerName: 'Ada Obi',
      customerEmail: email,
      paymentReference: reference,
      paymentDescription: 'Order 1',
      currencyCode: 'NGN',
      contractCode,
      redirectUrl: 'https://shop.example',
    });
    const initialise = '/api/v1/merchant/transactions/init-transaction';
    const verify = (reference: string) => ask('GET', `/api/v2/merchant/transactions/query?paymentReference=${reference}`);
    return {
      ask,
      token: issued,
      naira: 1,
      open: (reference) => ask('POST', initialise, order(reference)),
      openInvalid: (reference) => ask('POST', initialise, { ...order(reference), amount: -5 }),
      verify,
      async refund(reference) {
        const transactionReference = textAt((await verify(reference)).body, 'responseBody', 'transactionReference');
        return ask('POST', '/api/v1/refunds/initiate-refund', {
          transactionReference,
          refundReference: `rf-${reference}`,
          refundAmount: 100,
          refundReason: 'Wrong size',
          customerNote: 'Refund',
        });
      },
      findRefund: ({ body }) => ask('GET', `/api/v1/refunds/${textAt(body, 'responseBody', 'refundReference')}`),
      list: () => ask('GET', '/api/v1/transactions/search?page=0&size=10'),
      listRefunds: () => ask('GET', '/api/v1/refunds?page=0&size=10'),
      async settled(event) {
        const { body: announced } = await event((body) => has(body, '"SETTLEMENT"'));
        const reference = textAt(announced, 'eventData', 'settlementReference');
        return ask('GET', `/api/v1/transactions/find-by-settlement-reference?reference=${reference}&page=0&size=10`);
      },
      isRefundEvent: (body, state) => has(body, state === 'failed' ? 'FAILED_REFUND' : 'SUCCESSFUL_REFUND'),
    };
  },

  async fromOpeningToPayout(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initialised = await client.open(reference);
    const refusal = await client.open(reference);
    await stage.pay(reference);
    const transaction = await client.verify(reference);
    const refund = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    await stage.payOut();
    return {
      token: { status: 200, body: client.token },
      initialised,
      refusal,
      transaction,
      transactions: await client.list(),
      refund,
      refunds: await present(client.listRefunds)(),
      collectionEvent: await stage.event((body) => has(body, 'SUCCESSFUL_TRANSACTION', reference)),
      refundEvent: await stage.event((body) => has(body, 'SUCCESSFUL_REFUND')),
      settlementEvent: await stage.event((body) => has(body, '"SETTLEMENT"')),
      settled: await stage.settled(),
    };
  },

  gaps: {
    disputed: 'no disputes are documented',
    'wrong key': 'no page shows the answer to keys that are not known',
    'failed event': 'events are of collections that succeeded',
    'refund pending event': 'events are of refunds that ended',
    'dispute event': 'no disputes are documented',
  },

  known: {
    listed: {
      'responseBody.content[].customerDTO.merchantCode: in no example': searched,
      'responseBody.content[].providerAmount: in no example': searched,
      'responseBody.content[].flagged: in no example': searched,
      'responseBody.content[].merchantCode: in no example': searched,
      'responseBody.content[].payableAmount: in no example': searched,
      'responseBody.content[].paymentMethod: null, documented as string': unpaid,
    },
    'settlement event': {
      'eventData.transactions[].accountDetails: null, documented as object': 'paid by card, the sample by transfer',
    },
  },

  knownShapes: {
    initialised: {
      'responseBody.incomeSplitConfig: in no example': 'in the table of the API reference, not in the SDK’s sample',
    },
    settlementEvent: {
      'eventData.transactions[].accountDetails: null, documented as object': 'paid by card, the sample by transfer',
    },
    transactions: {
      'responseBody.content[].customerDTO.merchantCode: in no example': searched,
      'responseBody.content[].providerAmount: in no example': searched,
      'responseBody.content[].flagged: in no example': searched,
      'responseBody.content[].merchantCode: in no example': searched,
      'responseBody.content[].payableAmount: in no example': searched,
    },
  },
});
