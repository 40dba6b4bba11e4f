import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess, ListedSettlement } from '../gateway.ts';
import { readAllPages } from '../list-answers.ts';
import { createRedactor } from '../redact.ts';
import type { Verdict } from '../states.ts';
import { describeGatewayContract } from '../testing/contract.ts';
import { delivered, order, query, reference, refundOrder, wholeList, wireReply } from '../testing/script.ts';
import { type StubServer, startStubServer } from '../testing/stub-server.ts';
import dispute from './fixtures/dispute.json' with { type: 'json' };
import disputeCreated from './fixtures/dispute-create.json' with { type: 'json' };
import evidence from './fixtures/dispute-evidence.json' with { type: 'json' };
import disputeResolved from './fixtures/dispute-resolve.json' with { type: 'json' };
import resolved from './fixtures/dispute-resolved.json' with { type: 'json' };
import uploadUrl from './fixtures/dispute-upload-url.json' with { type: 'json' };
import refunds from './fixtures/refunds.json' with { type: 'json' };
import { paystackScript, transactionOf } from './fixtures/script.ts';
import settlementTransactions from './fixtures/settlement-transactions.json' with { type: 'json' };
import settlements from './fixtures/settlements.json' with { type: 'json' };
import { paystack } from './paystack.ts';
import { evaluateTransaction } from './verdict.ts';
import { transactionSchema } from './wire.ts';

describeGatewayContract(paystack, paystackScript);

const credentials = paystackScript.credentials.test;
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

function judge(changes: Readonly<Record<string, unknown>>, mode: 'test' | 'live' = 'test'): Verdict {
  const wire = transactionOf({ reference, id: '1', state: 'paid', amount: 100_000, currency: 'NGN' });
  const parsed = transactionSchema.parse({ ...wire, data: { ...wire.data, ...changes } });
  return evaluateTransaction(parsed.data, { ...account, mode }, query, createRedactor([]));
}

describe('a checkout at Paystack', () => {
  it('is requested in kobo, under our reference, with return addresses for paid and cancelled checkouts', async () => {
    server.script(() => wireReply(paystackScript.opened(reference, `${server.url}/pay`)));
    const opened = await paystack.open(account, order, patient);
    const [call] = server.calls;
    expect(call?.method).toBe('POST');
    expect(call?.path).toBe('/transaction/initialize');
    const cancelled = `${order.callbackUrl}&reference=${reference}&status=cancelled`;
    expect(JSON.parse(call?.body ?? '')).toEqual({
      email: order.customer.email,
      amount: '100000',
      currency: 'NGN',
      reference,
      callback_url: order.callbackUrl,
      metadata: {
        payment_id: order.paymentId,
        cancel_action: cancelled,
        custom_fields: [{ display_name: 'Payment', variable_name: 'payment_id', value: order.paymentId }],
      },
    });
    expect(paystack.readReturn(new URL(cancelled).searchParams)).toEqual({ reference, transactionId: null, hint: 'cancelled' });
    expect(opened).toMatchObject({
      value: {
        accessCode: '0peioxfhpn1x2y3',
        raw: { reference, access_code: '0peioxfhpn1x2y3', authorization_url: `${server.url}/pay` },
      },
    });
  });

  it.each([
    ['CARD', 'card'],
    ['BANK', 'bank'],
    ['TRANSFER', 'bank_transfer'],
    ['USSD', 'ussd'],
    ['QR', 'qr'],
  ])('offers only %s when that was chosen', async (method, channel) => {
    server.script(() => wireReply(paystackScript.opened(reference, `${server.url}/pay`)));
    await paystack.open(account, { ...order, method }, patient);
    expect(JSON.parse(server.calls[0]?.body ?? '')).toMatchObject({ channels: [channel] });
  });

  it('recognises a duplicate in an answer without a code', async () => {
    server.script(() => wireReply({ status: 400, json: { status: false, message: 'Duplicate Transaction Reference' } }));
    expect(await paystack.open(account, order, patient)).toMatchObject({
      outcome: 'no',
      failure: { code: 'duplicate_reference' },
    });
  });
});

