import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTo } from '../access.ts';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess } from '../gateway.ts';
import { readAllPages } from '../list-answers.ts';
import { createRedactor } from '../redact.ts';
import type { Verdict } from '../states.ts';
import { readRefundState } from '../states.ts';
import { describeGatewayContract } from '../testing/contract.ts';
import {
  delivered,
  order,
  query,
  reference,
  refundOrder,
  type TransactionFacts,
  type WireAnswer,
  wholeList,
  wholeRefundList,
  wireReply,
} from '../testing/script.ts';
import { type StubCall, type StubReply, type StubServer, startStubServer } from '../testing/stub-server.ts';
import { api } from './api.ts';
import { monnifyScript, settledPage, settlementNotice, transactionOf } from './fixtures/script.ts';
import { monnify } from './monnify.ts';
import { evaluateTransaction } from './verdict.ts';
import { readMonnifyTime, refundStates, transactionSchema } from './wire.ts';

describeGatewayContract(monnify, monnifyScript);

const credentials = monnifyScript.credentials.test;
const patient = { timeoutMs: 10_000 };
const loginPath = '/api/v1/auth/login';
const transactionReference = 'MNFY|17|20261120112245|000311';
let server: StubServer;
let account: AccountAccess;
let holders = 0;

beforeAll(async () => {
  server = await startStubServer();
});
afterAll(async () => {
  await closeGatewayConnections();
  await server.close();
});

/** Plays Monnify for an account that has no token yet. */
function serve(answer: (call: StubCall, count: number) => StubReply, expiresIn = 3567): void {
  holders += 1;
  const apiKey = `MK_TEST_HOLDER${holders}`;
  account = { accountId: 'acc-1', mode: 'test', credentials: { ...credentials, apiKey }, baseUrl: server.url };
  let logins = 0;
  let count = 0;
  server.script((call) => {
    if (call.path === loginPath) {
      logins += 1;
      return wireReply({
        status: 200,
        json: { requestSuccessful: true, responseBody: { accessToken: `issued-${holders}-${logins}`, expiresIn } },
      });
    }
    count += 1;
    return answer(call, count);
  });
}
const always = (answer: WireAnswer) => serve(() => wireReply(answer));
const paths = () => server.calls.map((call) => call.path);
const sentBody = () => JSON.parse(server.calls.at(-1)?.body ?? '');
const refusal = (responseMessage: string, responseCode = '99', status = 400): WireAnswer => ({
  status,
  json: { requestSuccessful: false, responseMessage, responseCode },
});

const facts: TransactionFacts = { reference, id: transactionReference, state: 'paid', amount: 1000, currency: 'NGN' };

function judge(changes: Readonly<Record<string, unknown>>): Verdict {
  const wire = transactionOf(facts);
  const parsed = transactionSchema.parse({ ...wire, responseBody: { ...wire.responseBody, ...changes } });
  return evaluateTransaction(parsed.responseBody, query);
}

