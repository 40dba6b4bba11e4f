import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess } from '../gateway.ts';
import { createRedactor } from '../redact.ts';
import type { Verdict } from '../states.ts';
import { describeGatewayContract } from '../testing/contract.ts';
import { delivered, order, query, reference, refundOrder, wholeList, wholeRefundList, wireReply } from '../testing/script.ts';
import { type StubServer, startStubServer } from '../testing/stub-server.ts';
import { eachByteChanged } from '../testing/webhooks.ts';
import overpaid from './fixtures/charge-overpaid.json' with { type: 'json' };
import underpaid from './fixtures/charge-underpaid.json' with { type: 'json' };
import payIn from './fixtures/pay-in.json' with { type: 'json' };
import refundEvent from './fixtures/refund-event.json' with { type: 'json' };
import { chargeOf, koraScript } from './fixtures/script.ts';
import { kora } from './kora.ts';
import { evaluateCharge } from './verdict.ts';
import { chargeSchema } from './wire.ts';

describeGatewayContract(kora, koraScript);

const credentials = koraScript.credentials.test;
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

function judge(changes: Readonly<Record<string, unknown>>): Verdict {
  const wire = chargeOf({ reference, state: 'paid', amount: '1000.00', currency: 'NGN' });
  const parsed = chargeSchema.parse({ ...wire, data: { ...wire.data, ...changes } });
  return evaluateCharge(parsed.data, query, createRedactor([]));
}

describe('a checkout at Kora', () => {
  it('is requested in naira, under our reference, with metadata within its limits', async () => {
    server.script(() => wireReply(koraScript.opened(reference, `${server.url}/pay`)));
    const opened = await kora.open(account, order, patient);
    const [call] = server.calls;
    expect([call?.method, call?.path]).toEqual(['POST', '/charges/initialize']);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      amount: 1000,
      currency: 'NGN',
      reference,
      redirect_url: order.callbackUrl,
      customer: { email: order.customer.email },
      metadata: { 'payment-id': order.paymentId },
      merchant_bears_cost: true,
    });
    expect(opened).toMatchObject({
      outcome: 'yes',
      value: { reference, accessCode: '', raw: { reference, checkout_url: `${server.url}/pay` } },
    });
  });

  it.each([
    ['CARD', 'card'],
    ['TRANSFER', 'bank_transfer'],
    ['BANK', 'pay_with_bank'],
  ])('offers only %s when that was chosen', async (method, channel) => {
    server.script(() => wireReply(koraScript.opened(reference, `${server.url}/pay`)));
    await kora.open(account, { ...order, method }, patient);
    expect(JSON.parse(server.calls[0]?.body ?? '')).toMatchObject({ channels: [channel] });
  });

  it('leads live customers to its own host only', async () => {
    const live = { accountId: 'acc-2', mode: 'live', credentials: koraScript.credentials.live, baseUrl: null } as const;
    expect(kora.checkoutHosts).toEqual(['checkout.korapay.com']);
    expect(kora.baseUrl).toBe('https://api.korapay.com/merchant/api/v1');
    expect(kora.readWebhook(live, delivered('{}', {})).kind).toBe('refused');
  });
});