describe('a transaction at Paystack', () => {
  it.each(['abandoned', 'ongoing', 'pending', 'processing', 'queued', 'pending_bank_transfer', 'send_otp'])(
    'that is %s waits for the customer',
    (status) => {
      expect(judge({ status })).toMatchObject({ outcome: 'unknown', failure: { class: 'customer', code: 'not_paid_yet' } });
    },
  );

  it('that failed is refused, with the reason', () => {
    const verdict = judge({ status: 'failed', gateway_response: 'Insufficient Funds' });
    expect(verdict).toMatchObject({ outcome: 'no', failure: { class: 'customer', code: 'declined' } });
    expect(JSON.stringify(verdict)).toContain('Insufficient Funds');
  });

  it('that was reversed was paid, and is marked as reversed', () => {
    expect(judge({ status: 'reversed' })).toMatchObject({ outcome: 'yes', value: { amount: '1000', reversed: true } });
  });

  it.each(['SUCCESS', 'succes', 'successful', '', 'paid'])('of the status %j proves nothing', (status) => {
    expect(judge({ status })).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration', code: 'unrecognised_status' },
    });
  });

  it('returns fee, method and time', () => {
    expect(judge({})).toMatchObject({ value: { fee: '15', method: 'CARD', paidAt: new Date('2026-11-20T10:23:11.000Z') } });
    expect(judge({})).toMatchObject({ value: { cardCountry: 'NG', cardLast4: '4081' } });
    const withoutCountry = [{ channel: 'bank_transfer' }, { authorization: null }, { authorization: 'none' }] as const;
    for (const changes of withoutCountry) {
      expect(judge(changes)).not.toHaveProperty('value.cardCountry');
      expect(judge(changes)).not.toHaveProperty('value.cardLast4');
    }
    expect(judge({ authorization: { last4: 'X553', country_code: 'NG' } })).not.toHaveProperty('value.cardLast4');
    expect(judge({ channel: 'dedicated_nuban', fees: null, paid_at: 'yesterday' })).toMatchObject({
      value: { fee: null, method: 'TRANSFER', paidAt: null },
    });
    expect(judge({ channel: 'payattitude', fees: -1, paid_at: null })).toMatchObject({
      value: { fee: null, method: null, paidAt: null },
    });
  });

  it('counts a fee the customer paid on top as no part of the price', () => {
    expect(judge({ amount: 101_500, requested_amount: 100_000, fees: 1500 })).toMatchObject({
      value: { amount: '1000', fee: '15' },
    });
  });

  it.each([
    { amount: 101_501, requested_amount: 100_000, fees: 1500 },
    { amount: 101_500, requested_amount: null, fees: 1500 },
    { amount: 101_500, requested_amount: 100_000, fees: null },
    { amount: 51_500, requested_amount: 50_000, fees: 1500 },
    { amount: 98_500, requested_amount: 100_000, fees: 1500 },
  ])('counts every kobo otherwise: %j', (changes) => {
    const verdict = judge(changes);
    expect(verdict.outcome === 'yes' ? Number(verdict.value.amount) * 100 : null).toBe(changes.amount);
  });

  it('of the other mode never pays for ours', () => {
    const other = (mode: string) => ({
      outcome: 'unknown',
      failure: {
        class: 'our_configuration',
        code: 'invalid_credentials',
        message: `Paystack answered from another mode, the account is ${mode}.`,
      },
    });
    expect(judge({ domain: 'test' }, 'live')).toEqual(other('live'));
    expect(judge({ domain: 'live' }, 'test')).toEqual(other('test'));
    for (const domain of ['live', null, 'sandbox']) expect(judge({ domain }, 'live').outcome).toBe('yes');
  });

  it('keeps an id of 64 bits', async () => {
    const wire = JSON.stringify(transactionOf({ reference, id: '1', state: 'paid', amount: 100_000, currency: 'NGN' }));
    server.script(() => ({ kind: 'answer', status: 200, body: wire.replace('"id":1,', '"id":18446744073709551615,') }));
    expect(await paystack.verify(account, query, patient)).toMatchObject({ value: { transactionId: '18446744073709551615' } });
  });

  it('is not found under 400 or 404, when the message reports that', async () => {
    for (const status of [400, 404]) {
      server.script(() => wireReply({ status, json: { status: false, message: 'Transaction reference not found' } }));
      expect(await paystack.verify(account, query, patient)).toMatchObject({ outcome: 'no', failure: { code: 'not_found' } });
    }
    server.script(() => wireReply({ status: 404, json: { status: false, message: 'Invalid route' } }));
    expect((await paystack.verify(account, query, patient)).outcome).toBe('unknown');
  });
});

