import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumDecimals } from '../amount.ts';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess } from '../gateway.ts';
import { createRedactor } from '../redact.ts';
import type { Verdict } from '../states.ts';
import { createBench } from '../testing/bench.ts';
import { describeGatewayContract } from '../testing/contract.ts';
import {
  delivered,
  order,
  otherReference,
  query,
  reference,
  refundOrder,
  type TransactionFacts,
  wireReply,
} from '../testing/script.ts';
import { type StubReply, type StubServer, startStubServer } from '../testing/stub-server.ts';
import { describeWebhooks } from '../testing/webhooks.ts';
import accepted from './fixtures/chargeback-accepted.json' with { type: 'json' };
import chargebacks from './fixtures/chargebacks.json' with { type: 'json' };
import { flutterwaveScript, signingFlutterwaveScript, transactionOf } from './fixtures/script.ts';
import settlement from './fixtures/settlement.json' with { type: 'json' };
import settlements from './fixtures/settlements.json' with { type: 'json' };
import { flutterwave } from './flutterwave.ts';
import { evaluateTransaction } from './verdict.ts';
import { refundStateOf, transactionSchema } from './wire.ts';

describeGatewayContract(flutterwave, flutterwaveScript);
describe('with webhooks whose bodies are signed', () => describeWebhooks(createBench(flutterwave, signingFlutterwaveScript)));

const credentials = flutterwaveScript.credentials.test;
const patient = { timeoutMs: 10_000 };
let server: StubServer;
let account: AccountAccess;

beforeAll(async () => {
  server = await startStubServer();
  account = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: `${server.url}/v3/` };
});
afterAll(async () => {
  await closeGatewayConnections();
  await server.close();
});

const facts: TransactionFacts = { reference, id: '1', state: 'paid', amount: 1000, currency: 'NGN' };
const transaction = (changes: Partial<TransactionFacts>): StubReply =>
  wireReply(flutterwaveScript.transaction({ ...facts, ...changes }));

function judge(changes: Readonly<Record<string, unknown>>): Verdict {
  const wire = transactionOf(facts);
  const parsed = transactionSchema.parse({ ...wire, data: { ...wire.data, ...changes } });
  return evaluateTransaction(parsed.data, query, createRedactor([]));
}

describe('a checkout at Flutterwave', () => {
  it('is requested in naira, under our reference, with a return address and an expiry', async () => {
    server.script(() => wireReply(flutterwaveScript.opened(reference, `${server.url}/pay`)));
    const opened = await flutterwave.open(account, order, patient);
    expect(server.calls[0]).toMatchObject({ method: 'POST', path: '/v3/payments' });
    expect(JSON.parse(server.calls[0]?.body ?? '')).toEqual({
      tx_ref: reference,
      amount: 1000,
      currency: 'NGN',
      redirect_url: order.callbackUrl,
      customer: { email: order.customer.email, phonenumber: order.customer.phone },
      session_duration: 60,
      meta: { payment_id: order.paymentId },
    });
    expect(opened).toMatchObject({ value: { accessCode: '', raw: { link: `${server.url}/pay` } } });
  });

  it.each([
    ['CARD', 'card'],
    ['BANK', 'account'],
    ['TRANSFER', 'banktransfer'],
    ['USSD', 'ussd'],
    ['WALLET', 'opay'],
    ['QR', 'nqr'],
  ])('offers only %s when that was chosen', async (method, option) => {
    server.script(() => wireReply(flutterwaveScript.opened(reference, `${server.url}/pay`)));
    await flutterwave.open(account, { ...order, method }, patient);
    expect(JSON.parse(server.calls[0]?.body ?? '')).toMatchObject({ payment_options: option });
  });

  it.each([
    [0, 1],
    [90.4, 90],
    [100_000, 1440],
  ])('stays open for %s minutes as %s', async (sessionMinutes, sent) => {
    server.script(() => wireReply(flutterwaveScript.opened(reference, `${server.url}/pay`)));
    await flutterwave.open(
      account,
      { ...order, sessionMinutes, customer: { email: 'a@b.example', phone: null, id: null } },
      patient,
    );
    expect(JSON.parse(server.calls[0]?.body ?? '')).toMatchObject({ session_duration: sent, customer: { email: 'a@b.example' } });
  });

  it('is not known after the 503 that may have gone through', async () => {
    const json = { status: 'error', message: 'An error occurred. Please contact support', data: null };
    server.script(() => wireReply({ status: 503, json }));
    expect(await flutterwave.open(account, order, patient)).toMatchObject({ outcome: 'unknown', failure: { code: 'http_5xx' } });
  });

  it('is refused when a 200 reports an error', async () => {
    server.script(() => wireReply({ status: 200, json: { status: 'error', message: 'currency not enabled', data: null } }));
    expect(await flutterwave.open(account, order, patient)).toMatchObject({
      outcome: 'no',
      failure: { code: 'request_rejected' },
    });
  });
});

