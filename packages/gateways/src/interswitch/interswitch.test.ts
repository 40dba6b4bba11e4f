import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTo } from '../access.ts';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess } from '../gateway.ts';
import { readAllPages } from '../list-answers.ts';
import { createRedactor } from '../redact.ts';
import type { Verdict } from '../states.ts';
import { describeGatewayContract } from '../testing/contract.ts';
import {
  delivered,
  order,
  otherReference,
  query,
  reference,
  refundOrder,
  wholeList,
  wholeRefundList,
  wireReply,
} from '../testing/script.ts';
import { type StubReply, type StubServer, startStubServer } from '../testing/stub-server.ts';
import { addressOf, api } from './api.ts';
import amountInconsistency from './fixtures/amount-inconsistency.json' with { type: 'json' };
import notFound from './fixtures/not-found.json' with { type: 'json' };
import refundFixture from './fixtures/refund.json' with { type: 'json' };
import { interswitchScript, transactionOf } from './fixtures/script.ts';
import search from './fixtures/search.json' with { type: 'json' };
import tokenFixture from './fixtures/token.json' with { type: 'json' };
import wrongMerchant from './fixtures/wrong-merchant.json' with { type: 'json' };
import { interswitch } from './interswitch.ts';
import { responseStateOf, steps } from './response-codes.ts';
import { evaluateTransaction } from './verdict.ts';
import { transactionSchema } from './wire.ts';

describeGatewayContract(interswitch, interswitchScript);

const credentials = interswitchScript.credentials.test;
const patient = { timeoutMs: 10_000 };
const tokenPath = '/passport/oauth/token?grant_type=client_credentials';
const ok = (json: unknown): StubReply => wireReply({ status: 200, json });
let server: StubServer;
let accounts = 0;

beforeAll(async () => {
  server = await startStubServer();
});
afterAll(async () => {
  await closeGatewayConnections();
  await server.close();
});

/** An account that has no token yet. */
function newAccount(): AccountAccess {
  accounts += 1;
  const own = { ...credentials, clientId: `${credentials.clientId}${accounts}` };
  return { accountId: `acc-${accounts}`, mode: 'test', credentials: own, baseUrl: server.url };
}

/** Answers logins, and any other call with the reply. */
function answer(reply: StubReply): void {
  server.script(({ path }) => (path === tokenPath ? ok(tokenFixture) : reply));
}

function judge(changes: Readonly<Record<string, unknown>>): Verdict {
  const wire = transactionOf({ reference, id: '000647661227', state: 'paid', amount: 100_000, currency: 'NGN' });
  return evaluateTransaction(transactionSchema.parse({ ...wire, ...changes }), query, createRedactor([]));
}