describe('a refund at Paystack', () => {
  it.each([
    ['by its id alone', 4_099_260_516, 'yes'],
    ['by another id alone', 77, 'unknown'],
    ['in no way', null, 'unknown'],
  ])('that names its transaction %s is ours, or not known to be', async (_, transaction, outcome) => {
    const { json } = paystackScript.refund('75923', 'processing');
    const { data, ...rest } = Object(json);
    server.script(() => wireReply({ status: 200, json: { ...rest, data: { ...data, transaction } } }));
    expect((await paystack.refund(account, refundOrder, patient)).outcome).toBe(outcome);
  });

  it('names the payment by our reference and itself in the note', async () => {
    server.script(() => wireReply(paystackScript.refund('75923', 'processing')));
    await paystack.refund(account, refundOrder, patient);
    expect(server.calls[0]?.path).toBe('/refund');
    expect(JSON.parse(server.calls[0]?.body ?? '')).toEqual({
      transaction: reference,
      amount: '40000',
      currency: 'NGN',
      merchant_note: `${refundOrder.refundReference} ${refundOrder.reason}`,
      customer_note: refundOrder.reason,
    });
  });

  it('of an unknown state is not final', async () => {
    server.script(() =>
      wireReply({ status: 200, json: { status: true, message: 'ok', data: { id: 75923, status: 'brewing' } } }),
    );
    expect(await paystack.findRefund(account, { gatewayRefundId: '75923' }, patient)).toMatchObject({
      value: { state: 'processing' },
    });
  });
});

describe('a dispute at Paystack', () => {
  const find = async (changes: object) => {
    const { data } = disputeCreated;
    const json = { status: true, message: 'Dispute retrieved', data: { ...data, domain: 'test', ...changes } };
    server.script(() => wireReply({ status: 200, json }));
    return await paystack.findDispute?.(account, { gatewayDisputeId: '358950' }, patient);
  };

  it('is looked up by its id, with its due date, and its amount in kobo', async () => {
    expect(await find({ createdAt: disputeCreated.data.created_at })).toMatchObject({
      outcome: 'yes',
      value: {
        gatewayDisputeId: '358950',
        reference: 'v3mjfgbnc19v97x',
        transactionId: '896467688',
        state: 'needs_response',
        category: 'chargeback',
        amount: '58',
        dueAt: new Date('2020-11-25T18:00:00.000Z'),
        openedAt: new Date('2020-11-24T13:46:57.000Z'),
        closedAt: null,
      },
    });
    expect(server.calls[0]?.path).toBe('/dispute/358950');
  });

  it('may have no amount, category or due date, as in the sample of the API, and has the amount of its transaction', async () => {
    const json = { ...dispute, data: { ...dispute.data, domain: 'test' } };
    server.script(() => wireReply({ status: 200, json }));
    expect(await paystack.findDispute?.(account, { gatewayDisputeId: '2867' }, patient)).toMatchObject({
      outcome: 'yes',
      value: { state: 'closed', amount: null, category: null, dueAt: null, transaction: { amount: '391', currency: 'NGN' } },
    });
  });

  it.each([
    ['awaiting-merchant-feedback', null, 'needs_response'],
    ['awaiting-bank-feedback', null, 'under_review'],
    ['pending', null, 'under_review'],
    ['resolved', 'merchant-accepted', 'accepted'],
    ['resolved', 'auto-accepted', 'expired'],
    ['resolved', 'declined', 'won'],
    ['resolved', 'a word no one knows', 'closed'],
    ['archived', null, 'closed'],
    ['a word no one knows', null, 'needs_response'],
  ])('that is %s with the resolution %s is %s', async (status, resolution, state) => {
    expect(await find({ status, resolution })).toMatchObject({ outcome: 'yes', value: { state } });
  });

  it('of another id or mode proves nothing, and one that is not there is none', async () => {
    expect(await find({ id: 1 })).toMatchObject({ outcome: 'unknown', failure: { code: 'reference_mismatch' } });
    expect(await find({ domain: 'live' })).toMatchObject({ outcome: 'unknown', failure: { class: 'our_configuration' } });
    server.script(() => wireReply({ status: 404, json: { status: false, message: 'Dispute not found' } }));
    expect(await paystack.findDispute?.(account, { gatewayDisputeId: '1' }, patient)).toMatchObject({
      outcome: 'no',
      failure: { code: 'not_found' },
    });
  });
});