describe('a transaction id at Flutterwave is a hint and no more', () => {
  const withId = { ...query, transactionId: '4099260516' };
  const byId = '/v3/transactions/4099260516/verify';
  const byReference = `/v3/transactions/verify_by_reference?tx_ref=${reference}`;
  const paths = () => server.calls.map((call) => call.path);

  it('saves a question when it leads to our paid transaction', async () => {
    server.script(() => transaction({ id: '4099260516' }));
    expect((await flutterwave.verify(account, withId, patient)).outcome).toBe('yes');
    expect(paths()).toEqual([byId]);
  });

  it('of another payment is set aside', async () => {
    server.script((_call, count) => transaction({ reference: count === 1 ? otherReference : reference, id: String(count) }));
    expect(await flutterwave.verify(account, withId, patient)).toMatchObject({
      outcome: 'yes',
      value: { reference, transactionId: '2' },
    });
    expect(paths()).toEqual([byId, byReference]);
  });

  it('of another payment never pays for ours', async () => {
    server.script((_call, count) =>
      count === 1 ? transaction({ reference: otherReference }) : wireReply(flutterwaveScript.notFound()),
    );
    expect(await flutterwave.verify(account, withId, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'not_paid_yet' },
    });
  });

  it('of a failed try does not decide a later one that succeeded', async () => {
    server.script((_call, count) => transaction({ state: count === 1 ? 'failed' : 'paid' }));
    expect((await flutterwave.verify(account, withId, patient)).outcome).toBe('yes');
  });

  it('that the gateway does not know is ignored', async () => {
    server.script((_call, count) => (count === 1 ? wireReply(flutterwaveScript.notFound()) : transaction({})));
    expect((await flutterwave.verify(account, withId, patient)).outcome).toBe('yes');
  });

  it('is not looked up twice when the gateway is down or rate-limits', async () => {
    for (const status of [500, 429, 401]) {
      server.script(() => ({ kind: 'answer', status, body: '{}' }));
      expect((await flutterwave.verify(account, withId, patient)).outcome).toBe('unknown');
      expect(server.calls.length).toBe(1);
    }
  });

  it.each(['', 'abc', '1/../../refunds/1', '1?x=1', '-1', '1e5', '9'.repeat(21)])(
    'that is no number is never sent: %j',
    async (transactionId) => {
      server.script(() => transaction({}));
      expect((await flutterwave.verify(account, { ...query, transactionId }, patient)).outcome).toBe('yes');
      expect(paths()).toEqual([byReference]);
    },
  );
});

