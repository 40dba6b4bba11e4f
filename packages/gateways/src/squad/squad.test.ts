import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTo } from '../access.ts';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess } from '../gateway.ts';
import type { Verdict } from '../states.ts';
import { describeGatewayContract } from '../testing/contract.ts';
import { delivered, order, query, reference, refundOrder, type WireAnswer, wholeList, wireReply } from '../testing/script.ts';
import { type StubServer, startStubServer } from '../testing/stub-server.ts';
import { api } from './api.ts';
import chargeEvent from './fixtures/charge-event.json' with { type: 'json' };
import invalidFields from './fixtures/invalid-fields.json' with { type: 'json' };
import row from './fixtures/row.json' with { type: 'json' };
import { refusalOf, squadScript, transactionOf } from './fixtures/script.ts';
import { squad } from './squad.ts';
import { evaluateTransaction } from './verdict.ts';
import { readSquadTime, transactionSchema } from './wire.ts';

describeGatewayContract(squad, squadScript);

const credentials = squadScript.credentials.test;
const patient = { timeoutMs: 10_000 };
let server: StubServer;
let account: AccountAccess;

beforeAll(async () => {
  server = await startStubServer();
  account = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: server.url };
});
afterAll(async () => {
  await closeGatewayConnections();
  await server.close();
});

const paid = () => transactionOf({ reference, id: '1', state: 'paid', amount: 100_000, currency: 'NGN' });

function judge(changes: Readonly<Record<string, unknown>>): Verdict {
  const wire = paid();
  return evaluateTransaction(transactionSchema.parse({ ...wire, data: { ...wire.data, ...changes } }).data, query);
}

/** Serves the look-up before a refund, and the refund. */
function serveRefund(lookup: WireAnswer, answer: WireAnswer): void {
  server.script((call) => wireReply(call.method === 'GET' ? lookup : answer));
}

describe('an account at Squad', () => {
  it('is reached at the host of its mode', () => {
    expect(accessTo(api, { ...account, baseUrl: null })).toMatchObject({ baseUrl: 'https://sandbox-api-d.squadco.com' });
    const live = { ...account, mode: 'live', baseUrl: null, credentials: squadScript.credentials.live } as const;
    expect(accessTo(api, live)).toMatchObject({ baseUrl: 'https://api-d.squadco.com' });
  });
});

describe('a checkout at Squad', () => {
  it('is requested in kobo, under our reference, at the merchant’s cost', async () => {
    server.script(() => wireReply(squadScript.opened(reference, `${server.url}/pay`)));
    const opened = await squad.open(account, order, patient);
    const [call] = server.calls;
    expect([call?.method, call?.path]).toEqual(['POST', '/transaction/initiate']);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      email: order.customer.email,
      amount: 100_000,
      currency: 'NGN',
      initiate_type: 'inline',
      transaction_ref: reference,
      callback_url: order.callbackUrl,
      metadata: { payment_id: order.paymentId },
      pass_charge: false,
    });
    expect(opened).toMatchObject({ value: { accessCode: '', raw: { transaction_ref: reference } } });
  });

  it.each([
    ['CARD', 'card'],
    ['BANK', 'bank'],
    ['TRANSFER', 'transfer'],
    ['USSD', 'ussd'],
  ])('offers only %s when that was chosen', async (method, channel) => {
    server.script(() => wireReply(squadScript.opened(reference, `${server.url}/pay`)));
    await squad.open(account, { ...order, method }, patient);
    expect(JSON.parse(server.calls[0]?.body ?? '')).toMatchObject({ payment_channels: [channel] });
  });

  it('may be at the host of test checkouts for a test account alone', async () => {
    server.script(() => wireReply(squadScript.opened(reference, 'https://sandbox-pay.squadco.com/4678')));
    expect((await squad.open(account, order, patient)).outcome).toBe('yes');
    expect(squad.checkoutHosts).not.toContain('sandbox-pay.squadco.com');
  });
});