describe('an answer to a dispute at Paystack', () => {
  const customer = { name: 'Ada Obi', email: 'ada@example.com', phone: null, service: 'One pair of shoes' };
  const contested = {
    gatewayDisputeId: '624',
    action: 'contest',
    amount: '0',
    message: 'It was delivered',
    evidence: 'qesp8a4df1xejihd9x5q',
    customer,
  } as const;

  it('that contests it adds the evidence of the sample, and names it beside the file', async () => {
    const json = { ...resolved, data: { ...resolved.data, domain: 'test', resolution: 'declined' } };
    server.script(({ method }) => wireReply({ status: 200, json: method === 'POST' ? evidence : json }));
    expect(await paystack.answerDispute?.(account, contested, patient)).toMatchObject({
      outcome: 'yes',
      value: { state: 'won' },
    });
    expect(server.calls.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/dispute/624/evidence'],
      ['PUT', '/dispute/624/resolve'],
    ]);
    expect(JSON.parse(server.calls[0]?.body ?? '')).toEqual({
      customer_email: 'ada@example.com',
      customer_name: 'Ada Obi',
      customer_phone: '',
      service_details: 'One pair of shoes',
    });
    expect(JSON.parse(server.calls[1]?.body ?? '')).toEqual({
      resolution: 'declined',
      message: 'It was delivered',
      refund_amount: 0,
      uploaded_filename: 'qesp8a4df1xejihd9x5q',
      evidence: 21,
    });
  });

  it('that accepts a part names it in kobo, as the sample has it', async () => {
    server.script(() => wireReply({ status: 200, json: resolved }));
    const accepted = { ...contested, action: 'accept', amount: '10.02', customer: null } as const;
    expect(await paystack.answerDispute?.(account, accepted, patient)).toMatchObject({ value: { state: 'accepted' } });
    expect(JSON.parse(server.calls[0]?.body ?? '')).toMatchObject({ resolution: 'merchant-accepted', refund_amount: 1_002 });
  });

  it('was certainly not given when its evidence was not added, whatever became of that', async () => {
    server.script(() => ({ kind: 'reset' }));
    expect(await paystack.answerDispute?.(account, contested, patient)).toMatchObject({ outcome: 'no' });
    expect(server.calls.map(({ method }) => method)).toEqual(['POST']);
  });

  it('has its file sent nowhere but to the store of files that Paystack uses', async () => {
    const file = { gatewayDisputeId: '624', fileName: 'a.pdf', mediaType: 'application/pdf', content: new Uint8Array([1]) };
    const data = { ...uploadUrl.data, signedUrl: 'https://files.example/x' };
    server.script(() => wireReply({ status: 200, json: { ...uploadUrl, data } }));
    expect(await paystack.uploadEvidence?.(account, file, patient)).toMatchObject({ outcome: 'unknown' });
    expect(server.calls.length).toBe(1);
  });
});