describe('a transaction at Flutterwave', () => {
  it('is not found under any status, when the message reports that', async () => {
    for (const status of [200, 400, 404]) {
      server.script(() => wireReply({ ...flutterwaveScript.notFound(), status }));
      expect(await flutterwave.verify(account, query, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { class: 'customer', code: 'not_paid_yet' },
      });
    }
  });

  it.each(['Successful', 'success', 'completed', '', 'reversed'])('of the status %j proves nothing', (status) => {
    expect(judge({ status })).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration', code: 'unrecognised_status' },
    });
  });

  it.each([
    [1000.5, 1000.5, '1000.5'],
    [1000, 1014.2, '1000'],
    [1000, 600, '600'],
    ['1000.00', '1000.0', '1000'],
    [1000, null, '1000'],
  ])('of %s, charged %s, brought %s', (amount, charged, received) => {
    expect(judge({ amount, charged_amount: charged })).toMatchObject({ outcome: 'yes', value: { amount: received } });
  });

  it.each([[{ amount: 'much', charged_amount: 1000 }], [{ amount: 1000, charged_amount: 'much' }]])(
    'whose amount cannot be read proves nothing: %j',
    (changes) => {
      expect(judge(changes)).toEqual({
        outcome: 'unknown',
        failure: {
          class: 'provider_fault',
          code: 'malformed_answer',
          message: 'Flutterwave gave an amount that is not a decimal number.',
        },
      });
    },
  );

  it('that was not paid by card shows none', () => {
    const verdict = judge({ card: null });
    expect(verdict.outcome).toBe('yes');
    expect(verdict).not.toHaveProperty('value.cardCountry');
    expect(verdict).not.toHaveProperty('value.cardLast4');
  });

  it('that failed is refused, with the reason', () => {
    const refused = (reason: string) => ({
      outcome: 'no',
      failure: {
        class: 'customer',
        code: 'declined',
        message: `Flutterwave reports that the payment failed: ${reason}`,
        gatewayCode: 'failed',
      },
    });
    expect(judge({ status: 'failed', processor_response: 'Insufficient Funds' })).toEqual(refused('Insufficient Funds'));
    expect(judge({ status: 'failed', processor_response: null })).toEqual(refused('no reason given'));
  });

  it('loses no digit of an amount a double cannot hold', async () => {
    const wire = JSON.stringify(transactionOf(facts)).replaceAll('"amount":1000,"', '"amount":9007199254740993.01,"');
    const body = wire.replace('"charged_amount":1000', '"charged_amount":9007199254740993.01');
    server.script(() => ({ kind: 'answer', status: 200, body }));
    expect(await flutterwave.verify(account, query, patient)).toMatchObject({ value: { amount: '9007199254740993.01' } });
  });

  it('returns fee, method and time', () => {
    expect(judge({ app_fee: 14.05 })).toMatchObject({
      value: { fee: '14.05', method: 'CARD', cardCountry: 'NG', cardLast4: '2950', paidAt: new Date('2026-11-20T10:22:45.000Z') },
    });
    expect(judge({ app_fee: null, payment_type: 'bank_transfer', created_at: 'x' })).toMatchObject({
      value: { fee: null, method: 'TRANSFER', paidAt: null },
    });
    expect(judge({ payment_type: 'barter' })).toMatchObject({ value: { method: null } });
  });
});

describe('a refund at Flutterwave', () => {
  it('uses the stored transaction id', async () => {
    server.script(() => wireReply(flutterwaveScript.refund('75923', 'processing')));
    await flutterwave.refund(account, refundOrder, patient);
    expect(server.calls.map((call) => call.path)).toEqual(['/v3/transactions/4099260516/refund']);
    expect(JSON.parse(server.calls[0]?.body ?? '')).toEqual({
      amount: 400,
      comments: `${refundOrder.refundReference} ${refundOrder.reason}`,
    });
  });

  it('looks the id up when none was stored', async () => {
    server.script((_call, count) =>
      count === 1
        ? transaction({ id: '77' })
        : wireReply(flutterwaveScript.refund('75923', 'processing', { reference, id: '77' })),
    );
    expect((await flutterwave.refund(account, { ...refundOrder, transactionId: null }, patient)).outcome).toBe('yes');
    expect(server.calls[1]?.path).toBe('/v3/transactions/77/refund');
  });

  it('is not requested when the payment cannot be looked up', async () => {
    for (const reply of [wireReply(flutterwaveScript.notFound()), { kind: 'answer', status: 500, body: '' } as const]) {
      server.script(() => reply);
      expect((await flutterwave.refund(account, { ...refundOrder, transactionId: null }, patient)).outcome).toBe('no');
      expect(server.calls.length).toBe(1);
    }
  });

  it.each([
    ['completed', { source: 'availablebalance' }, 'processing'],
    ['completed', undefined, 'processing'],
    ['initiated', null, 'processing'],
    ['pending', null, 'processing'],
    ['completed', { disburse_status: 'pending' }, 'processing'],
    ['completed', { disburse_status: 'successful' }, 'succeeded'],
    ['completed', '{"disburse_status":"failed"}', 'failed'],
    ['completed', 'not json', 'processing'],
    ['completed-bank-transfer', undefined, 'succeeded'],
    ['completed-momo', undefined, 'succeeded'],
    ['completed-mpgs', undefined, 'succeeded'],
    ['completed-offline', undefined, 'succeeded'],
    ['completed-preauth', undefined, 'succeeded'],
    ['completed-mpgs', { disburse_status: 'failed' }, 'failed'],
    ['completed-review', undefined, 'processing'],
    ['pending-momo', null, 'processing'],
    ['processing', null, 'processing'],
    ['brewing', null, 'processing'],
    ['failed', null, 'failed'],
  ])('that is %s with %j is %s', (status, meta, state) => {
    expect(refundStateOf({ status, meta }, createRedactor([])).state).toBe(state);
  });
});