describe('a refusal by Squad', () => {
  const unauthorised = { status: 401, message: 'Initiate transaction Unauthorized', data: null };
  const wrongKey = { success: false, message: 'API key is invalid. Key must start with sandbox_sk_', data: {} };

  it.each([
    ['of the key by initiate', { status: 401, json: unauthorised }, 'invalid_credentials', 'Unauthorized'],
    ['of the key by initiate, under 200', { status: 200, json: unauthorised }, 'invalid_credentials', 'Unauthorized'],
    ['of a key of the other host', { status: 403, json: wrongKey }, 'invalid_credentials', 'must start with sandbox_sk_'],
    ['of a missing key', { status: 401, json: { success: false, message: '', data: {} } }, 'invalid_credentials', '401'],
    ['of its fields', { status: 400, json: invalidFields }, 'request_rejected', 'email: The email field is required.'],
    ['in the usual shape', refusalOf('"email" is required'), 'request_rejected', '"email" is required'],
    ['without a reason', refusalOf(''), 'request_rejected', 'no reason given'],
    ['without a status', { status: 400, json: { success: false, message: 'Not so', data: {} } }, 'request_rejected', 'Not so'],
    ['of a reference in use', refusalOf('Transaction reference already exists'), 'duplicate_reference', 'already exists'],
  ])('%s is certain, and a fault of our configuration', async (_what, answer, code, words) => {
    server.script(() => wireReply(answer));
    const opened = await squad.open(account, order, patient);
    expect(opened).toMatchObject({ outcome: 'no', failure: { class: 'our_configuration', code } });
    expect(opened.outcome === 'yes' ? '' : opened.failure.message).toContain(words);
    expect(await squad.verify(account, query, patient)).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    { status: 400, json: { status: 500, success: false, message: 'Object reference not set', data: {} } },
    { status: 200, json: { status: 502, message: 'Upstream', data: null } },
  ])('that is a fault of its own leaves open what was done: %j', async (answer) => {
    server.script(() => wireReply(answer));
    expect(await squad.open(account, order, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'provider_fault', code: 'http_5xx' },
    });
  });
});

describe('a transaction at Squad', () => {
  it.each(['Success', 'success', 'SUCCESS'])('that is %s was paid', (word) => {
    expect(judge({ transaction_status: word })).toMatchObject({
      outcome: 'yes',
      value: { reference, transactionId: reference, amount: '1000', fee: null, method: 'CARD', paidAt: null },
    });
  });

  it.each(['Abandoned', 'Pending', 'pending'])('that is %s waits for the customer', (word) => {
    expect(judge({ transaction_status: word })).toMatchObject({ outcome: 'unknown', failure: { code: 'not_paid_yet' } });
  });

  it.each(['', 'successful', 'Paid', 'Refunded', 'Succes'])('of the status %j proves nothing', (word) => {
    expect(judge({ transaction_status: word })).toMatchObject({ outcome: 'unknown', failure: { code: 'unrecognised_status' } });
  });

  it.each([
    ['Bank', 'TRANSFER'],
    ['VirtualAccount', 'TRANSFER'],
    ['MerchantUssd', 'USSD'],
    ['Barter', null],
    [null, null],
  ])('of the type %j was paid by %j', (type, method) => {
    expect(judge({ transaction_type: type })).toMatchObject({ value: { method } });
  });

  it('that is not known may yet be paid', async () => {
    server.script(() => wireReply(squadScript.notFound()));
    expect(await squad.verify(account, query, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'customer', code: 'not_paid_yet' },
    });
  });
});