describe('a webhook from Paystack', () => {
  const read = (payload: unknown) => {
    const body = JSON.stringify(payload);
    return paystack.readWebhook(account, delivered(body, paystackScript.sign(body, credentials)));
  };

  it('may be signed in capitals', () => {
    const body = paystackScript.paymentNotice({ reference, id: '7' });
    const hex = createHmac('sha512', credentials.secretKey ?? '').update(body);
    const headers = { 'x-paystack-signature': hex.digest('hex').toUpperCase() };
    expect(paystack.readWebhook(account, delivered(body, headers)).kind).toBe('payment');
  });

  it('of a dispute names the dispute and its payment, as Paystack documents them', () => {
    expect(read(disputeCreated)).toEqual({
      kind: 'dispute',
      event: 'charge.dispute.create',
      gatewayDisputeId: '358950',
      reference: 'v3mjfgbnc19v97x',
      transactionId: '896467688',
      dedupeKey: expect.stringMatching(/^charge\.dispute\.create:358950:\S{20,}$/),
      occurredAt: new Date('2020-11-24T13:46:57.000Z'),
    });
    expect(read(disputeResolved)).toEqual({
      kind: 'dispute',
      event: 'charge.dispute.resolve',
      gatewayDisputeId: '358949',
      reference: '5qm4pv2mxs9rltp',
      transactionId: '896467592',
      dedupeKey: expect.stringMatching(/^charge\.dispute\.resolve:358949:\S{20,}$/),
      occurredAt: null,
    });
  });

  it('of a dispute is another one with each reminder and resolution that says something else, and the same with the same bytes', () => {
    const keyOf = (event: string, changes: object) => {
      const reading = read({ event, data: { ...disputeResolved.data, ...changes } });
      return reading.kind === 'dispute' ? reading.dedupeKey : reading.kind;
    };
    for (const event of ['charge.dispute.remind', 'charge.dispute.resolve']) {
      const keys = [keyOf(event, {}), keyOf(event, { resolution: 'declined' }), keyOf(event, { updatedAt: '2020-11-25' })];
      expect(new Set(keys).size).toBe(3);
      expect(keyOf(event, {})).toBe(keys[0]);
    }
  });

  it('of a dispute is read whatever the reference of its payment, which other software may have taken', () => {
    const data = {
      ...disputeCreated.data,
      transaction: { ...disputeCreated.data.transaction, reference: 'POS 12/7 – Surulere' },
    };
    expect(read({ ...disputeCreated, data })).toMatchObject({ kind: 'dispute', reference: 'POS 12/7 – Surulere' });
  });

  it('that reminds of a dispute is taken however long ago the dispute was opened', () => {
    expect(read({ ...disputeCreated, event: 'charge.dispute.remind' })).toMatchObject({ kind: 'dispute', occurredAt: null });
  });

  it('of a refund names the payment, and the refund where it can', () => {
    const data = { status: 'failed', transaction_reference: reference, refund_reference: null, amount: 40_000 };
    expect(read({ event: 'refund.failed', data })).toMatchObject({ kind: 'refund', gatewayRefundId: null, reference });
    expect(read({ event: 'refund.failed', data: { ...data, id: 75923 } })).toMatchObject({
      gatewayRefundId: '75923',
      dedupeKey: 'refund.failed:75923',
    });
  });

  it.each([{ reference: 'a\u0000b', id: 1 }, { reference: 'a b', id: 1 }, { reference: 7, id: 1 }, { reference }, {}])(
    'with the data %j is refused',
    (data) => {
      expect(read({ event: 'charge.success', data })).toEqual({ kind: 'refused', why: 'malformed' });
    },
  );
});