describe('a webhook from Flutterwave', () => {
  const read = (payload: unknown, access = account) =>
    flutterwave.readWebhook(access, delivered(JSON.stringify(payload), flutterwaveScript.sign('', access.credentials)));
  const charge = (status: string) => ({ event: 'charge.completed', data: { id: 7, tx_ref: reference, status } });

  it('distinguishes a failed try from the success after it', () => {
    const failed = read(charge('failed'));
    const success = read(charge('successful'));
    expect(failed).toMatchObject({ kind: 'payment', reference, transactionId: '7' });
    expect(success.kind === 'payment' && failed.kind === 'payment' && success.dedupeKey !== failed.dedupeKey).toBe(true);
    expect(read({ ...charge('failed'), more: 1 })).toEqual(failed);
  });

  it('of a refund comes without an envelope', () => {
    expect(read(JSON.parse(flutterwaveScript.refundNotice() ?? ''))).toEqual({
      kind: 'refund',
      event: 'refund',
      gatewayRefundId: '75923',
      reference: null,
      dedupeKey: 'refund:75923:completed-mpgs',
      occurredAt: new Date('2026-11-20T11:05:00.000Z'),
    });
  });

  it('that only tries the address is ignored', () => {
    expect(read({ event: 'test_assess', data: {} })).toMatchObject({ kind: 'ignored', event: 'test_assess' });
  });

  it('that carries both signatures is decided by the one over its body', () => {
    const body = JSON.stringify(charge('successful'));
    const hash = { 'verif-hash': credentials.secretHash ?? '' };
    const signed = signingFlutterwaveScript.sign(body, credentials);
    expect(flutterwave.readWebhook(account, delivered(body, { ...hash, ...signed })).kind).toBe('payment');
    expect(flutterwave.readWebhook(account, delivered(`${body} `, { ...hash, ...signed }))).toEqual({
      kind: 'refused',
      why: 'bad_signature',
    });
    expect(flutterwave.readWebhook(account, delivered(body, { 'verif-hash': 'guess', ...signed })).kind).toBe('payment');
  });

  it('is refused whole when no secret hash was agreed', () => {
    const bare = { ...account, credentials: { ...credentials, secretHash: '' } };
    expect(flutterwave.readWebhook(bare, delivered(JSON.stringify(charge('successful')), { 'verif-hash': 'guess' }))).toEqual({
      kind: 'refused',
      why: 'bad_signature',
    });
  });
});

describe('a Flutterwave account', () => {
  it('can do without a secret hash', () => {
    expect(flutterwave.credentials.parse({ secretKey: credentials.secretKey })).toEqual({ ...credentials, secretHash: '' });
  });
});