describe('a token of Monnify', () => {
  const ask = () => monnify.verify(account, query, patient);
  const bearers = () =>
    server.calls.filter((call) => call.path !== loginPath).map((call) => call.headers.authorization?.replace('Bearer ', ''));

  it('is had for the API key and the secret key by Basic, once for calls at the same time', async () => {
    always(monnifyScript.transaction(facts));
    const all = await Promise.all([ask(), ask(), ask()]);
    expect(all.map(({ outcome }) => outcome)).toEqual(['yes', 'yes', 'yes']);
    expect(paths().filter((path) => path === loginPath)).toHaveLength(1);
    const basic = Buffer.from(`${account.credentials.apiKey}:${account.credentials.secretKey}`).toString('base64');
    expect(server.calls[0]).toMatchObject({ method: 'POST', path: loginPath, body: '' });
    expect(server.calls[0]?.headers.authorization).toBe(`Basic ${basic}`);
    expect(new Set(bearers())).toEqual(new Set([`issued-${holders}-1`]));
  });

  it('is had again when it was refused, for an action too, which then is done once', async () => {
    const opened = monnifyScript.opened(reference, `${server.url}/checkout/x`);
    serve((_call, count) => (count === 1 ? wireReply(refusal('Access token expired', '99', 401)) : wireReply(opened)));
    expect((await monnify.open(account, order, patient)).outcome).toBe('yes');
    expect(bearers()).toEqual([`issued-${holders}-1`, `issued-${holders}-2`]);
  });

  it('is had anew before it expires', async () => {
    serve(() => wireReply(monnifyScript.transaction(facts)), 0);
    await ask();
    await ask();
    expect(bearers()).toEqual([`issued-${holders}-1`, `issued-${holders}-2`]);
  });

  it.each([
    [401, refusal('Invalid credentials', '99', 401)],
    [200, refusal('Invalid credentials', '99', 200)],
    [400, refusal('Invalid credentials')],
  ])('that is refused with %i leaves nothing done, and is our configuration', async (_status, answer) => {
    always(monnifyScript.transaction(facts));
    server.script(() => wireReply(answer));
    const refused = { class: 'our_configuration', code: 'invalid_credentials' };
    expect(await monnify.open(account, order, patient)).toMatchObject({ outcome: 'no', failure: refused });
    expect(await monnify.refund(account, refundOrder, patient)).toMatchObject({ outcome: 'no', failure: refused });
    expect(await ask()).toMatchObject({ outcome: 'unknown', failure: refused });
    expect(new Set(paths())).toEqual(new Set([loginPath]));
  });

  it.each<[string, StubReply]>([
    ['a 500', { kind: 'answer', status: 500, body: '' }],
    ['a token without a life', wireReply({ status: 200, json: { requestSuccessful: true, responseBody: { accessToken: 'x' } } })],
    [
      'a token with a line break',
      wireReply({ status: 200, json: { requestSuccessful: true, responseBody: { accessToken: 'a\nb', expiresIn: 9 } } }),
    ],
  ])('that the service cannot give (%s) counts against it', async (_what, reply) => {
    always(monnifyScript.transaction(facts));
    server.script(() => reply);
    expect(await monnify.open(account, order, patient)).toMatchObject({ outcome: 'no', failure: { class: 'provider_fault' } });
  });
});

describe('a checkout at Monnify', () => {
  it('is requested in naira, under our reference, for the contract', async () => {
    always(monnifyScript.opened(reference, `${server.url}/checkout/x`));
    expect((await monnify.open(account, order, patient)).outcome).toBe('yes');
    expect(server.calls.at(-1)).toMatchObject({ method: 'POST', path: '/api/v1/merchant/transactions/init-transaction' });
    expect(sentBody()).toEqual({
      amount: 1000,
      currencyCode: 'NGN',
      customerName: 'ada',
      customerEmail: order.customer.email,
      paymentReference: reference,
      paymentDescription: `Payment ${order.paymentId}`,
      contractCode: credentials.contractCode,
      redirectUrl: order.callbackUrl,
      metaData: { payment_id: order.paymentId },
    });
  });

  it.each([
    ['CARD', 'CARD'],
    ['TRANSFER', 'ACCOUNT_TRANSFER'],
    ['USSD', 'USSD'],
    ['DIRECT_DEBIT', 'DIRECT_DEBIT'],
  ])('offers only %s when that was chosen', async (method, sent) => {
    always(monnifyScript.opened(reference, `${server.url}/checkout/x`));
    await monnify.open(account, { ...order, method }, patient);
    expect(sentBody()).toMatchObject({ paymentMethods: [sent] });
  });

  it('names a customer whose address begins with one or two letters by the whole address', async () => {
    always(monnifyScript.opened(reference, `${server.url}/checkout/x`));
    await monnify.open(account, { ...order, customer: { ...order.customer, email: 'al@example.com' } }, patient);
    expect(sentBody()).toMatchObject({ customerName: 'al@example.com' });
  });

  it('has an address without bare pipes, and an answer as it came', async () => {
    const checkoutUrl = `${server.url}/checkout/${transactionReference}`;
    always(monnifyScript.opened(reference, checkoutUrl));
    expect(await monnify.open(account, order, patient)).toMatchObject({
      value: {
        redirectUrl: `${server.url}/checkout/MNFY%7C17%7C20261120112245%7C000311`,
        accessCode: '',
        raw: { checkoutUrl, transactionReference, apiKey: '[redacted]' },
      },
    });
  });

  it('may be at the sandbox for a test account, and at Monnify’s own hosts only', async () => {
    for (const [url, outcome] of [
      ['https://sandbox.sdk.monnify.com/checkout/MNFY|17|1|2', 'yes'],
      ['https://sdk.monnify.com/checkout/MNFY|17|1|2', 'yes'],
      ['https://monnify.com.evil.example/checkout/MNFY|17|1|2', 'unknown'],
      ['https://evilmonnify.com/checkout/MNFY|17|1|2', 'unknown'],
    ] as const) {
      always(monnifyScript.opened(reference, url));
      expect((await monnify.open(account, order, patient)).outcome).toBe(outcome);
    }
  });

  it.each([200, 400, 404, 422])('is refused when requestSuccessful is false, whatever the status: %i', async (status) => {
    always(refusal('Could not find specified contract', '99', status));
    expect(await monnify.open(account, order, patient)).toMatchObject({ outcome: 'no', failure: { code: 'request_rejected' } });
  });

  it('under a reference of a completed card transaction is a duplicate', async () => {
    always(refusal('Transaction already completed', '100'));
    expect(await monnify.open(account, order, patient)).toMatchObject({ failure: { code: 'duplicate_reference' } });
  });
});