describe('a customer back from Paystack', () => {
  it('may bring only trxref', () => {
    expect(paystack.readReturn(new URLSearchParams({ trxref: reference }))).toMatchObject({ reference, hint: 'completed' });
  });
});

describe('a list of Paystack', () => {
  const rowOf = (id: number) => {
    const facts = { reference: `sw-row-${id}`, id: String(id), state: 'paid', amount: 100_000, currency: 'NGN' } as const;
    const page = paystackScript.paymentPage([{ ...facts, createdAt: '2026-11-20T11:00:00.000Z' }], { page: 1, pages: 1 });
    return z.looseObject({ data: z.array(z.unknown()) }).parse(page.json).data[0];
  };
  const listed = (data: readonly unknown[], meta: unknown) =>
    wireReply({
      status: 200,
      json: { status: true, message: 'Transactions retrieved', data, ...(meta === undefined ? {} : { meta }) },
    });
  const all = () =>
    readAllPages(
      (cursor) => paystack.listPayments(account, { ...wholeList, cursor }, patient),
      (row) => row.transactionId,
    );
  const ids = async () => {
    const read = await all();
    return read.outcome === 'yes' ? read.value.map(({ transactionId }) => transactionId) : read;
  };

  it('that answers with a cursor is followed by it to its end, each row once', async () => {
    server.script(({ path }) => {
      const next = new URL(path, server.url).searchParams.get('next');
      if (next === null) return listed([rowOf(1)], { next: 'dHJhbnNhY3Rpb246Mg==', previous: null, perPage: 50 });
      return listed([rowOf(2)], { next: null, previous: 'x', perPage: 50 });
    });
    expect(await ids()).toEqual(['1', '2']);
    const asked = new URL(server.calls[1]?.path ?? '', server.url).searchParams;
    expect([asked.get('use_cursor'), asked.get('next'), asked.get('page')]).toEqual(['true', 'dHJhbnNhY3Rpb246Mg==', null]);
  });

  it.each([[undefined], [null]])('that answers with the meta %j is read until a page is empty', async (meta) => {
    server.script(({ path }) => {
      const page = Number(new URL(path, server.url).searchParams.get('page'));
      return listed(page <= 2 ? [rowOf(page)] : [], meta);
    });
    expect(await ids()).toEqual(['1', '2']);
    expect(server.calls).toHaveLength(3);
  });

  it('whose cursor leads back to itself, or that repeats itself without a meta, has no end', async () => {
    server.script(() => listed([rowOf(1)], { next: 'abc', previous: null }));
    expect(await ids()).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
    server.script(() => listed([rowOf(1)], undefined));
    expect(await ids()).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
  });
});