describe('settlements at Flutterwave', () => {
  const settlementQuery = { from: new Date('2019-01-01T00:00:00.000Z'), to: new Date('2020-05-22T00:00:00.000Z'), cursor: null };

  it('are read from the sample of the documentation, decimals and refunds included', async () => {
    server.script(() => wireReply({ status: 200, json: settlements }));
    const read = await flutterwave.listSettlements?.(account, settlementQuery, patient);
    const rows = read?.outcome === 'yes' ? read.value.rows : [];
    expect(
      rows.map(({ settlementId, status, gross, fees, deductions, net, settledOn }) => [
        settlementId,
        status,
        gross,
        fees,
        deductions,
        net,
        settledOn,
      ]),
    ).toEqual([
      ['41748', 'paid', '122000', '2108', '0', '119892', '2020-01-01'],
      ['41642', 'paid', '24000', '936', '0', '23064', '2019-12-31'],
      ['41497', 'paid', '50800', '950', '0', '49850', '2019-12-30'],
      ['41440', 'pending', '30620', '620', '20114', '9886', '2019-12-31'],
      ['40018', 'pending', '9000', '176', '0', '8824', '2019-11-29'],
      ['38813', 'pending', '2826.96', '2508.96', '0', '318', '2019-10-11'],
    ]);
  });

  const linesOf = async (changes: object) => {
    server.script((call) =>
      wireReply({
        status: 200,
        json: call.path.includes('/settlements/') ? { ...settlement, data: { ...settlement.data, ...changes } } : settlements,
      }),
    );
    return readLines();
  };

  const readLines = async () => {
    const list = await flutterwave.listSettlements?.(account, settlementQuery, patient);
    const head = list?.outcome === 'yes' ? list.value.rows.find(({ settlementId }) => settlementId === '41497') : undefined;
    if (head === undefined) throw new Error('the sample has the settlement');
    const read = await flutterwave.listSettlementLines?.(account, { settlement: head, cursor: null }, patient);
    return read?.outcome === 'yes' ? read.value.rows : [];
  };

  it('have the transactions of the sample, several under one reference, and sum to the net amount', async () => {
    const lines = await linesOf({});
    expect(lines.length).toBe(10);
    expect(lines[0]).toMatchObject({
      key: 'payment/984411',
      amount: '10140',
      reference: 'Rave-Pages017117571060',
      description: 'card',
    });
    expect(sumDecimals(lines.map(({ amount }) => amount))).toBe('49850');
  });

  it('name the refunds they were reduced by, where they add up to what was taken off', async () => {
    const head = { ...settlement, data: { ...settlement.data, refund: 150, refund_meta: '[4169, 4848]', net_amount: 49_700 } };
    const refundAmounts: Record<string, number> = { '4169': 100, '4848': 50 };
    const refundOf = (refundId: string) => ({
      status: 'success',
      message: 'Transaction refund fetched',
      data: {
        id: Number(refundId),
        tx_id: 984_411,
        amount_refunded: refundAmounts[refundId],
        created_at: '2019-12-30T10:00:00.000Z',
      },
    });
    server.script((call) => {
      const refundId = /\/refunds\/(\d+)$/.exec(call.path)?.[1];
      if (refundId !== undefined) return wireReply({ status: 200, json: refundOf(refundId) });
      return wireReply({ status: 200, json: call.path.includes('/settlements/') ? head : settlements });
    });
    const lines = await readLines();
    expect(lines.slice(10).map(({ key, kind, amount, transactionId }) => [key, kind, amount, transactionId])).toEqual([
      ['refund/4169', 'refund', '-100', '984411'],
      ['refund/4848', 'refund', '-50', '984411'],
    ]);
    refundAmounts['4848'] = 51;
    expect((await readLines()).slice(10).map(({ key, amount }) => [key, amount])).toEqual([['refunds', '-150']]);
  });

  it('have one line each for refunds, chargebacks and stamp duty that no transaction names', async () => {
    const lines = await linesOf({ refund: 100.5, chargeback: 7, stampduty_charge: 50, net_amount: 49_692.5 });
    expect(lines.slice(10).map(({ key, kind, amount }) => [key, kind, amount])).toEqual([
      ['refunds', 'refund', '-100.5'],
      ['chargebacks', 'chargeback', '-7'],
      ['stamp-duty', 'other', '-50'],
    ]);
    const [first] = settlement.data.transactions;
    const named = await linesOf({ stampduty_charge: 50, transactions: [{ ...first, stampduty_charge: 50 }] });
    expect(named.map(({ key, amount }) => [key, amount])).toEqual([
      ['payment/984411', '10140'],
      ['fee/984411', '-190'],
      ['stamp-duty/984411', '-50'],
    ]);
  });
});

describe('a chargeback at Flutterwave', () => {
  const query = { from: new Date('2024-01-01T00:00:00Z'), to: new Date('2025-01-01T00:00:00Z'), cursor: null };

  it('is read from the documented sample, where the lack of an answer is in its history', async () => {
    server.script(() => wireReply({ status: 200, json: chargebacks }));
    expect(await flutterwave.listDisputes?.(account, query, patient)).toMatchObject({
      outcome: 'yes',
      value: {
        rows: [
          {
            gatewayDisputeId: '2221',
            reference: 'TEST-1683619718017',
            transactionId: '674630970',
            state: 'expired',
            stage: 'pre-arbitration',
            amount: '3000',
            dueAt: new Date('2024-08-03T15:59:59.000Z'),
            closedAt: new Date('2024-08-04T06:49:49.000Z'),
          },
        ],
      },
    });
  });

  it('that was answered is read from both documented forms of the answer', async () => {
    const answer = {
      gatewayDisputeId: '1591',
      action: 'accept',
      amount: '100',
      message: 'Yes',
      evidence: null,
      customer: null,
    } as const;
    for (const json of [accepted, { status: 'success', message: 'Chargeback accepted', data: accepted }]) {
      server.script(() => wireReply({ status: 200, json }));
      expect(await flutterwave.answerDispute?.(account, answer, patient)).toMatchObject({ value: { state: 'accepted' } });
      expect(JSON.parse(server.calls[0]?.body ?? '')).toEqual({ action: 'accept', comment: 'Yes' });
    }
  });

  it('has webhooks of an undocumented form, which lead to the list', () => {
    const body = JSON.stringify({ event: 'chargeback.initiated', data: { anything: true } });
    expect(flutterwave.readWebhook(account, delivered(body, flutterwaveScript.sign(body, credentials)))).toMatchObject({
      kind: 'disputes',
      event: 'chargeback.initiated',
    });
  });
});