describe('a transaction at Monnify', () => {
  it('is looked up by our reference, percent-encoded', async () => {
    always(monnifyScript.notFound());
    await monnify.verify(account, { ...query, reference: 'MNFY|1&x=2', transactionId: transactionReference }, patient);
    expect(paths().at(-1)).toBe('/api/v2/merchant/transactions/query?paymentReference=MNFY%7C1%26x%3D2');
  });

  it.each([
    ['PAID', 'yes', false],
    ['OVERPAID', 'yes', false],
    ['PARTIALLY_PAID', 'yes', false],
    ['REVERSED', 'yes', true],
  ])('that is %s brought what was paid', (paymentStatus, outcome, reversed) => {
    expect(judge({ paymentStatus, amountPaid: '999.50' })).toMatchObject({ outcome, value: { amount: '999.5', reversed } });
  });

  it('by transfer names who paid by the first account that is named', () => {
    const account = { bankCode: '000014', amountPaid: '1000.00', accountName: 'Ada Obi', accountNumber: '******1070' };
    const payer = { bank: '000014', name: 'Ada Obi', accountEnd: '1070' };
    for (const source of [
      { accountDetails: account, accountPayments: [] },
      { accountDetails: {}, accountPayments: [{}, account] },
      { accountDetails: null, accountPayments: [account] },
    ])
      expect(judge({ paymentMethod: 'ACCOUNT_TRANSFER', ...source })).toMatchObject({ value: { payer } });
    const none = { accountDetails: {}, accountPayments: [] };
    expect(judge({ paymentMethod: 'ACCOUNT_TRANSFER', ...none })).not.toHaveProperty('value.payer');
    expect(judge({ paymentMethod: 'CARD', accountDetails: account })).not.toHaveProperty('value.payer');
  });

  it.each([
    ['FAILED', 'declined'],
    ['CANCELLED', 'checkout_closed'],
    ['EXPIRED', 'checkout_closed'],
  ])('that is %s brought nothing: %s', (paymentStatus, code) => {
    expect(judge({ paymentStatus })).toMatchObject({ outcome: 'no', failure: { class: 'customer', code } });
  });

  it.each(['PENDING', 'ABANDONED'])('that is %s may still be paid', (paymentStatus) => {
    expect(judge({ paymentStatus, amountPaid: '0.00' })).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'customer', code: 'not_paid_yet' },
    });
  });

  it.each(['paid', 'SUCCESS', ''])('of the status %j proves nothing', (paymentStatus) => {
    expect(judge({ paymentStatus })).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration', code: 'unrecognised_status' },
    });
  });

  it.each([200, 400, 404])('is not found by the message, with any status: %i', async (status) => {
    for (const message of [
      'There is no transaction with the specified reference',
      'Could not find transaction with reference x',
    ]) {
      always(refusal(message, '99', status));
      expect(await monnify.verify(account, query, patient)).toMatchObject({ outcome: 'no', failure: { code: 'not_found' } });
    }
  });

  it('stays open on a 404 that is about something else', async () => {
    always(refusal('Could not find specified contract', '99', 404));
    expect(await monnify.verify(account, query, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'request_rejected' },
    });
  });

  it.each([
    ['1000.00', '985.00', '15'],
    ['100.00', '99.25', '0.75'],
    ['100.5', '99', '1.5'],
    ['100', '98.5', '1.5'],
    ['1000.00', '1000.00', '0'],
    ['1000.00', null, null],
    ['1000.00', '1000.01', null],
    ['1000.00', '985.001', null],
    ['1000.00', 'soon', null],
  ])('paid with %s and settled with %s cost %s', (amountPaid, settlementAmount, fee) => {
    expect(judge({ amountPaid, settlementAmount })).toMatchObject({ value: { fee } });
  });

  it('returns method and time', () => {
    expect(judge({})).toMatchObject({ value: { method: 'TRANSFER', paidAt: new Date('2026-11-20T10:24:45.000Z') } });
    expect(judge({ paymentMethod: 'PHONE_NUMBER', paidOn: null })).toMatchObject({ value: { method: null, paidAt: null } });
  });
});