describe('a refund at Squad', () => {
  const accepted = squadScript.refund('REFUND-1', 'processing');

  it.each([
    [400n, 'Partial', '40000'],
    [1000n, 'Full', '100000'],
    [1001n, 'Partial', '100100'],
  ])('of %s naira out of 1000 is %s, names the try that paid and carries our reference', async (amount, type, kobo) => {
    serveRefund({ status: 200, json: paid() }, accepted);
    await squad.refund(account, { ...refundOrder, amount }, patient);
    expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /transaction/verify/${reference}`,
      'POST /transaction/refund',
    ]);
    expect(JSON.parse(server.calls[1]?.body ?? '')).toEqual({
      gateway_transaction_ref: `${reference}_1_1`,
      transaction_ref: reference,
      refund_type: type,
      refund_amount: kobo,
      reason_for_refund: `${refundOrder.refundReference} ${refundOrder.reason}`,
    });
  });

  it.each([
    ['pending', 'processing'],
    ['Pending', 'processing'],
    ['Success', 'processing'],
  ])('that is %s is %s', async (word, state) => {
    const json = {
      status: 200,
      success: true,
      message: 'Success',
      data: { gateway_refund_status: word, refund_reference: 'R-1' },
    };
    serveRefund({ status: 200, json: paid() }, { status: 200, json });
    expect(await squad.refund(account, refundOrder, patient)).toMatchObject({ value: { gatewayRefundId: 'R-1', state } });
  });

  it('is not requested for a payment that cannot be looked up, so it can be requested again', async () => {
    for (const lookup of [
      { status: 502, json: {} },
      { status: 200, json: { unexpected: true } },
      { status: 200, json: { ...paid(), data: { ...paid().data, gateway_transaction_ref: null } } },
    ]) {
      serveRefund(lookup, accepted);
      const refunded = await squad.refund(account, refundOrder, patient);
      expect(refunded).toMatchObject({ outcome: 'no', failure: { class: 'provider_fault' } });
      expect(refunded.outcome === 'yes' ? '' : refunded.failure.code).not.toBe('malformed_answer');
      expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);
    }
  });

  it('is refused for a payment that was not paid', async () => {
    const failed = transactionOf({ reference, id: '1', state: 'failed', amount: 100_000, currency: 'NGN' });
    serveRefund({ status: 200, json: failed }, accepted);
    expect(await squad.refund(account, refundOrder, patient)).toMatchObject({ outcome: 'no', failure: { code: 'declined' } });
    expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('the list of payments at Squad', () => {
  const listed = async (changes: object) => {
    const json = { status: 200, success: true, message: 'Success', data: [{ ...row, ...changes }] };
    server.script(() => wireReply({ status: 200, json }));
    const read = await squad.listPayments(account, wholeList, patient);
    return read.outcome === 'yes' ? read.value.rows[0] : read;
  };

  it('is requested for whole days with one to spare', async () => {
    await listed({});
    expect(server.calls[0]?.path).toBe('/transaction?start_date=2026-11-19&end_date=2026-11-21&page=1&perPage=100');
  });

  it('has the fee of a payment as what the merchant does not get', async () => {
    expect(await listed({})).toMatchObject({ amount: '5000', fee: '50', method: 'CARD', paidAt: null });
    expect(await listed({ merchant_amount: null })).toMatchObject({ fee: null });
    expect(await listed({ merchant_amount: 500_001 })).toMatchObject({ fee: null });
    expect(await listed({ transaction_status: 'failed' })).toMatchObject({ status: 'unpaid', fee: null });
  });

  it('names a payment by its reference, as verify does, and a row without one by its number', async () => {
    expect(await listed({ transaction_ref: reference })).toMatchObject({ reference, transactionId: reference });
    expect(await listed({ transaction_ref: null })).toMatchObject({ reference: null, transactionId: '589' });
  });
});

describe('a webhook from Squad', () => {
  const read = (payload: unknown) => {
    const body = JSON.stringify(payload);
    return squad.readWebhook(account, delivered(body, squadScript.sign(body, credentials)));
  };
  const body = squadScript.paymentNotice({ reference, id: '7' });
  const hmac = (algorithm: string) => createHmac(algorithm, credentials.secretKey ?? '').update(body);

  it('is signed in capitals; small letters are the same number', () => {
    const upper = hmac('sha512').digest('hex').toUpperCase();
    expect(upper).toMatch(/^[0-9A-F]{128}$/);
    for (const signature of [upper, upper.toLowerCase()]) {
      expect(squad.readWebhook(account, delivered(body, { 'x-squad-encrypted-body': signature })).kind).toBe('payment');
    }
  });

  it('is refused under another digest, another encoding, or the header of virtual accounts', () => {
    const base64 = hmac('sha512').digest('base64');
    const sha256 = hmac('sha256').digest('hex').toUpperCase();
    for (const signature of [base64, sha256]) {
      expect(squad.readWebhook(account, delivered(body, { 'x-squad-encrypted-body': signature }))).toEqual({
        kind: 'refused',
        why: 'bad_signature',
      });
    }
    const header = { 'x-squad-signature': hmac('sha512').digest('hex') };
    expect(squad.readWebhook(account, delivered(body, header))).toEqual({ kind: 'refused', why: 'missing_signature' });
  });

  it('has one name for each try that paid, and its time as UTC', () => {
    expect(read(JSON.parse(body))).toEqual({
      kind: 'payment',
      event: 'charge_successful',
      reference,
      transactionId: reference,
      dedupeKey: `charge_successful:${reference}_1_1`,
      occurredAt: new Date('2026-11-20T10:22:45.477Z'),
    });
    const { gateway_ref: _, ...withoutTry } = chargeEvent.Body;
    expect(read({ ...chargeEvent, Body: withoutTry })).toMatchObject({ dedupeKey: 'charge_successful:4678388588A0' });
  });

  it.each([
    { ...chargeEvent, TransactionRef: 'another' },
    { ...chargeEvent, Body: { ...chargeEvent.Body, transaction_ref: 'a b' } },
    { ...chargeEvent, Body: { amount: 1 } },
    { ...chargeEvent, Body: null },
    { Event: 'charge_successful' },
  ])('with the body %j is refused', (payload) => {
    expect(read(payload)).toEqual({ kind: 'refused', why: 'malformed' });
  });
});

describe('a time of Squad’s', () => {
  it.each([
    ['2022-07-12T13:46:26.866', '2022-07-12T13:46:26.866Z'],
    ['2022-11-30T16:21:52.8850061+00:00', '2022-11-30T16:21:52.885Z'],
    ['2024-02-21T13:16:43.012+01:00', '2024-02-21T12:16:43.012Z'],
    ['0001-01-01T00:00:00', null],
    ['', null],
    [null, null],
  ])('of %j is %j', (text, time) => {
    expect(readSquadTime(text)?.toISOString() ?? null).toBe(time);
  });
});

describe('a customer back from Squad', () => {
  it('brings the reference, under a name that is not documented', () => {
    for (const name of ['reference', 'transaction_ref', 'trxref']) {
      expect(squad.readReturn(new URLSearchParams({ [name]: reference }))).toEqual({
        reference,
        transactionId: null,
        hint: null,
      });
    }
  });
});

describe('a webhook of Squad about a transfer', () => {
  // "Dynamic virtual accounts, Sample Webhook Notification (Mismatch)"
  const sample = {
    transaction_status: 'MISMATCH',
    merchant_reference: reference,
    merchant_amount: '100.00',
    amount_received: '101.00',
    transaction_reference: 'REFRQR681DB8/1691478149192',
    email: 'ada@example.com',
    merchant_id: 'SBN1EBZEQ8',
    transaction_type: 'dynamic_virtual_account',
    date: '2026-11-20T07:02:29.392Z',
  };
  const read = (body: Readonly<Record<string, unknown>>, hashed = body) => {
    const { transaction_reference, amount_received, merchant_reference } = hashed;
    const signature = createHmac('sha512', credentials.secretKey ?? '')
      .update(JSON.stringify({ transaction_reference, amount_received, merchant_reference }))
      .digest('hex');
    return squad.readWebhook(account, delivered(JSON.stringify(body), { 'x-squad-encrypted-body': signature }));
  };

  it.each([
    ['MISMATCH', 'another_amount'],
    ['EXPIRED', 'late'],
  ])('that is %s goes back to the customer', (transaction_status, why) => {
    expect(read({ ...sample, transaction_status })).toEqual({
      kind: 'returned_transfer',
      event: transaction_status,
      reference,
      transactionId: null,
      transfer: { why, amount: '101', currency: 'NGN' },
      dedupeKey: `${transaction_status}:REFRQR681DB8/1691478149192`,
      occurredAt: new Date('2026-11-20T07:02:29.392Z'),
    });
  });

  it('that is SUCCESS has the payment looked up', () => {
    expect(read({ ...sample, transaction_status: 'SUCCESS' })).toMatchObject({ kind: 'payment', reference });
  });

  it.each(['transaction_reference', 'amount_received', 'merchant_reference'])('whose %s was changed is refused', (field) => {
    expect(read({ ...sample, [field]: '1' }, sample)).toEqual({ kind: 'refused', why: 'bad_signature' });
  });

  it('under the hash of a transfer proves nothing about another event', () => {
    const other = { ...sample, transaction_type: 'card', Event: 'charge_successful' };
    expect(read(other)).toEqual({ kind: 'refused', why: 'bad_signature' });
  });
});