describe('a charge at Kora', () => {
  it.each([
    ['1000.00', '1000.00', '1000'],
    ['1000.00', '900.50', '900.5'],
    ['1000.00', '1500.25', '1500.25'],
    ['1000.00', null, '1000'],
    [1000, 1000, '1000'],
    ['1000.00', '0.00', '0'],
  ])('of %j with %j paid received %s', (amount, paid, received) => {
    expect(judge({ amount, amount_paid: paid })).toMatchObject({
      outcome: 'yes',
      value: {
        reference,
        transactionId: reference,
        amount: received,
        currency: 'NGN',
        fee: '16.13',
        method: 'CARD',
        reversed: false,
      },
    });
  });

  it.each([
    ['failed', 'declined'],
    ['expired', 'checkout_closed'],
  ])('that is %s is %s, with what Kora says', (status, code) => {
    expect(judge({ status, amount_paid: '0.00', message: 'Insufficient funds' })).toEqual({
      outcome: 'no',
      failure: {
        class: 'customer',
        code,
        message: 'Kora reports that the payment failed: Insufficient funds',
        gatewayCode: status,
      },
    });
    expect(judge({ status, amount_paid: null })).toMatchObject({ outcome: 'no' });
  });

  it.each(['failed', 'expired'])('that is %s is money in doubt when the same answer reports a transfer', (status) => {
    for (const [paid, amount] of [
      ['500.00', '500'],
      [0.01, '0.01'],
      ['1000.00', '1000'],
    ]) {
      expect(judge({ status, amount_paid: paid })).toMatchObject({
        outcome: 'yes',
        value: { amount, doubt: expect.stringContaining(status) },
      });
    }
    expect(judge({ status, amount_paid: 'five' })).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
  });

  it('of a bank transfer credits what Kora accepted, not all that was transferred', () => {
    for (const [data, amount] of [
      [overpaid.data, '1000'],
      [underpaid.data, '700'],
    ] as const) {
      const verdict = judge({ ...data, reference });
      expect(verdict).toMatchObject({ outcome: 'yes', value: { amount } });
      expect(verdict).not.toHaveProperty('value.doubt');
    }
  });

  it('in the list shows what Kora accepted', async () => {
    const row = { ...payIn, reference, amount: '1000.00', amount_paid: '1200.00', amount_accepted: '1000.00' };
    server.script(() => wireReply({ status: 200, json: { status: true, has_more: false, data: [row] } }));
    const from = new Date('2023-09-28T00:00:00Z');
    const listed = await kora.listPayments(account, { from, to: new Date('2023-09-29T00:00:00Z'), cursor: null }, patient);
    expect(listed).toMatchObject({ outcome: 'yes', value: { rows: [{ reference, amount: '1000' }] } });
  });

  it.each(['pending', 'processing'])('that is %s is still open', (status) => {
    expect(judge({ status })).toMatchObject({ outcome: 'unknown', failure: { class: 'customer', code: 'not_paid_yet' } });
  });

  it.each(['', 'SUCCESS', 'successful', 'abandoned', 'reversed'])('with the status %j settles nothing', (status) => {
    expect(judge({ status })).toMatchObject({ outcome: 'unknown', failure: { code: 'unrecognised_status' } });
  });

  it.each([200, 400, 404])('that does not exist is known from the message, under %i', async (status) => {
    const said = (message: string) => wireReply({ status, json: { status: false, message, data: null } });
    server.script(() => said('Charge not found'));
    expect(await kora.verify(account, query, patient)).toMatchObject({ outcome: 'no', failure: { code: 'not_found' } });
    for (const other of ['Merchant account not found', 'Something went wrong', '']) {
      server.script(() => said(other));
      expect((await kora.verify(account, query, patient)).outcome).toBe('unknown');
    }
  });
});

describe('a refund at Kora', () => {
  it('is requested under our references, with a reason within its limit', async () => {
    server.script(() => wireReply(koraScript.refund(refundOrder.refundReference, 'processing')));
    await kora.refund(account, { ...refundOrder, reason: `${'r'.repeat(49)}😀 and more` }, patient);
    expect([server.calls[0]?.method, server.calls[0]?.path]).toEqual(['POST', '/refunds/initiate']);
    const sent: unknown = JSON.parse(server.calls[0]?.body ?? '');
    expect(sent).toEqual({
      payment_reference: reference,
      reference: refundOrder.refundReference,
      amount: 400,
      reason: `${'r'.repeat(49)}\ufffd`,
    });
    await kora.refund(account, { ...refundOrder, reason: null }, patient);
    expect(Object.keys(JSON.parse(server.calls[1]?.body ?? '{}'))).toEqual(['payment_reference', 'reference', 'amount']);
  });

  it('beyond what is left is refused with Kora’s words', async () => {
    server.script(() => wireReply(koraScript.refused("Amount can't be more than NGN 2000")));
    const refused = await kora.refund(account, refundOrder, patient);
    expect(refused).toMatchObject({ outcome: 'no', failure: { code: 'request_rejected' } });
    expect(refused.outcome === 'yes' ? '' : refused.failure.message).toContain("Amount can't be more than NGN 2000");
  });

  it('whose reference was used before is not refused: the earlier call may have made it', async () => {
    server.script(() => wireReply({ status: 409, json: { status: false, message: 'Duplicate refund reference', data: null } }));
    expect(await kora.refund(account, refundOrder, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'duplicate_reference' },
    });
  });

  it('is listed under its payment, with our reference in its note', async () => {
    const facts = { transactionId: reference, amount: '400.00', note: 'Wrong size', createdAt: '2026-11-20T11:00:00Z' };
    const rows = [
      { ...facts, id: refundOrder.refundReference, state: 'processing' as const },
      { ...facts, id: 'other', transactionId: 'sw-another', state: 'succeeded' as const },
    ];
    server.script(() => wireReply(koraScript.refundPage(rows, { page: 1, pages: 1 })));
    const read = await kora.listRefunds(account, { ...wholeRefundList, paymentReference: reference }, patient);
    expect(read).toMatchObject({
      outcome: 'yes',
      value: { rows: [{ gatewayRefundId: refundOrder.refundReference, note: `${refundOrder.refundReference} Wrong size` }] },
    });
    expect(read.outcome === 'yes' ? read.value.rows : []).toHaveLength(1);
  });
});