describe('settlements at Paystack', () => {
  const settlementQuery = { from: new Date('2020-01-01T00:00:00.000Z'), to: new Date('2023-01-01T00:00:00.000Z'), cursor: null };
  /** The documentation's samples are of live accounts, which can have no other address than the service's. */
  const asTest = <Sample extends { readonly data: readonly object[] }>(sample: Sample) =>
    wireReply({ status: 200, json: { ...sample, data: sample.data.map((row) => ({ ...row, domain: 'test' })) } });

  it('are read from the sample of the documentation, kobo for kobo', async () => {
    server.script(() => asTest(settlements));
    const read = await paystack.listSettlements?.(account, settlementQuery, patient);
    const rows = read?.outcome === 'yes' ? read.value.rows : [];
    expect(rows.length).toBe(15);
    expect(rows[1]).toEqual({
      settlementId: '2856168',
      status: 'paid',
      currency: 'NGN',
      gross: '100',
      fees: '3.9',
      deductions: '0',
      net: '96.1',
      settledOn: '2022-09-02',
      createdAt: new Date('2022-09-02T01:14:11.000Z'),
    });
    expect(rows.filter(({ status }) => status === 'pending').map(({ settlementId }) => settlementId)).toEqual([
      '1986550',
      '1913601',
    ]);
  });

  it('are requested for the account itself, from the day before to the day after, as it is not said which time is meant', async () => {
    server.script(() => asTest(settlements));
    await paystack.listSettlements?.(account, settlementQuery, patient);
    const asked = new URL(server.calls[0]?.path ?? '', server.url);
    expect([asked.pathname, asked.searchParams.get('subaccount')]).toEqual(['/settlement', 'none']);
    expect(asked.searchParams.get('from')).toBe('2019-12-31T00:00:00.000Z');
    expect(asked.searchParams.get('to')).toBe('2023-01-02T00:00:00.000Z');
  });

  it('of the other mode prove nothing', async () => {
    server.script(() => wireReply({ status: 200, json: settlements }));
    expect(await paystack.listSettlements?.(account, settlementQuery, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration' },
    });
  });

  it('have the transactions of the sample, under the plural path', async () => {
    server.script(() => asTest(settlementTransactions));
    const settlement = settlementOf({ net: '96.1', deductions: '0' });
    const read = await paystack.listSettlementLines?.(account, { settlement, cursor: null }, patient);
    expect(server.calls[0]?.path.split('?')[0]).toBe('/settlement/2856168/transactions');
    expect(read).toMatchObject({
      outcome: 'yes',
      value: {
        rows: [
          {
            key: 'payment/2067030515',
            kind: 'payment',
            amount: '100',
            reference: 'da8ed5u8sz6yn95',
            transactionId: '2067030515',
            description: 'card',
            occurredAt: new Date('2022-09-01T10:36:37.000Z'),
          },
          { key: 'fee/2067030515', kind: 'fee', amount: '-3.9', reference: 'da8ed5u8sz6yn95' },
        ],
        nextCursor: null,
      },
    });
  });

  it('name the refunds and chargebacks that they were reduced by, and what is left of the deductions', async () => {
    const [first, second] = refunds.data;
    const ofThis = { domain: 'test', settlement: 2856168 };
    const json = {
      ...refunds,
      data: [
        { ...first, ...ofThis, dispute: null, amount: 1_000, transaction: { id: 1641, reference: 'ref-1' } },
        { ...second, ...ofThis, amount: 2_050 },
        { ...second, ...ofThis, id: 3, settlement: 1 },
        { ...second, ...ofThis, id: 4, settlement: null },
      ],
    };
    server.script((call) =>
      call.path.startsWith('/refund')
        ? wireReply({ status: 200, json: call.path.includes('page=1') ? json : { ...refunds, data: [] } })
        : asTest(settlementTransactions),
    );
    const settlement = settlementOf({ net: '60', deductions: '36.1' });
    const lines = await readAllPages(
      async (cursor) => (await paystack.listSettlementLines?.(account, { settlement, cursor }, patient)) ?? failed(),
      ({ key }) => key,
    );
    const read = lines.outcome === 'yes' ? lines.value : [];
    expect(read.map(({ key, kind, amount, reference: of }) => [key, kind, amount, of])).toEqual([
      ['payment/2067030515', 'payment', '100', 'da8ed5u8sz6yn95'],
      ['fee/2067030515', 'fee', '-3.9', 'da8ed5u8sz6yn95'],
      ['refund/1', 'refund', '-10', 'ref-1'],
      ['refund/2', 'chargeback', '-20.5', null],
      ['deductions', 'adjustment', '-5.6', null],
    ]);
  });

  const settlementOf = (changes: { readonly net: string; readonly deductions: string }): ListedSettlement => ({
    settlementId: '2856168',
    status: 'paid',
    currency: 'NGN',
    gross: '100',
    fees: '3.9',
    settledOn: '2022-09-02',
    createdAt: new Date('2022-09-02T01:14:11.000Z'),
    ...changes,
  });

  const failed = (): never => {
    throw new Error('Paystack lists settlements');
  };
});
