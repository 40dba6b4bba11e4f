import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { caller, DAY_MS, dayOf, describeDocumentedFlows, email, has, present, tokenFor } from '../testing/documented-flows.ts';
import { at, call, listAt, quickSandbox, receiver, setFault, settle, submit, textAt, until } from '../testing/harness.ts';
import { interswitch } from './interswitch.ts';

const demo = interswitch.credentialsFor('demo');
const back = 'https://shop.example/back?keep=1';
const verve = { number: '5060990580000217499', expiry: '03/50', cvv: '111' };
const declined = { number: '5061050254756707866', expiry: '06/32', cvv: '111' };

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await quickSandbox();
  token = await login(sandbox);
});
afterAll(() => sandbox.close());

/** Logs in as `clientId:secretKey`, as the documentation shows it. */
async function logInWith(own: Sandbox, user: string, query = '?grant_type=client_credentials', body = '') {
  const response = await fetch(`${own.baseUrls.interswitch}/passport/oauth/token${query}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(user).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body,
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

async function login(own: Sandbox, credentials = demo): Promise<string> {
  return textAt((await logInWith(own, `${credentials.clientId}:${credentials.secretKey}`)).body, 'access_token');
}

const bill = {
  merchantCode: demo.merchantCode,
  payableCode: demo.payItemId,
  amount: '100000',
  redirectUrl: back,
  customerId: 'cus-1',
  currencyCode: '566',
  customerEmail: 'ada@example.com',
};
const payBill = (fields: Record<string, unknown>, key: string | null = token) =>
  call('POST', `${sandbox.baseUrls.interswitch}/paymentgateway/api/v1/paybill`, key, { ...bill, ...fields });
const openBill = async (transactionReference: string) => textAt((await payBill({ transactionReference })).body, 'paymentUrl');
const transaction = (reference: string, amount: number | string = 100_000, merchant = demo.merchantCode ?? '', key = token) => {
  const query = new URLSearchParams({
    merchantcode: merchant,
    transactionreference: reference,
    amount: String(amount),
  });
  return call('GET', `${sandbox.baseUrls.interswitch}/collections/api/v1/gettransaction.json?${query}`, key);
};
const codeOf = async (reference: string) => textAt((await transaction(reference)).body, 'ResponseCode');

describe('the token', () => {
  it('is issued for the client id and its secret, with the merchant it belongs to', async () => {
    for (const [query, body] of [
      ['?grant_type=client_credentials', ''],
      ['', 'grant_type=client_credentials&scope=profile'],
    ] as const) {
      const issued = await logInWith(sandbox, `${demo.clientId}:${demo.secretKey}`, query, body);
      expect(issued).toMatchObject({
        status: 200,
        body: { token_type: 'bearer', expires_in: 86_399, scope: 'profile', merchant_code: 'MX6072', payable_id: '9405967' },
      });
    }
  });

  it('is refused to a wrong secret, another grant, and a call without credentials', async () => {
    expect(await logInWith(sandbox, `${demo.clientId}:wrong-secret`)).toEqual({
      status: 401,
      body: { error: 'invalid_token', error_description: 'Bad credentials' },
    });
    expect(await logInWith(sandbox, `${demo.clientId}:${demo.secretKey}`, '?grant_type=password')).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
    expect((await call('POST', `${sandbox.baseUrls.interswitch}/passport/oauth/token`)).status).toBe(401);
  });

  it('is what calls are made with: no key, another one and an expired one are refused', async () => {
    expect(await payBill({}, null)).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    expect(await payBill({}, demo.secretKey ?? '')).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    const own = await quickSandbox();
    try {
      const once = await login(own);
      await setFault(own, 'interswitch', { kind: 'expired_token' });
      const ask = () => call('POST', `${own.baseUrls.interswitch}/paymentgateway/api/v1/paybill`, once, bill);
      expect((await ask()).status).toBe(200);
      expect(await ask()).toMatchObject({ status: 401, body: { error_description: 'Access token expired' } });
    } finally {
      await own.close();
    }
  });
});

describe('Pay Bill', () => {
  it('answers the bill as it was requested, with the address to pay at', async () => {
    const { status, body } = await payBill({ transactionReference: 'order-1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...bill,
      id: expect.any(Number),
      amount: 100_000,
      code: '200',
      reference: 'order-1',
      paymentUrl: expect.stringMatching(new RegExp(`^${sandbox.gateways.interswitch}/paymentgateway/pay/[a-z0-9]{20}$`)),
    });
    expect(textAt((await payBill({})).body, 'reference')).toMatch(/^[a-z0-9]{15}$/);
  });

  it.each([
    [{ transactionReference: 'short' }, 'E44'],
    [{ transactionReference: 'x'.repeat(51) }, 'E44'],
    [{ merchantCode: 'MX1' }, '20031'],
    [{ payableCode: '1' }, '20032'],
    [{ currencyCode: '840' }, '20033'],
    [{ amount: '10.5' }, 'amount is invalid'],
    [{ amount: 0 }, 'amount is invalid'],
    [{ redirectUrl: 'javascript:alert(1)' }, 'redirectUrl is invalid'],
    [{ customerId: undefined }, 'customerId is invalid'],
  ])('refuses %j: %s', async (fields, why) => {
    const refused = await payBill({ transactionReference: 'refused-1', ...fields });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(why);
  });

  it('takes a reference once', async () => {
    expect((await payBill({ transactionReference: 'twice-1' })).status).toBe(200);
    expect(await payBill({ transactionReference: 'twice-1' })).toMatchObject({
      status: 400,
      body: { responseCode: 'Z5', responseDescription: 'Duplicate Transaction Reference' },
    });
  });
});

describe('a transaction', () => {
  it('does not exist until the customer begins, then goes by its response code', async () => {
    const page = await openBill('begin-1');
    expect((await transaction('begin-1')).body).toEqual({
      Amount: 0,
      SplitAccounts: [],
      TransactionDate: '0001-01-01T00:00:00',
      ResponseCode: 'Z25',
      ResponseDescription: 'Transaction not Found',
    });
    await submit(`${page}/card`, { number: '5123450000000008', expiry: '01/39', cvv: '100' });
    expect(await codeOf('begin-1')).toBe('09');
    await submit(`${page}/step`, { pin: '1111' });
    expect(await codeOf('begin-1')).toBe('T0');
    await submit(`${page}/step`, { otp: '123456' });
    const paid = await transaction('begin-1');
    expect(paid.body).toMatchObject({
      Amount: 100_000,
      CardNumber: '512345******0008',
      MerchantReference: 'begin-1',
      PaymentReference: expect.stringMatching(/^ISW\|WEB\|MX6072\|\d\d-\d\d-\d{4}\|\d+\|\d+$/),
      RetrievalReferenceNumber: expect.stringMatching(/^\d{12}$/),
      ResponseCode: '00',
      ResponseDescription: 'Approved by Financial Institution',
    });
  });

  it('waits for 3D Secure as S0', async () => {
    const page = await openBill('secure-1');
    await submit(`${page}/card`, { number: '4000000000002503', expiry: '03/50', cvv: '111' });
    expect(await codeOf('secure-1')).toBe('S0');
  });

  it.each([
    ['5061050254756707866', '51'],
    ['5061050254756707865', '91'],
    ['5061050254756707867', '25'],
  ])('that fails by the card %s has the code %s', async (number, code) => {
    const page = await openBill(`failed-${code}`);
    await submit(`${page}/card`, { ...declined, number });
    expect(await codeOf(`failed-${code}`)).toBe(code);
  });

  it('is found by the amount requested alone, and by its own merchant', async () => {
    await openBill('amount-1');
    await settle(sandbox, 'interswitch', 'amount-1', { outcome: 'success', amount: 90_000 });
    expect((await transaction('amount-1')).body).toMatchObject({ Amount: 90_000, ResponseCode: '00' });
    expect((await transaction('amount-1', 90_000)).body).toEqual({
      Amount: 0,
      SplitAccounts: [],
      ResponseCode: 'Z1',
      ResponseDescription: 'Amount Inconsistency',
    });
    expect((await transaction('amount-1', 100_000, 'MX1')).body).toMatchObject({ ResponseCode: '20031' });
    expect((await transaction('amount-1', '')).status).toBe(400);
  });

  it('is invisible to another account', async () => {
    const other = interswitch.credentialsFor('other');
    await call('PUT', `${sandbox.controlUrl}/control/interswitch/keys`, null, other);
    const stranger = await login(sandbox, other);
    await openBill('private-1');
    await settle(sandbox, 'interswitch', 'private-1', { outcome: 'success' });
    expect((await transaction('private-1', 100_000, other.merchantCode, stranger)).body).toMatchObject({ ResponseCode: 'Z25' });
  });
});

describe('the hosted page', () => {
  const leave = async (page: string, path: string, fields: Record<string, string>) =>
    (await submit(`${page}/${path}`, fields)).headers.get('location') ?? '';

  it('sends the customer back with what became of the payment', async () => {
    const paid = new URL(await leave(await openBill('back-1'), 'card', verve)).searchParams;
    expect(Object.fromEntries(paid)).toEqual({
      keep: '1',
      txnref: 'back-1',
      payRef: expect.stringMatching(/^ISW\|WEB\|\d+$/),
      retRef: expect.stringMatching(/^\d{12}$/),
      cardNum: '506099******7499',
      apprAmt: '100000',
      resp: '00',
      desc: 'Approved by Financial Institution',
      amount: '100000',
    });
    const left = new URL(await leave(await openBill('back-2'), 'cancel', {})).searchParams;
    expect([left.get('txnref'), left.get('resp'), left.get('apprAmt')]).toEqual(['back-2', 'Z6', '0']);
  });

  it('lets a declined customer try again', async () => {
    const page = await openBill('again-1');
    expect(await leave(page, 'card', declined)).toMatch(/^\/interswitch\/paymentgateway\/pay\//);
    expect((await call('GET', page)).text).toContain('Payment failed: Insufficient Funds');
    expect(await leave(page, 'card', verve)).toContain('resp=00');
    expect(await codeOf('again-1')).toBe('00');
  });
});

describe('webhooks', () => {
  it('are sent for completed payments and failed tries, signed over the bytes', async () => {
    const own = await quickSandbox();
    const merchant = await receiver();
    try {
      const account = { ...demo, webhookUrl: merchant.url };
      await call('PUT', `${own.controlUrl}/control/interswitch/keys`, null, account);
      const opened = await call('POST', `${own.baseUrls.interswitch}/paymentgateway/api/v1/paybill`, await login(own), {
        ...bill,
        transactionReference: 'hook-1',
      });
      const page = textAt(opened.body, 'paymentUrl');
      await submit(`${page}/card`, declined);
      await merchant.count(1);
      await submit(`${page}/card`, verve);
      const hooks = await merchant.count(2);
      expect(hooks.map(({ body }) => [at(body, 'event'), at(body, 'data', 'responseCode')])).toEqual([
        ['TRANSACTION.UPDATED', '51'],
        ['TRANSACTION.COMPLETED', '00'],
      ]);
      for (const { headers, raw, body } of hooks) {
        const signature = createHmac('sha512', demo.webhookSecret ?? '')
          .update(raw)
          .digest('hex');
        expect(headers['x-interswitch-signature']).toBe(signature);
        expect(at(body, 'data', 'merchantReference')).toBe('hook-1');
      }
    } finally {
      await merchant.close();
      await own.close();
    }
  });
});

describe('refunds', () => {
  const refund = (fields: Record<string, unknown>) =>
    call('POST', `${sandbox.baseUrls.interswitch}/paymentgateway/api/v1/refunds`, token, { refundType: 'PARTIAL', ...fields });
  const fetchRefund = (reference: string) =>
    call('GET', `${sandbox.baseUrls.interswitch}/paymentgateway/api/v1/refunds/${reference}`, token);
  const paid = async (reference: string) => {
    await openBill(reference);
    await settle(sandbox, 'interswitch', reference, { outcome: 'success' });
    return reference;
  };

  it('are received as SUCCESS and end as COMPLETE, under the merchant’s reference', async () => {
    const parentTransactionReference = await paid('refund-1');
    const sent = { refundReference: 'RF-1', parentTransactionReference, refundAmount: '40000', reasonsForRefund: 'Wrong size' };
    const { status, body } = await refund(sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      refundReference: 'RF-1',
      parentTransactionReference,
      merchantCode: 'MX6072',
      parentPaymentId: expect.any(Number),
      refundType: 'PARTIAL',
      refundAmount: 40_000,
      createdDate: expect.any(Number),
      refundStatus: 'SUCCESS',
      createdBy: expect.any(String),
      reasonForRefund: 'Wrong size',
    });
    await until(
      () => fetchRefund('RF-1'),
      (answer) => at(answer.body, 'refundStatus') === 'COMPLETE',
    );
    expect((await refund(sent)).text).toContain('Duplicate refund reference');
    expect((await fetchRefund('RF-none')).status).toBe(404);
  });

  it('never exceed what was paid, and are refused for a payment that failed or is not there', async () => {
    const parentTransactionReference = await paid('refund-2');
    expect((await refund({ parentTransactionReference, refundAmount: 99_999 })).status).toBe(200);
    expect((await refund({ parentTransactionReference, refundAmount: 2 })).status).toBe(400);
    expect((await refund({ parentTransactionReference, refundAmount: 1 })).status).toBe(200);
    expect((await refund({ parentTransactionReference, refundType: 'FULL' })).status).toBe(400);
    await openBill('refund-3');
    expect((await refund({ parentTransactionReference: 'refund-3', refundAmount: 1 })).status).toBe(400);
    expect((await refund({ parentTransactionReference: 'nobody-1', refundAmount: 1 })).status).toBe(404);
    expect((await refund({ parentTransactionReference })).status).toBe(400);
  });
});

describe('lists', () => {
  it('hold the payments and refunds of a period by day, page by page', async () => {
    const own = await quickSandbox({ now: () => Date.parse('2026-11-20T23:30:00Z') });
    try {
      const key = await login(own);
      const base = own.baseUrls.interswitch;
      for (const index of [1, 2, 3]) {
        await call('POST', `${base}/paymentgateway/api/v1/paybill`, key, { ...bill, transactionReference: `list-${index}` });
        await settle(own, 'interswitch', `list-${index}`, { outcome: index === 2 ? 'failed' : 'success' });
      }
      const address = `${base}/switch-online-gateway-service/api/v1/gateway/quick-search`;
      const asked = { merchant_code: 'MX6072', start_date: '2026-11-21', end_date: '2026-11-21' };
      const search = (fields: Record<string, unknown>, query = '') =>
        call('POST', `${address}${query}`, key, { ...asked, ...fields }, { client_id: String(demo.clientId) });
      expect((await call('POST', address, key, asked)).status).toBe(401);
      expect((await call('POST', address, key, asked, { clientid: String(demo.clientId) })).status).toBe(200);
      const first = await search({ cursor: '' }, '?page_size=2');
      expect(first.body).toMatchObject({ dataSize: 3, cursor: '2' });
      expect(first.body).not.toHaveProperty('totalPages');
      const second = await search({ cursor: '2' }, '?page_size=2');
      expect(second.body).toMatchObject({ cursor: '' });
      expect([listAt(first.body, 'data').length, listAt(second.body, 'data').length]).toEqual([2, 1]);
      const all = await search({});
      expect(all.body).toMatchObject({ responseCode: '202', dataSize: 3, totalPages: 1, pageNumber: 1, pageSize: 20 });
      // Half past midnight in Lagos.
      expect(listAt(all.body, 'data')[0]).toMatchObject({
        merchant_reference: 'list-3',
        transaction_date: '2026-11-21T00:30:00.000',
        transaction_amount: 100_000,
        response_code: '00',
        currency_code: '566',
      });
      expect(listAt((await search({}, '?page_number=2&page_size=2')).body, 'data')).toHaveLength(1);
      expect((await search({ start_date: '2026-11-20', end_date: '2026-11-20' })).body).toMatchObject({
        responseCode: '404',
        data: [],
      });
      expect((await search({ start_date: 'yesterday' })).status).toBe(400);
      expect((await search({ merchant_code: 'MX1' })).status).toBe(400);

      await call('POST', `${base}/paymentgateway/api/v1/refunds`, key, {
        refundReference: 'RF-list',
        parentTransactionReference: 'list-1',
        refundType: 'FULL',
      });
      const refunds = (query: string) => call('GET', `${base}/paymentgateway/api/v1/refunds?${query}`, key);
      const day = 'merchantCode=MX6072&startDate=2026-11-21&endDate=2026-11-21';
      expect((await refunds(day)).body).toMatchObject({
        totalPages: 1,
        data: [{ refundReference: 'RF-list', refundType: 'FULL', refundAmount: 100_000 }],
      });
      expect(listAt((await refunds(day.replaceAll('-21', '-20'))).body, 'data')).toEqual([]);
      expect((await refunds('merchantCode=MX6072')).status).toBe(400);
    } finally {
      await own.close();
    }
  });
});

const repeated = 'a field of the request, which the answer repeats';
const compared = 'rows that do not name the reference and the code cannot be compared with anything';

describeDocumentedFlows('interswitch', {
  async connect(sandbox, { clientId = '', secretKey = '', merchantCode, payItemId }) {
    const base = sandbox.baseUrls.interswitch;
    const issued = await tokenFor(`${base}/passport/oauth/token?grant_type=client_credentials`, `${clientId}:${secretKey}`);
    const ask = caller(base, textAt(issued, 'access_token'));
    const lookUp = (reference: string, amount: number) => {
      const query = `merchantcode=${merchantCode}&transactionreference=${reference}&amount=${amount}`;
      return ask('GET', `/collections/api/v1/gettransaction.json?${query}`);
    };
    const order = (reference: string) => ({
      merchantCode,
      payableCode: payItemId,
      amount: 100_000,
      redirectUrl: 'https://shop.example',
      customerId: 'cus-1',
      currencyCode: '566',
      customerEmail: email,
      transactionReference: reference,
    });
    return {
      ask,
      token: issued,
      naira: 100,
      open: (reference) => ask('POST', '/paymentgateway/api/v1/paybill', order(reference)),
      openInvalid: (reference) => ask('POST', '/paymentgateway/api/v1/paybill', { ...order(reference), amount: -5 }),
      verify: (reference) => lookUp(reference, 100_000),
      verifyOtherAmount: (reference) => lookUp(reference, 99_000),
      refund: (reference) =>
        ask('POST', '/paymentgateway/api/v1/refunds', {
          refundReference: `rf-${reference}`,
          parentTransactionReference: reference,
          refundType: 'PARTIAL',
          refundAmount: 10_000,
          reasonsForRefund: 'Wrong size',
        }),
      findRefund: ({ body }) => ask('GET', `/paymentgateway/api/v1/refunds/${textAt(body, 'refundReference')}`),
      async list() {
        const path = '/switch-online-gateway-service/api/v1/gateway/quick-search?page_number=1&page_size=20';
        const search = {
          merchant_code: merchantCode,
          start_date: dayOf(Date.now() - DAY_MS),
          end_date: dayOf(Date.now() + DAY_MS),
        };
        const { status, body } = await call('POST', base + path, textAt(issued, 'access_token'), search, { client_id: clientId });
        return { status, body };
      },
    };
  },

  async fromOpeningToPayout(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const bill = await client.open(reference);
    const notFound = await client.verify(stage.reference());
    await stage.pay(reference);
    return {
      token: { status: 200, body: client.token },
      bill,
      notFound,
      answeredNone: await present(client.verifyOtherAmount)(reference),
      transaction: await client.verify(reference),
      refund: await client.refund(reference),
      transactionEvent: await stage.event((body) => has(body, 'TRANSACTION.COMPLETED', reference)),
    };
  },

  gaps: {
    reversed: 'no such response code is documented for a payment that was approved',
    disputed: 'disputes are in Arbiter, which is for banks',
    'refunds listed': 'the page on refunds names the list, and shows no answer',
    settled: 'no list of settlements is documented',
    'wrong key': 'no page shows the answer to a client that is not known',
    'duplicate reference': 'the code is documented (Z5), the answer that carries it is not',
    'invalid amount': 'no page shows the answer to invalid fields',
    'refund pending event': 'no event of refunds is documented',
    'refund done event': 'no event of refunds is documented',
    'refund failed event': 'no event of refunds is documented',
    'dispute event': 'no event of disputes is documented',
    'settlement event': 'no event of settlements is documented',
  },

  known: {
    'refund pending': { 'parentTransactionReference: in no example': repeated },
    'refund done': { 'parentTransactionReference: in no example': repeated },
    'refund failed': { 'parentTransactionReference: in no example': repeated },
    listed: {
      'data[].merchant_reference: in no example': compared,
      'data[].currency_code: in no example': compared,
      'data[].response_code: in no example': compared,
      'data[].payment_channel: in no example': compared,
    },
  },

  knownShapes: {
    refund: { 'parentTransactionReference: in no example': repeated },
  },
});