describe('the list of pay-ins at Kora', () => {
  const listed = (changes: object) => ({ ...payIn, ...changes });
  const read = (json: unknown, list = wholeList) => {
    server.script(() => wireReply({ status: 200, json }));
    return kora.listPayments(account, list, patient);
  };

  it('is read as documented: one row by itself, amounts as text, times without a zone in UTC', async () => {
    const period = { ...wholeList, from: new Date('2023-09-28T12:24:29Z'), to: new Date('2023-09-28T12:24:30Z') };
    expect(await read({ has_more: true, data: payIn }, period)).toMatchObject({
      outcome: 'yes',
      value: {
        rows: [
          {
            reference: 'KPY-PAY-gL3oDeoAlWYz',
            transactionId: 'KPY-PAY-gL3oDeoAlWYz',
            status: 'paid',
            amount: '5000',
            fee: '26.88',
            method: 'TRANSFER',
            createdAt: new Date('2023-09-28T12:24:29Z'),
            paidAt: new Date('2023-09-28T12:25:10Z'),
          },
        ],
        nextCursor: 'after:cus_7087',
      },
    });
    expect(server.calls[0]?.path).toBe('/pay-ins?date_from=2023-09-28-12-24-29&date_to=2023-09-28-13-24-30&limit=50');
  });

  it('sends a cursor’s pointer as it came, escaped', async () => {
    await read({ has_more: false, data: [] }, { ...wholeList, cursor: 'after:a&b=c' });
    expect(server.calls[0]?.path).toContain('&starting_after=a%26b%3Dc');
  });

  it('holds what was received of a paid one, and what was asked for of another', async () => {
    const date_created = '2026-11-20 11:00:00';
    const rows = [
      listed({ date_created, pointer: 'a', reference: 'one', amount: '1000.00', amount_paid: '900.00' }),
      listed({ date_created, pointer: 'b', reference: 'two', amount: '1000.00', amount_paid: '0.00', status: 'expired' }),
      listed({ date_created, pointer: 'c', reference: 'KPY-CA-1', payment_reference: 'sw-older' }),
    ];
    const page = await read({ has_more: false, data: rows });
    expect(page.outcome === 'yes' ? page.value.rows.map((row) => [row.reference, row.status, row.amount]) : page).toEqual([
      ['one', 'paid', '900'],
      ['two', 'unpaid', '1000'],
      ['sw-older', 'paid', '5000'],
    ]);
  });

  it.each([
    ['more after no row', { has_more: true, data: [] }],
    ['no word on whether there is more', { data: [] }],
    ['a row without a pointer', { has_more: false, data: [{ ...payIn, pointer: undefined }] }],
  ])('with %s settles nothing', async (_, json) => {
    expect(await read(json)).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
  });

  it('that starts again at the row it should start after is unknown', async () => {
    const again = { has_more: true, data: [listed({ pointer: 'cus_1' }), listed({ pointer: 'cus_2' })] };
    expect(await read(again, { ...wholeList, cursor: 'after:cus_1' })).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'malformed_answer' },
    });
  });
});