describe('a time of Monnify', () => {
  it.each([
    ['20/11/2026 11:24:45 AM', '2026-11-20T10:24:45.000Z'],
    ['20/11/2026 1:04:05 PM', '2026-11-20T12:04:05.000Z'],
    ['20/11/2026 12:00:00 AM', '2026-11-19T23:00:00.000Z'],
    ['20/11/2026 12:00:00 PM', '2026-11-20T11:00:00.000Z'],
    ['20/11/2026 18:21:33', '2026-11-20T17:21:33.000Z'],
    ['2026-11-20 11:24:45.615', '2026-11-20T10:24:45.615Z'],
    ['2026-11-20T11:24:45', '2026-11-20T10:24:45.000Z'],
    ['2026-11-20T10:24:45.000+0000', '2026-11-20T10:24:45.000Z'],
    ['2026-11-20T10:24:45.000+00:00', '2026-11-20T10:24:45.000Z'],
    ['2026-11-20T10:24:45Z', '2026-11-20T10:24:45.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(readMonnifyTime(text)?.toISOString()).toBe(iso);
  });

  it.each(['', 'yesterday', '2026-13-45 00:00:00', '45/13/2026 11:00:00 AM', '20/11/2026', '1795170000000', null, undefined])(
    '%j is none',
    (text) => {
      expect(readMonnifyTime(text)).toBeNull();
    },
  );
});

describe('a refund at Monnify', () => {
  const request = { ...refundOrder, transactionId: transactionReference };

  it('is requested by Monnify’s reference, under ours', async () => {
    always(monnifyScript.refund(refundOrder.refundReference, 'processing'));
    await monnify.refund(account, { ...request, reason: `Out of stock ${'x'.repeat(80)}` }, patient);
    expect(paths().at(-1)).toBe('/api/v1/refunds/initiate-refund');
    expect(sentBody()).toEqual({
      transactionReference,
      refundReference: refundOrder.refundReference,
      refundAmount: 400,
      refundReason: `Out of stock ${'x'.repeat(51)}`,
      customerNote: 'Refund',
    });
  });

  it('looks the transaction up when its reference was not kept, or is none', async () => {
    for (const transactionId of [null, 'x y']) {
      serve((call) =>
        wireReply(
          call.method === 'GET' ? monnifyScript.transaction(facts) : monnifyScript.refund(request.refundReference, 'processing'),
        ),
      );
      expect((await monnify.refund(account, { ...request, transactionId }, patient)).outcome).toBe('yes');
      expect(sentBody()).toMatchObject({ transactionReference });
    }
  });

  it('is not requested when the payment cannot be looked up', async () => {
    for (const answer of [monnifyScript.notFound(), { status: 500, json: {} }]) {
      always(answer);
      expect((await monnify.refund(account, { ...request, transactionId: null }, patient)).outcome).toBe('no');
      expect(server.calls.every((call) => call.path !== '/api/v1/refunds/initiate-refund')).toBe(true);
    }
  });

  it.each([
    ['R1', 'Transaction with specified reference does not exist.'],
    ['R2', 'Refund not permitted for specified transaction.'],
    ['R3', 'Specified refund amount is above transaction amount.'],
    ['R4', 'Specified refund amount is below minimum refund amount.'],
    ['R5', 'Merchant does not have sufficient funds to process refund.'],
  ])('is refused with %s', async (code, message) => {
    always(refusal(message, code));
    expect(await monnify.refund(account, request, patient)).toMatchObject({
      outcome: 'no',
      failure: { code: 'request_rejected' },
    });
  });

  it('that was requested before under its reference is not taken as refused', async () => {
    always(refusal('Duplicate refund reference', '99', 422));
    expect(await monnify.refund(account, request, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'duplicate_reference' },
    });
  });

  it.each([
    ['PENDING', 'processing'],
    ['IN_PROGRESS', 'processing'],
    ['COMPLETED', 'succeeded'],
    ['FAILED', 'failed'],
    ['BREWING', 'processing'],
  ])('that is %s is %s', (status, state) => {
    const found = { title: 'Monnify', record: {}, redactor: createRedactor([]) };
    expect(readRefundState(refundStates, status, found).state).toBe(state);
  });
});