describe('version 4 of Flutterwave’s API', () => {
  // https://developer.flutterwave.com/docs/webhooks
  const event = (changes: Readonly<Record<string, unknown>> = {}, type = 'charge.completed') => ({
    webhook_id: 'wbk_1',
    timestamp: 1_795_170_165,
    type,
    data: {
      id: 'chg_e1f3a2b1',
      amount: 1000,
      currency: 'NGN',
      status: 'succeeded',
      reference,
      created_datetime: '2026-11-20T15:34:09.001Z',
      ...changes,
    },
  });
  const read = (json: unknown, of = account, headers?: Readonly<Record<string, string>>) => {
    const body = JSON.stringify(json);
    return flutterwave.readWebhook(of, delivered(body, headers ?? signingFlutterwaveScript.sign(body, credentials)));
  };
  const v4 = { ...credentials, dialect: 'v4' };

  it.each(['v3', 'v4'])('has webhooks that an account of %s reads: a payment to look up by its reference', (dialect) => {
    const of = { ...account, credentials: { ...credentials, dialect } };
    expect(read(event(), of)).toEqual({
      kind: 'payment',
      event: 'charge.completed',
      reference,
      transactionId: 'chg_e1f3a2b1',
      dedupeKey: 'v4:charge.completed:chg_e1f3a2b1:succeeded',
      occurredAt: new Date('2026-11-20T15:34:09.001Z'),
    });
    const v3: unknown = JSON.parse(signingFlutterwaveScript.paymentNotice({ reference, id: '285959875' }));
    expect(read(v3, of)).toMatchObject({ kind: 'payment', event: 'charge.completed', transactionId: '285959875' });
  });

  it('signs the body: the hash alone, which v3 sends, proves nothing, nor does a signature of another body', () => {
    expect(read(event(), account, { 'verif-hash': credentials.secretHash ?? '' })).toEqual({
      kind: 'refused',
      why: 'missing_signature',
    });
    const other = signingFlutterwaveScript.sign(JSON.stringify(event({ amount: 1 })), credentials);
    expect(read(event(), account, other)).toEqual({ kind: 'refused', why: 'bad_signature' });
  });

  it('has one webhook for each status, of chargebacks those of the account, and others that are ignored', () => {
    const [pending, failed] = [read(event({ status: 'pending' })), read(event({ status: 'failed' }))];
    expect('dedupeKey' in pending && 'dedupeKey' in failed && pending.dedupeKey !== failed.dedupeKey).toBe(true);
    expect(read(event({}, 'chargeback.created')).kind).toBe('disputes');
    expect(read(event({}, 'transfer.disburse')).kind).toBe('ignored');
    expect(read(event({ reference: null }))).toEqual({ kind: 'refused', why: 'malformed' });
  });

  it('is not called: an account of it opens nothing and asks nothing', async () => {
    server.script(() => wireReply({ status: 200, json: {} }));
    const of = { ...account, credentials: v4 };
    const refused = { class: 'our_configuration', code: 'not_supported' };
    expect(await flutterwave.open(of, order, patient)).toMatchObject({ outcome: 'no', failure: refused });
    expect(await flutterwave.verify(of, query, patient)).toMatchObject({ outcome: 'unknown', failure: refused });
    expect(server.calls).toEqual([]);
  });

  it('is one of two: an account is of v3 unless it says otherwise', () => {
    const { dialect: _, ...keys } = credentials;
    expect(flutterwave.credentials.parse(keys)).toMatchObject({ dialect: 'v3' });
    expect(flutterwave.credentials.safeParse({ ...keys, dialect: 'v5' }).success).toBe(false);
  });
});