describe('webhooks of Kora', () => {
  const access: AccountAccess = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: null };
  const hmac = (text: string) =>
    createHmac('sha256', credentials.secretKey ?? '')
      .update(text)
      .digest('hex');
  const read = (body: string | Buffer, signature: string) =>
    kora.readWebhook(access, { headers: { 'x-korapay-signature': signature }, body: Buffer.from(body) });
  const bad = { kind: 'refused', why: 'bad_signature' };
  const data = `{"reference":"${reference}","amount":1000,"status":"success"}`;

  it.each([
    ['blanks', `{ "reference" : "${reference}" ,\n\t"status":"success" }`],
    ['unicode escapes', `{"reference":"${reference}","narration":"Ad\\u00e1 \\u20a6","status":"success"}`],
    ['characters of several bytes', `{"reference":"${reference}","narration":"Adá ₦ 😀","status":"success"}`],
    ['braces and quotes in strings', `{"narration":"}},{\\"data\\":{\\\\","reference":"${reference}","status":"success"}`],
    ['keys in another order', `{"status":"success","10":1,"9":2,"reference":"${reference}"}`],
    ['keys that are repeated', `{"reference":"other-one","reference":"${reference}","status":"success"}`],
    ['numbers such as 1.0', `{"reference":"${reference}","amount":1.0,"fee":1e1,"id":12345678901234567890,"status":"success"}`],
    ['members called data', `{"data":{"data":{}},"reference":"${reference}","status":"success"}`],
  ])('are genuine under the signature of their data’s bytes, with %s', (_, bytes) => {
    for (const body of [
      `{"event":"charge.success","data":${bytes}}`,
      `{"data":${bytes},"event":"charge.success"}`,
      ` {\n "event" : "charge.success",\n "meta" : {"data":{}},\n "data" : ${bytes}\n}\n`,
    ]) {
      expect(read(body, hmac(bytes))).toMatchObject({
        kind: 'payment',
        event: 'charge.success',
        reference,
        transactionId: reference,
        dedupeKey: `charge.success:${reference}:success`,
      });
      expect(read(body, hmac(bytes).toUpperCase()).kind).toBe('payment');
    }
  });

  it('are refused under the signature of their data written again, of the whole body, or of SHA-512', () => {
    const spaced = `{ "reference": "${reference}", "amount": 1.0, "status": "success" }`;
    const body = `{"event":"charge.success","data":${spaced}}`;
    expect(read(body, hmac(spaced)).kind).toBe('payment');
    expect(read(body, hmac(JSON.stringify(JSON.parse(spaced))))).toEqual(bad);
    expect(read(body, hmac(body))).toEqual(bad);
    const plugin = createHmac('sha512', credentials.secretKey ?? '')
      .update(body)
      .digest('hex');
    expect(read(body, plugin)).toEqual({ kind: 'refused', why: 'whole_body_signature' });
    expect(read(body.replace('1.0', '2.0'), plugin)).toEqual(bad);
  });

  it('are refused with any byte of their data changed', () => {
    const body = Buffer.from(`{"event":"charge.success","data":${data}}`);
    const start = body.indexOf(data);
    for (const changed of eachByteChanged(body, start, start + data.length)) {
      expect(read(changed, hmac(data)).kind).toBe('refused');
    }
  });

  it('never name another payment than the signed bytes do, whatever else is changed', () => {
    const body = Buffer.from(`{"event":"charge.success","data":${data}}`);
    for (const changed of eachByteChanged(body)) {
      const reading = read(changed, hmac(data));
      if (reading.kind === 'payment') expect(reading.reference).toBe(reference);
    }
  });

  it('with a second data, before or after the signed one, are refused', () => {
    const forged = '{"reference":"sw-somebody-elses","status":"success"}';
    for (const name of ['"data"', '"d\\u0061ta"']) {
      for (const members of [`"data":${data},${name}:${forged}`, `${name}:${forged},"data":${data}`]) {
        for (const signature of [hmac(data), hmac(forged)]) {
          expect(read(`{"event":"charge.success",${members}}`, signature)).toEqual({ kind: 'refused', why: 'malformed' });
        }
      }
    }
  });

  it('sent again as another event are another event, which keeps no genuine one out', () => {
    const genuine = read(`{"event":"charge.success","data":${data}}`, hmac(data));
    for (const event of ['transfer.success', 'refund.success', 'charge.failed']) {
      const replayed = read(`{"event":"${event}","data":${data}}`, hmac(data));
      expect('dedupeKey' in replayed ? replayed.dedupeKey : event).not.toBe('dedupeKey' in genuine ? genuine.dedupeKey : '');
    }
  });

  it('about a failure and a later success are two events', () => {
    const of = (status: string) => {
      const bytes = `{"reference":"${reference}","status":"${status}"}`;
      return read(`{"event":"charge.${status}","data":${bytes}}`, hmac(bytes));
    };
    expect(of('failed')).toMatchObject({ kind: 'payment', reference });
    expect(of('failed')).not.toMatchObject({ dedupeKey: `charge.success:${reference}:success` });
  });

  it('name the payment by our reference, also where Kora’s own comes first', () => {
    const bytes = `{"reference":"KPY-CA-o5qAy2b7BHNS","payment_reference":"${reference}","status":"success"}`;
    expect(read(`{"event":"charge.success","data":${bytes}}`, hmac(bytes))).toMatchObject({ reference });
  });

  it('about a refund carry its reference, its payment’s, and when it ended', () => {
    const body = JSON.stringify(refundEvent);
    expect(read(body, koraScript.sign(body, credentials)['x-korapay-signature'] ?? '')).toEqual({
      kind: 'refund',
      event: 'refund.success',
      gatewayRefundId: 'TXN-123456',
      reference: 'TXN-1',
      dedupeKey: 'refund.success:TXN-123456:success',
      occurredAt: new Date('2025-07-03T06:44:59.342Z'),
    });
  });

  it.each([
    '{"status":"success"}',
    '{"reference":7,"status":"success"}',
    '{"reference":"..","status":"success"}',
    '[]',
    '"x"',
    '7',
  ])('with the data %s, though signed, are malformed', (bytes) => {
    expect(read(`{"event":"charge.success","data":${bytes}}`, hmac(bytes))).toEqual({ kind: 'refused', why: 'malformed' });
  });
});