describe('lists of Monnify', () => {
  it('are asked for from page 0, for a period in milliseconds', async () => {
    always(monnifyScript.paymentPage([], { page: 1, pages: 0 }));
    expect((await monnify.listPayments(account, wholeList, patient)).outcome).toBe('yes');
    const period = `from=${wholeList.from.getTime()}&to=${wholeList.to.getTime()}`;
    expect(paths().at(-1)).toBe(`/api/v1/transactions/search?page=0&size=50&${period}`);
  });

  it('of refunds name the transaction with its pipes encoded', async () => {
    always(monnifyScript.refundPage([], { page: 1, pages: 0 }));
    await monnify.listRefunds(account, { ...wholeRefundList, transactionId: transactionReference }, patient);
    expect(paths().at(-1)).toContain('transactionReference=MNFY%7C17%7C20261120112245%7C000311');
  });

  it('show what arrived where they have it, and what was asked for where they have not', async () => {
    const row = (amountPaid: unknown) => {
      const page = monnifyScript.paymentPage([{ ...facts, createdAt: '2026-11-20T11:00:00.000Z' }], { page: 1, pages: 1 });
      return JSON.parse(JSON.stringify(page).replace('"amountPaid":1000', `"amountPaid":${JSON.stringify(amountPaid)}`));
    };
    for (const [amountPaid, amount] of [
      [900.5, '900.5'],
      [null, '1000'],
    ]) {
      always(row(amountPaid));
      expect(await monnify.listPayments(account, wholeList, patient)).toMatchObject({ value: { rows: [{ amount, fee: '15' }] } });
    }
  });
});