describe('a token of Interswitch', () => {
  it('is issued for client id and secret key by Basic authentication, once for all calls', async () => {
    const account = newAccount();
    answer(ok(transactionOf({ reference, id: '1', state: 'paid', amount: 100_000, currency: 'NGN' })));
    const all = await Promise.all([1, 2, 3].map(() => interswitch.verify(account, query, patient)));
    expect(all.map(({ outcome }) => outcome)).toEqual(['yes', 'yes', 'yes']);
    const [login, ...calls] = server.calls;
    const { clientId, secretKey } = account.credentials;
    expect([login?.method, login?.path, login?.body]).toEqual(['POST', tokenPath, '']);
    expect(login?.headers.authorization).toBe(`Basic ${Buffer.from(`${clientId}:${secretKey}`).toString('base64')}`);
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${tokenFixture.access_token}`));
  });

  it('that has expired is replaced, and the call made once more', async () => {
    const account = newAccount();
    const expired = wireReply({ status: 401, json: { error: 'invalid_token', error_description: 'Access token expired' } });
    let refused = false;
    server.script(({ path }) => {
      if (path === tokenPath) return ok(tokenFixture);
      if (refused) return wireReply(interswitchScript.opened(reference, `${server.url}/pay`));
      refused = true;
      return expired;
    });
    expect((await interswitch.open(account, order, patient)).outcome).toBe('yes');
    expect(server.calls.map(({ path }) => path === tokenPath)).toEqual([true, false, true, false]);
  });

  it.each([
    [401, { error: 'unauthorized', error_description: 'Bad credentials' }],
    [400, { error: 'invalid_client', error_description: 'Bad client credentials' }],
  ])('that is refused with %s is a matter of our credentials, and nothing is sent', async (status, json) => {
    server.script(() => wireReply({ status, json }));
    const failed = { class: 'our_configuration', code: 'invalid_credentials' };
    const account = newAccount();
    expect(await interswitch.open(account, order, patient)).toMatchObject({ outcome: 'no', failure: failed });
    expect(await interswitch.verify(account, query, patient)).toMatchObject({ outcome: 'unknown', failure: failed });
    expect(await interswitch.refund(account, refundOrder, patient)).toMatchObject({ outcome: 'no', failure: failed });
    expect(server.calls.every(({ path }) => path === tokenPath)).toBe(true);
  });

  it('that never came leaves nothing done', async () => {
    server.script(() => ok({ token_type: 'bearer' }));
    const account = newAccount();
    expect(await interswitch.refund(account, refundOrder, patient)).toMatchObject({
      outcome: 'no',
      failure: { class: 'provider_fault', code: 'malformed_answer' },
    });
    expect((await interswitch.verify(account, query, patient)).outcome).toBe('unknown');
  });
});

describe('a bill at Interswitch', () => {
  it('is requested in kobo, under our reference, for the merchant and the pay item', async () => {
    answer(wireReply(interswitchScript.opened(reference, `${server.url}/pay`)));
    await interswitch.open(newAccount(), order, patient);
    const call = server.calls.at(-1);
    expect([call?.method, call?.path]).toEqual(['POST', '/paymentgateway/api/v1/paybill']);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      merchantCode: 'MX6072',
      payableCode: '9405967',
      amount: 100_000,
      redirectUrl: order.callbackUrl,
      customerId: 'cus-1',
      currencyCode: '566',
      customerEmail: order.customer.email,
      transactionReference: reference,
    });
    await interswitch.open(newAccount(), { ...order, customer: { ...order.customer, id: null } }, patient);
    expect(JSON.parse(server.calls.at(-1)?.body ?? '')).toMatchObject({ customerId: order.customer.email });
  });

  it.each([
    [{ responseCode: '20031', responseDescription: 'Invalid value for Product id or Merchant Code' }, 'invalid_credentials'],
    [{ errors: [{ code: 'E44', message: 'The reference must have 6 to 50 characters' }] }, 'request_rejected'],
    [{ errors: [{ code: 'Z5', message: 'Duplicate Transaction Reference' }] }, 'duplicate_reference'],
    [{ error: 'invalid_request', error_description: 'No merchant' }, 'request_rejected'],
  ])('is refused as %j', async (json, code) => {
    answer(wireReply({ status: 400, json }));
    expect(await interswitch.open(newAccount(), order, patient)).toMatchObject({
      outcome: 'no',
      failure: { class: 'our_configuration', code },
    });
  });

  it('whose code is not the one of success decides nothing', async () => {
    const { json } = interswitchScript.opened(reference, `${server.url}/pay`);
    answer(ok({ ...Object(json), code: '500' }));
    expect(await interswitch.open(newAccount(), order, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'malformed_answer' },
    });
  });
});

describe('a payment at Interswitch', () => {
  it('is looked up by merchant code, reference and the amount of the order in kobo', async () => {
    answer(ok(notFound));
    await interswitch.verify(newAccount(), { ...query, amount: 2_500n }, patient);
    const call = server.calls.at(-1);
    expect(call?.path).toBe(
      `/collections/api/v1/gettransaction.json?merchantcode=MX6072&transactionreference=${reference}&amount=250000`,
    );
  });

  it.each([{ ResponseCode: '09' }, { ResponseCode: 'T0' }, { ResponseCode: 'S0' }, { ResponseCode: '' }, { ResponseCode: null }])(
    'of %j waits for the customer',
    (changes) => {
      expect(judge({ ...changes, Amount: 0, MerchantReference: null })).toMatchObject({
        outcome: 'unknown',
        failure: { class: 'customer', code: 'not_paid_yet' },
      });
    },
  );

  it('without a response code waits too', () => {
    const { ResponseCode: _, ...rest } = transactionOf({ reference, id: '1', state: 'paid', amount: 0, currency: 'NGN' });
    const verdict = evaluateTransaction(transactionSchema.parse(rest), query, createRedactor([]));
    expect(verdict).toMatchObject({ outcome: 'unknown', failure: { code: 'not_paid_yet' } });
  });

  it.each(['51', '91', '06', '25', '55', 'Z6'])('of the code %s is declined, with the reason', (ResponseCode) => {
    const verdict = judge({ ResponseCode, ResponseDescription: 'Because of that' });
    expect(verdict).toMatchObject({ outcome: 'no', failure: { class: 'customer', code: 'declined' } });
    expect(JSON.stringify(verdict)).toContain('Because of that');
  });

  it.each(['51', 'Z6', '00'])('of the code %s decides nothing without our reference', (ResponseCode) => {
    for (const MerchantReference of [undefined, null, '', otherReference]) {
      expect(judge({ ResponseCode, MerchantReference })).toMatchObject({
        outcome: 'unknown',
        failure: { code: 'reference_mismatch' },
      });
    }
  });

  it.each(['0', '000', 'OK', 'approved', 'Q77', 'constructor'])('of the code %j proves nothing', (ResponseCode) => {
    expect(judge({ ResponseCode })).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration', code: 'unrecognised_status' },
    });
  });

  it.each(Object.entries(steps))('of the published code %s, %j, is what the list says', (ResponseCode, [state, description]) => {
    const verdict = judge({ ResponseCode, ResponseDescription: description });
    const expected = {
      approved: { outcome: 'yes' },
      approved_in_part: { outcome: 'yes', value: { doubt: expect.stringContaining(description) } },
      pending: { outcome: 'unknown', failure: { class: 'customer', code: 'not_paid_yet' } },
    }[state];
    expect(verdict).toMatchObject(expected);
  });

  // "Response Codes that are: Not Approved, Not Pending" are "Failed" (https://docs.interswitchgroup.com/docs/swol-response-codes).
  it.each(['03', '06', '51', '91', '96', '99', 'A3', 'E42', 'XG0', 'XNA', 'Z1', 'Z3', 'Z82'])(
    'of the code %s has failed, whatever its description blames',
    (ResponseCode) => {
      expect(judge({ ResponseCode })).toMatchObject({
        outcome: 'no',
        failure: { class: 'customer', code: 'declined', gatewayCode: ResponseCode },
      });
    },
  );

  it.each([
    ['20031', 'invalid_credentials'],
    ['Z5', 'undecided'],
    ['68', 'undecided'],
    ['E20', 'undecided'],
    ['10500', 'undecided'],
  ])('of the code %s is left open: %s', (ResponseCode, code) => {
    expect(judge({ ResponseCode })).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration', code, gatewayCode: ResponseCode },
    });
  });

  it('of a code that issuers have of their own is counted as one of these, and an approval under another reference as none', () => {
    expect(judge({ ResponseCode: '73' })).toMatchObject({ outcome: 'no', failure: { gatewayCode: 'other two digits' } });
    expect(judge({ ResponseCode: '00', MerchantReference: otherReference })).not.toHaveProperty('failure.gatewayCode');
  });

  it('has a meaning for each code that is published, and for every issuer’s own', () => {
    const named = 'Z0 Z1 Z2 Z4 Z8 Z9 Z61 X00 X03 X10 XG1 08 10 11 16 32 68'.split(' ');
    const issuers = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'));
    for (const code of [...named, ...issuers]) expect([code, responseStateOf(code)]).not.toEqual([code, 'unrecognised']);
  });

  it.each(['10', '16', '32', '08'])('of the code %s is money that nothing proves to be the whole amount', (ResponseCode) => {
    expect(judge({ ResponseCode })).toMatchObject({ outcome: 'yes', value: { amount: '1000', doubt: expect.any(String) } });
  });

  it('that is paid carries no doubt', () => {
    expect(judge({})).not.toHaveProperty('value.doubt');
    expect(judge({ ResponseCode: '11' })).not.toHaveProperty('value.doubt');
  });

  it('of the general error is declined, unless it is about the amount or about no payment of ours', () => {
    expect(judge({ ResponseCode: 'Z1', ResponseDescription: 'Pin tries exceeded' })).toMatchObject({ outcome: 'no' });
    const mismatch = { outcome: 'unknown', failure: { class: 'our_configuration', code: 'reference_mismatch' } };
    expect(judge({ ResponseCode: 'Z1', ResponseDescription: 'Amount Inconsistency' })).toMatchObject(mismatch);
    expect(judge({ ResponseCode: 'Z1', ResponseDescription: 'Error', MerchantReference: null })).toMatchObject(mismatch);
  });

  it.each([
    [amountInconsistency, 'our_configuration', 'reference_mismatch'],
    [wrongMerchant, 'our_configuration', 'invalid_credentials'],
    [notFound, 'customer', 'not_paid_yet'],
  ])('is unknown after the look-up %j', async (json, failureClass, code) => {
    answer(ok(json));
    expect(await interswitch.verify(newAccount(), query, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { class: failureClass, code },
    });
  });

  it('has the id that lists and webhooks name it by, a method where one shows, and its time in Lagos', () => {
    expect(judge({})).toMatchObject({
      value: { transactionId: '000647661227', method: null, fee: null, paidAt: new Date('2026-11-20T10:22:45.000Z') },
    });
    expect(judge({ CardNumber: '506099******7499', TransactionDate: '0001-01-01' })).toMatchObject({
      value: { method: 'CARD', cardLast4: '7499' },
    });
    expect(judge({ Channel: 'USSD', RetrievalReferenceNumber: '', TransactionDate: 'yesterday' })).toMatchObject({
      value: { transactionId: 'UBA|API|MX6072|20-11-2026|249510|719456', method: 'USSD', paidAt: null },
    });
    expect(judge({ CardNumber: null })).toMatchObject({ value: { method: null } });
  });

  it('has an id of at most a hundred characters without blanks, and its reference where it has none', () => {
    const longest = 'x'.repeat(100);
    const idOf = (retrieval: string | null, payment: string | null) => {
      const verdict = judge({ RetrievalReferenceNumber: retrieval, PaymentReference: payment });
      return verdict.outcome === 'yes' ? verdict.value.transactionId : null;
    };
    expect([idOf(longest, null), idOf(null, 'UBA|1'), idOf(null, null)]).toEqual([longest, 'UBA|1', reference]);
    for (const none of [`${longest}x`, 'a b', ' a', 'a\n', 'ä']) expect(idOf(none, 'UBA|1')).toBe('UBA|1');
  });
});

describe('a refund at Interswitch', () => {
  it('names the payment and itself by our references', async () => {
    answer(wireReply(interswitchScript.refund(refundOrder.refundReference, 'processing')));
    const asked = await interswitch.refund(newAccount(), { ...refundOrder, transactionId: null }, patient);
    const call = server.calls.at(-1);
    expect([call?.method, call?.path]).toEqual(['POST', '/paymentgateway/api/v1/refunds']);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      refundReference: refundOrder.refundReference,
      parentTransactionReference: reference,
      refundType: 'PARTIAL',
      refundAmount: 40_000,
      reasonsForRefund: `${refundOrder.refundReference} Item out of stock`,
    });
    expect(asked).toMatchObject({ value: { gatewayRefundId: refundOrder.refundReference, state: 'processing' } });
  });

  it.each([
    ['SUCCESS', 'processing'],
    ['PENDING', 'processing'],
    ['PROCESSING', 'processing'],
    ['COMPLETE', 'succeeded'],
    ['COMPLETE_MANUAL', 'succeeded'],
    ['FAILED', 'failed'],
    ['ANYTHING', 'processing'],
  ])('that is %s is %s', async (refundStatus, state) => {
    answer(ok({ ...refundFixture, refundReference: 'rf-1', refundStatus }));
    expect(await interswitch.findRefund(newAccount(), { gatewayRefundId: 'rf-1' }, patient)).toMatchObject({ value: { state } });
  });

  it('requested twice shows that an earlier request arrived', async () => {
    answer(wireReply({ status: 400, json: { responseCode: 'R02', responseDescription: 'Duplicate refund reference' } }));
    expect(await interswitch.refund(newAccount(), refundOrder, patient)).toMatchObject({
      failure: { code: 'duplicate_reference' },
    });
  });

  it('in the list without its payment may be one of any', async () => {
    const row = { ...refundFixture, refundReference: 'rf-1', createdDate: Date.parse('2026-11-20T11:00:00Z') };
    answer(ok({ pageNumber: 1, totalPages: 1, data: [row, { ...row, parentTransactionReference: otherReference }] }));
    const listed = await interswitch.listRefunds(
      newAccount(),
      { ...wholeRefundList, paymentReference: reference, transactionId: '1' },
      patient,
    );
    expect(listed).toMatchObject({
      outcome: 'yes',
      value: {
        rows: [{ gatewayRefundId: 'rf-1', paymentReference: reference, amount: '222', note: 'rf-1 Reason for refund' }],
      },
    });
    expect(server.calls.at(-1)?.path).toBe(
      '/paymentgateway/api/v1/refunds?merchantCode=MX6072&startDate=2026-11-19&endDate=2026-11-20&pageNumber=1&pageSize=50',
    );
  });
});

describe('the search of Interswitch', () => {
  it('is asked for the days of the merchant', async () => {
    answer(wireReply(interswitchScript.paymentPage([], { page: 1, pages: 0 })));
    await interswitch.listPayments(newAccount(), wholeList, patient);
    const call = server.calls.at(-1);
    expect(call?.method).toBe('POST');
    expect(call?.path).toBe('/switch-online-gateway-service/api/v1/gateway/quick-search?page_number=1&page_size=20');
    expect(JSON.parse(call?.body ?? '')).toEqual({
      merchant_code: 'MX6072',
      start_date: '2026-11-19',
      end_date: '2026-11-20',
      cursor: '',
    });
  });

  it('carries the client ID in the header of either edition of its document', async () => {
    answer(wireReply(interswitchScript.paymentPage([], { page: 1, pages: 0 })));
    const account = newAccount();
    await interswitch.listPayments(account, wholeList, patient);
    const { clientId } = account.credentials;
    expect(server.calls.at(-1)?.headers).toMatchObject({ client_id: clientId, clientid: clientId });
  });

  it('is followed by the cursor of each answer, where it has one, to its end', async () => {
    const account = newAccount();
    const row = (at: number) => ({
      ...search.data[0],
      merchant_reference: `sw-row-${at}`,
      response_code: '00',
      transaction_id: `t-${at}`,
      retrieval_reference_number: null,
      transaction_date: '2026-11-20T11:00:00',
    });
    const { totalPages: _, pageNumber: __, ...plain } = search;
    const answers: Readonly<Record<string, unknown>> = {
      '': { ...plain, data: [row(1)], cursor: 'abc==' },
      'abc==': { ...plain, data: [row(2)], cursor: 'def' },
      def: { ...plain, data: [row(3)], cursor: '' },
    };
    server.script(({ path, body }) => (path === tokenPath ? ok(tokenFixture) : ok(answers[JSON.parse(body).cursor])));
    const all = await readAllPages(
      (cursor) => interswitch.listPayments(account, { ...wholeList, cursor }, patient),
      (one) => one.transactionId,
    );
    expect(all.outcome === 'yes' ? all.value.map(({ reference: named }) => named) : all).toEqual([
      'sw-row-1',
      'sw-row-2',
      'sw-row-3',
    ]);
  });

  it('is unreadable when its cursor leads back to itself, or when a full page leads nowhere', async () => {
    const row = { ...search.data[0], merchant_reference: reference, response_code: '00' };
    const { totalPages: _, pageNumber: __, ...plain } = search;
    const malformed = { outcome: 'unknown', failure: { code: 'malformed_answer' } };
    answer(ok({ ...plain, data: [row], cursor: 'abc' }));
    expect(await interswitch.listPayments(newAccount(), { ...wholeList, cursor: 'cursor:abc' }, patient)).toMatchObject(
      malformed,
    );
    answer(ok({ ...plain, data: Array.from({ length: 20 }, () => row) }));
    expect(await interswitch.listPayments(newAccount(), wholeList, patient)).toMatchObject(malformed);
    answer(ok({ ...plain, data: Array.from({ length: 20 }, () => row), cursor: '' }));
    expect(await interswitch.listPayments(newAccount(), wholeList, patient)).toMatchObject({ value: { nextCursor: null } });
    answer(ok({ ...plain, data: [row] }));
    expect(await interswitch.listPayments(newAccount(), wholeList, patient)).toMatchObject({ value: { nextCursor: null } });
  });

  it('has a passport of its own', () => {
    const account: AccountAccess = { accountId: 'acc-t', mode: 'test', credentials, baseUrl: null };
    const access = accessTo(api, account);
    if (access.kind !== 'ready') throw new Error('the account is unusable');
    expect(addressOf('searchPassport', account, access)).not.toBe(addressOf('passport', account, access));
  });

  it('whose rows say neither whose payment it was nor what became of it is no statement', async () => {
    answer(ok(search));
    expect(await interswitch.listPayments(newAccount(), wholeList, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'provider_fault', code: 'malformed_answer' },
    });
  });

  it('that found nothing is an empty page', async () => {
    answer(ok({ ...search, responseCode: '404', dataSize: 0, totalPages: 0, data: [] }));
    expect(await interswitch.listPayments(newAccount(), wholeList, patient)).toMatchObject({
      outcome: 'yes',
      value: { rows: [] },
    });
  });

  it('reads a day without a time as Lagos’ day', async () => {
    const row = { ...search.data[0], merchant_reference: reference, response_code: '00' };
    answer(ok({ ...search, data: [row] }));
    expect(await interswitch.listPayments(newAccount(), wholeList, patient)).toMatchObject({
      value: { rows: [{ createdAt: new Date('2026-11-19T23:00:00.000Z'), amount: '2100', currency: 'NGN' }] },
    });
  });
});

describe('a live account at Interswitch', () => {
  const live = (more: Readonly<Record<string, string>> = {}): AccountAccess => ({
    accountId: 'acc-live',
    mode: 'live',
    credentials: { ...interswitchScript.credentials.live, ...more },
    baseUrl: null,
  });
  const withheld = (what: string) => ({
    failure: { class: 'our_configuration', code: 'not_supported', message: expect.stringContaining(what) },
    call: { httpStatus: null, latencyMs: 0 },
  });

  it('calls no host that Interswitch does not publish before it is confirmed: no checkout, refund or list', async () => {
    expect(await interswitch.open(live(), order, patient)).toMatchObject({ outcome: 'no', ...withheld('Pay Bill') });
    expect(await interswitch.refund(live(), refundOrder, patient)).toMatchObject({ outcome: 'no', ...withheld('Pay Bill') });
    expect(await interswitch.findRefund(live(), { gatewayRefundId: 'rf-1' }, patient)).toMatchObject(withheld('Pay Bill'));
    expect(await interswitch.listPayments(live(), wholeList, patient)).toMatchObject({
      outcome: 'unknown',
      ...withheld('passport'),
    });
  });

  it('has the published hosts for look-ups, and the confirmed ones for the rest', () => {
    const account = live({ payBillPrefix: 'pay' });
    const access = accessTo(api, account);
    if (access.kind !== 'ready') throw new Error('the account is unusable');
    expect(addressOf('passport', account, access)).toBe('https://passport.interswitchng.com');
    expect(addressOf('collections', account, access)).toBe('https://webpay.interswitchng.com');
    expect(addressOf('paymentGateway', account, access)).toBe('https://pay.interswitchng.com');
    expect(addressOf('search', account, access)).toBeNull();
  });

  it.each([
    'https://pay',
    'pay.',
    '.pay',
    'evil.example/',
    'evil.example/x?',
    'user@pay',
    'pay:8443',
    '127.0.0.1#',
    'PAY',
    'a b',
  ])('takes nothing but a subdomain of Interswitch’s own domain: %s', (payBillPrefix) => {
    expect(interswitch.credentials.safeParse({ ...interswitchScript.credentials.live, payBillPrefix }).success).toBe(false);
    const good = { ...interswitchScript.credentials.live, payBillPrefix: 'pay.live' };
    expect(interswitch.credentials.safeParse(good).success).toBe(true);
  });
});

describe('a webhook from Interswitch', () => {
  const read = (payload: unknown) => {
    const body = JSON.stringify(payload);
    const access: AccountAccess = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: null };
    return interswitch.readWebhook(access, delivered(body, interswitchScript.sign(body, credentials)));
  };

  it('may use the names that integrators report', () => {
    const event = {
      eventType: 'TRANSACTION.COMPLETED',
      eventId: 'evt-1',
      timestamp: '2026-11-20T10:22:45.000Z',
      data: { transactionRef: reference, responseCode: '00', paymentReference: 'UBA|1' },
    };
    expect(read(event)).toEqual({
      kind: 'payment',
      event: 'TRANSACTION.COMPLETED',
      reference,
      transactionId: 'UBA|1',
      dedupeKey: 'TRANSACTION.COMPLETED:evt-1',
      occurredAt: new Date('2026-11-20T10:22:45.000Z'),
    });
  });

  it('of a failed try is another event than the success after it', () => {
    const keys = ['51', '00'].map((responseCode) => {
      const reading = read({ event: 'TRANSACTION.UPDATED', data: { merchantReference: reference, responseCode } });
      return reading.kind === 'payment' ? reading.dedupeKey : reading.kind;
    });
    expect(new Set(keys).size).toBe(2);
  });

  it('may be signed in capitals', () => {
    const body = interswitchScript.paymentNotice({ reference, id: '7' });
    const hex = createHmac('sha512', credentials.webhookSecret ?? '').update(body);
    const headers = { 'x-interswitch-signature': hex.digest('hex').toUpperCase() };
    const access: AccountAccess = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: null };
    expect(interswitch.readWebhook(access, delivered(body, headers)).kind).toBe('payment');
  });

  it.each([{ merchantReference: 'a b' }, { merchantReference: 7 }, { paymentReference: 'UBA|1' }, {}])(
    'about %j is refused',
    (data) => {
      expect(read({ event: 'TRANSACTION.COMPLETED', data })).toEqual({ kind: 'refused', why: 'malformed' });
    },
  );
});

describe('a customer back from Interswitch', () => {
  it('brings the response code as a hint', () => {
    const back = (resp: string) =>
      interswitch.readReturn(new URLSearchParams({ txnref: reference, retRef: '000647661227', resp }));
    expect(back('00')).toEqual({ reference, transactionId: '000647661227', hint: 'completed' });
    expect(['Z6', '51', '09', 'Z1'].map((code) => back(code).hint)).toEqual(['cancelled', null, null, null]);
  });
});