describe('a webhook from Monnify', () => {
  const access: AccountAccess = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: null };
  const read = (payload: unknown) => {
    const body = JSON.stringify(payload);
    return monnify.readWebhook(access, delivered(body, monnifyScript.sign(body, credentials)));
  };
  const collection = (eventType: string, changes: Readonly<Record<string, unknown>> = {}) => ({
    eventType,
    eventData: { transactionReference, paymentReference: reference, paymentStatus: 'PAID', amountPaid: 1000, ...changes },
  });

  it('distinguishes a second transfer from the first', () => {
    const first = read(collection('SUCCESSFUL_TRANSACTION', { paymentStatus: 'PARTIALLY_PAID', amountPaid: 400 }));
    const second = read(collection('SUCCESSFUL_TRANSACTION'));
    expect(first).toMatchObject({ kind: 'payment', reference, transactionId: transactionReference });
    expect('dedupeKey' in first && 'dedupeKey' in second && first.dedupeKey !== second.dedupeKey).toBe(true);
    const more = read(collection('SUCCESSFUL_TRANSACTION', { paymentStatus: 'PARTIALLY_PAID', amountPaid: 600 }));
    expect('dedupeKey' in first && 'dedupeKey' in more && first.dedupeKey !== more.dedupeKey).toBe(true);
  });

  it.each(['REJECTED_PAYMENT', 'FAILED_TRANSACTION'])('%s is a reason to look, no more', (eventType) => {
    const fields = { paymentStatus: undefined, amountPaid: undefined, created_on: '2026-11-20 11:24:45' };
    expect(read(collection(eventType, fields))).toMatchObject({
      kind: 'payment',
      reference,
      occurredAt: new Date('2026-11-20T10:24:45.000Z'),
    });
  });

  it('of a refund names the refund', () => {
    expect(read(JSON.parse(monnifyScript.refundNotice() ?? ''))).toEqual({
      kind: 'refund',
      event: 'SUCCESSFUL_REFUND',
      gatewayRefundId: refundOrder.refundReference,
      reference: null,
      dedupeKey: `SUCCESSFUL_REFUND:${refundOrder.refundReference}:COMPLETED`,
      occurredAt: new Date('2026-11-20T11:05:00.000Z'),
    });
  });

  it('of an event that is acted upon, without its references, is refused', () => {
    expect(read({ eventType: 'SUCCESSFUL_TRANSACTION', eventData: {} })).toEqual({ kind: 'refused', why: 'malformed' });
    expect(read({ eventType: 'FAILED_REFUND', eventData: {} })).toEqual({ kind: 'refused', why: 'malformed' });
  });

  it('signed in capitals is the same', () => {
    const body = JSON.stringify(collection('SUCCESSFUL_TRANSACTION'));
    const [signature = ''] = Object.values(monnifyScript.sign(body, credentials));
    expect(monnify.readWebhook(access, delivered(body, { 'monnify-signature': signature.toUpperCase() })).kind).toBe('payment');
  });
});

describe('a Monnify account', () => {
  it('tests at the sandbox, and is live at the live service', () => {
    const at = (mode: 'test' | 'live') =>
      accessTo(api, { accountId: 'acc-1', mode, credentials: monnifyScript.credentials[mode], baseUrl: null });
    expect(at('test')).toMatchObject({ kind: 'ready', baseUrl: 'https://sandbox.monnify.com' });
    expect(at('live')).toMatchObject({ kind: 'ready', baseUrl: 'https://api.monnify.com' });
  });

  it('has no colon in its API key, which would end the user name', () => {
    expect(monnify.credentials.safeParse({ ...credentials, apiKey: 'MK_TEST_A:B' }).success).toBe(false);
  });
});

describe('a settlement', () => {
  const read = (body: string, signed = body) =>
    monnify.readWebhook(account, delivered(body, monnifyScript.sign(signed, account.credentials)));

  it('is announced with its amount and the day of its payout, and stored without the customers in it', () => {
    serve(() => wireReply(settledPage([], 1, 1)));
    const body = settlementNotice();
    const reading = read(body);
    expect(reading).toMatchObject({
      kind: 'settlement',
      event: 'SETTLEMENT',
      dedupeKey: 'SETTLEMENT:3ZFWCWFYN8EVEWZKVZQH',
      occurredAt: new Date('2026-11-21T21:00:04Z'),
      settlement: {
        settlementId: '3ZFWCWFYN8EVEWZKVZQH',
        currency: 'NGN',
        net: '1199',
        settledOn: '2026-11-21',
        createdAt: new Date('2026-11-21T21:00:04Z'),
      },
    });
    const kept = reading.kind === 'settlement' ? reading.kept : '';
    expect(kept).toContain('"settlementReference":"3ZFWCWFYN8EVEWZKVZQH"');
    expect(kept).not.toContain('Ada Obi');
    expect(read(settlementNotice({ settlementTime: '22/11/2026 12:30:00 AM' }))).toMatchObject({
      settlement: { settledOn: '2026-11-22', createdAt: new Date('2026-11-21T23:30:00Z') },
    });
  });

  it.each([
    ['another amount than was signed', settlementNotice({ amount: '9199.00' }), settlementNotice(), 'bad_signature'],
    ['no amount', settlementNotice({ amount: 'much' }), undefined, 'malformed'],
    ['no time', settlementNotice({ settlementTime: 'tonight' }), undefined, 'malformed'],
    ['no reference', settlementNotice({ settlementReference: '' }), undefined, 'malformed'],
  ])('with %s is refused', (_, body, signed, why) => {
    serve(() => wireReply(settledPage([], 1, 1)));
    expect(read(body, signed)).toEqual({ kind: 'refused', why });
  });

  it('of thousands of payments is announced as well', () => {
    const transactions = Array.from({ length: 2_000 }, (_, at) => ({
      transactionReference: `MNFY|${at}`,
      note: 'x'.repeat(700),
    }));
    expect(read(settlementNotice({ transactions }))).toMatchObject({ kind: 'settlement' });
  });

  const settlement = {
    settlementId: '3ZFWCWFYN8EVEWZKVZQH',
    status: 'paid',
    currency: 'NGN',
    gross: '1199',
    fees: '0',
    deductions: '0',
    net: '1199',
    settledOn: '2026-11-21',
    createdAt: new Date('2026-11-21T21:00:04Z'),
  } as const;
  const lines = () =>
    readAllPages(
      async (cursor) => {
        if (monnify.listSettlementLines === undefined) throw new Error('Monnify lists what is in a settlement');
        return monnify.listSettlementLines(account, { settlement, cursor }, patient);
      },
      ({ key }) => key,
    );

  it('has its transactions with what Monnify took of each, asked for page by page from 0', async () => {
    const asked: string[] = [];
    serve((call) => {
      asked.push(call.path);
      const page = Number(new URL(call.path, 'http://monnify.example').searchParams.get('page'));
      const row = { transactionReference: `MNFY|${page}`, ...(page === 1 && { settlementAmount: null, amountPaid: 500 }) };
      return wireReply(settledPage([row], page + 1, 2));
    });
    const all = await lines();
    expect(asked).toEqual(
      [0, 1].map(
        (page) => `/api/v1/transactions/find-by-settlement-reference?reference=3ZFWCWFYN8EVEWZKVZQH&page=${page}&size=50`,
      ),
    );
    const about = { reference, occurredAt: new Date('2026-11-20T10:24:45Z') };
    expect(all.outcome === 'yes' ? all.value : all).toEqual([
      {
        key: 'payment/MNFY|0',
        kind: 'payment',
        amount: '1234',
        transactionId: 'MNFY|0',
        description: 'ACCOUNT_TRANSFER',
        ...about,
      },
      { key: 'fee/MNFY|0', kind: 'fee', amount: '-35', transactionId: 'MNFY|0', description: null, ...about },
      {
        key: 'payment/MNFY|1',
        kind: 'payment',
        amount: '500',
        transactionId: 'MNFY|1',
        description: 'ACCOUNT_TRANSFER',
        ...about,
      },
    ]);
  });

  it.each([
    ['a row without an amount', () => settledPage([{ amountPaid: 'much' }], 1, 1)],
    ['a row with an amount left that is none', () => settledPage([{ settlementAmount: 'little' }], 1, 1)],
    ['another page than was asked for', () => settledPage([{}], 3, 4)],
  ])('of which the answer has %s is unreadable', async (_, answer) => {
    serve(() => wireReply(answer()));
    expect(await lines()).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
  });
});
