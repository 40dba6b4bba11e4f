import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTo } from '../access.ts';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess, WebhookReading } from '../gateway.ts';
import { createRedactor } from '../redact.ts';
import type { Verdict } from '../states.ts';
import { describeGatewayContract } from '../testing/contract.ts';
import { delivered, order, query, reference, refundOrder, transactionId, wholeList, wireReply } from '../testing/script.ts';
import { type StubServer, startStubServer } from '../testing/stub-server.ts';
import { api } from './api.ts';
import orderAnswer from './fixtures/order.json' with { type: 'json' };
import row from './fixtures/row.json' with { type: 'json' };
import { nombaScript, refusalOf, sentAt, signatureOf, transactionOf } from './fixtures/script.ts';
import { nomba } from './nomba.ts';
import { evaluateTransaction } from './verdict.ts';
import { transactionSchema } from './wire.ts';

describeGatewayContract(nomba, nombaScript);

const credentials = nombaScript.credentials.test;
const patient = { timeoutMs: 10_000 };
const tokenPath = '/v1/auth/token/issue';
let server: StubServer;
let account: AccountAccess;

beforeAll(async () => {
  server = await startStubServer((call) =>
    call.path.endsWith(tokenPath) && nombaScript.token !== undefined
      ? wireReply(nombaScript.token.issued('a-token', 1_800))
      : null,
  );
  account = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: server.url };
});
afterAll(async () => {
  await closeGatewayConnections();
  await server.close();
});

const paid = () => transactionOf({ reference, id: transactionId, state: 'paid', amount: '1000.00', currency: 'NGN' });

function judge(changes: Readonly<Record<string, unknown>>, reference_ = reference): Verdict {
  const wire = paid();
  const { data } = transactionSchema.parse({ ...wire, data: { ...wire.data, ...changes } });
  return evaluateTransaction(data, { ...query, reference: reference_ }, createRedactor([]));
}

describe('an account at Nomba', () => {
  it('is reached at the host of its mode', () => {
    expect(accessTo(api, { ...account, baseUrl: null })).toMatchObject({ baseUrl: 'https://sandbox.nomba.com' });
    const live = { ...account, mode: 'live', baseUrl: null, credentials: nombaScript.credentials.live } as const;
    expect(accessTo(api, live)).toMatchObject({ baseUrl: 'https://api.nomba.com' });
  });

  it('logs in with the client’s id and secret, and names the business in a header of every call', async () => {
    const logins: unknown[] = [];
    const own = await startStubServer((call) => {
      if (!call.path.endsWith(tokenPath)) return null;
      logins.push([JSON.parse(call.body), call.headers.accountid, call.headers.authorization]);
      return nombaScript.token === undefined ? null : wireReply(nombaScript.token.issued('a-token', 1_800));
    });
    try {
      own.script(() => wireReply({ status: 200, json: paid() }));
      const at = { ...account, baseUrl: own.url };
      // By transfer: who paid is looked up as well.
      expect((await nomba.verify(at, query, patient)).outcome).toBe('yes');
      const { clientId, secretKey, accountId } = credentials;
      const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secretKey };
      expect(logins).toEqual([[body, accountId, undefined]]);
      expect(own.calls.map(({ headers }) => [headers.accountid, headers.authorization])).toEqual([
        [accountId, 'Bearer a-token'],
        [accountId, 'Bearer a-token'],
      ]);
    } finally {
      await own.close();
    }
  });
});

describe('a checkout at Nomba', () => {
  it('is requested in naira, under our reference, in the object `order`', async () => {
    server.script(() => wireReply(nombaScript.opened(reference, `${server.url}/pay`)));
    const opened = await nomba.open(account, { ...order, method: 'TRANSFER' }, patient);
    const [call] = server.calls;
    expect([call?.method, call?.path]).toEqual(['POST', '/v1/checkout/order']);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      order: {
        orderReference: reference,
        amount: 1000,
        currency: 'NGN',
        callbackUrl: order.callbackUrl,
        customerEmail: 'ada@example.com',
        customerId: 'cus-1',
        allowedPaymentMethods: ['Transfer'],
        orderMetaData: { payment_id: order.paymentId },
      },
    });
    expect(opened).toMatchObject({ outcome: 'yes', value: { reference, accessCode: '' } });
  });

  it('keeps our reference where the answer has Nomba’s own id of the order, and that as its access code', async () => {
    const own = 'b0c1ce78-6826-4455-9cdb-fac886816bd9';
    server.script(() => wireReply(nombaScript.opened(own, `${server.url}/pay`)));
    expect(await nomba.open(account, order, patient)).toMatchObject({ outcome: 'yes', value: { reference, accessCode: own } });
  });

  it('is refused where the code is 00 and the data say that it was not opened', async () => {
    server.script(() => wireReply({ status: 200, json: { ...orderAnswer, data: { success: false, message: 'Not today' } } }));
    expect(await nomba.open(account, order, patient)).toMatchObject({
      outcome: 'no',
      failure: { code: 'request_rejected', message: 'Nomba refused: Not today' },
    });
  });

  it('is open where `status` beside the code is false, as the sandbox was observed to answer', async () => {
    const data = { ...orderAnswer.data, success: true, checkoutLink: `${server.url}/pay` };
    server.script(() => wireReply({ status: 200, json: { ...orderAnswer, status: false, data } }));
    expect((await nomba.open(account, order, patient)).outcome).toBe('yes');
  });
});

describe('a payment at Nomba', () => {
  it.each(['SUCCESS', 'Success', 'success', 'payment_successful'])('is paid where its status is %s', (status) => {
    expect(judge({ status })).toMatchObject({
      outcome: 'yes',
      value: { amount: '1000', fee: '2.8', method: 'TRANSFER', reversed: false },
    });
  });

  it.each(['NEW', 'Pending_Payment', 'PENDING_BILLING', 'cancelled', 'REFUND', 'REVERSED_BY_VENDOR'])(
    'is not known where its status is %s',
    (status) => {
      expect(judge({ status })).toMatchObject({ outcome: 'unknown', failure: { class: 'customer', code: 'not_paid_yet' } });
    },
  );

  it('that failed says why', () => {
    expect(judge({ status: 'payment_failed', gatewayMessage: 'do not honor' })).toMatchObject({
      outcome: 'no',
      failure: {
        code: 'declined',
        message: 'Nomba reports that the payment failed: do not honor',
        gatewayCode: 'PAYMENT_FAILED',
      },
    });
  });

  it('is ours where the reference came back in lower case, and keeps our spelling', () => {
    const ours = 'SW-0198C0DE-4111';
    expect(judge({ onlineCheckoutOrderReference: ours.toLowerCase() }, ours)).toMatchObject({
      outcome: 'yes',
      value: { reference: ours },
    });
    expect(judge({ onlineCheckoutOrderReference: 'sw-0198c0de-4112' }, ours)).toMatchObject({
      failure: { code: 'reference_mismatch' },
    });
  });

  it('of a transaction that paid no checkout is not ours', () => {
    expect(judge({ onlineCheckoutOrderReference: undefined })).toMatchObject({ failure: { code: 'reference_mismatch' } });
  });

  it('by a card has its last four digits', () => {
    expect(judge({ onlineCheckoutPaymentMethod: 'card_payment', onlineCheckoutCardPan: '543462 **** **** 2808' })).toMatchObject({
      value: { method: 'CARD', cardLast4: '2808' },
    });
  });

  it.each([
    ['the code 01', { status: 200, json: { code: '01', description: 'Transaction not found', data: null } }],
    ['HTTP 404', refusalOf('Record not found', 404)],
    ['the code 404 under HTTP 200', { status: 200, json: { code: '404', description: 'Record not found' } }],
  ])('that is not found by %s is not paid yet: the look-up can be behind the webhook', async (_, answer) => {
    server.script(() => wireReply(answer));
    expect(await nomba.verify(account, query, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'customer', code: 'not_paid_yet' },
    });
  });

  it('of a path that is not there decides nothing about a payment', async () => {
    server.script(() => wireReply(refusalOf('Resource not found', 404)));
    expect(await nomba.verify(account, query, patient)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'request_rejected' },
    });
  });
});

describe('a refund at Nomba', () => {
  it('names Nomba’s own id and naira, and is under way once it was taken', async () => {
    server.script(() => wireReply(nombaScript.refund('', 'processing')));
    const refunded = await nomba.refund(account, refundOrder, patient);
    const [call] = server.calls;
    expect([call?.path, JSON.parse(call?.body ?? '')]).toEqual(['/v1/checkout/refund', { transactionId, amount: 400 }]);
    expect(refunded).toMatchObject({
      outcome: 'yes',
      value: { gatewayRefundId: refundOrder.refundReference, state: 'processing', message: 'Refund processed successfully' },
    });
  });

  it('looks the payment up where its id is not known', async () => {
    server.script((call) =>
      wireReply(call.method === 'GET' ? { status: 200, json: paid() } : nombaScript.refund('', 'processing')),
    );
    expect((await nomba.refund(account, { ...refundOrder, transactionId: null }, patient)).outcome).toBe('yes');
    expect(server.calls.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(JSON.parse(server.calls.at(-1)?.body ?? '')).toMatchObject({ transactionId });
  });

  it.each([
    { code: '00', description: 'Success', data: { success: false, message: 'Insufficient balance' } },
    { code: '400', description: 'Insufficient balance' },
  ])('is refused by %j', async (json) => {
    server.script(() => wireReply({ status: 200, json }));
    expect(await nomba.refund(account, refundOrder, patient)).toMatchObject({
      outcome: 'no',
      failure: { code: 'request_rejected', message: 'Nomba refused: Insufficient balance' },
    });
  });
});

describe('the list of Nomba', () => {
  const list = async (results: readonly unknown[]) => {
    server.script(() => wireReply({ status: 200, json: { code: '00', description: 'Success', data: { results, cursor: '' } } }));
    return nomba.listPayments(account, wholeList, patient);
  };

  it('leaves out transactions that paid no checkout, whatever they look like', async () => {
    const read = await list([{ type: 'withdrawal', id: 7 }, { ...row, type: 'vact_transfer' }, row]);
    expect(read.outcome === 'yes' ? read.value.rows : read).toMatchObject([
      { reference: row.onlineCheckoutOrderReference, status: 'paid', amount: '4000', fee: '123', method: 'CARD' },
    ]);
  });

  it('is unreadable where a payment of a checkout has no id', async () => {
    expect(await list([{ ...row, id: undefined }])).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
  });
});

describe('a webhook of Nomba', () => {
  const body = nombaScript.paymentNotice({ reference, id: transactionId });
  const key = credentials.webhookSecret ?? '';
  const read = (text: string, headers: Readonly<Record<string, string>>): WebhookReading =>
    nomba.readWebhook(account, delivered(text, headers));
  const signed = nombaScript.sign(body, credentials);
  const changed = (change: (webhook: ReturnType<typeof parse>) => void) => {
    const webhook = parse();
    change(webhook);
    return JSON.stringify(webhook);
  };
  const parse = () => JSON.parse(body) as Record<string, unknown> & { data: Record<string, Record<string, unknown>> };

  it('is genuine by the sample that the page on webhooks prints', () => {
    // A transfer to a virtual account: https://developer.nomba.com/docs/api-basics/webhook
    const printed = JSON.stringify({
      event_type: 'payment_success',
      requestId: '45f2dc2d-d559-4773-bba3-2d5ec17b2e20',
      data: {
        merchant: { walletId: '6756ff80aafe04a795f18b38', walletBalance: 6052, userId: 'b7b10e81-e57d-41d0-8fdc-f4e23a132bbf' },
        terminal: {},
        transaction: {
          type: 'vact_transfer',
          transactionId: 'API-VACT_TRA-B7B10-0435b274-807a-4bc7-8abe-9dbb4548fd7a',
          responseCode: '',
          transactionAmount: 10,
          time: '2025-09-29T10:51:44Z',
        },
      },
    });
    const owner = { ...account, credentials: { ...credentials, webhookSecret: 'HkatexKDZg7CLWy96q5sfrVHSvtoz92B' } };
    const headers = {
      'nomba-signature': 'Kt9095hQxfgmVbx6iz7G2tPhHdbdXgLlyY/mf35sptw=',
      'nomba-timestamp': '2025-09-29T10:51:44Z',
    };
    expect(nomba.readWebhook(owner, delivered(printed, headers))).toMatchObject({ kind: 'ignored', event: 'payment_success' });
    expect(nomba.readWebhook(account, delivered(printed, headers))).toEqual({ kind: 'refused', why: 'bad_signature' });
  });

  it.each([
    ['event_type', (webhook: ReturnType<typeof parse>) => (webhook.event_type = 'payment_failed')],
    ['requestId', (webhook: ReturnType<typeof parse>) => (webhook.requestId = 'another')],
    ['userId', (webhook: ReturnType<typeof parse>) => Object.assign(webhook.data.merchant ?? {}, { userId: 'another' })],
    ['walletId', (webhook: ReturnType<typeof parse>) => Object.assign(webhook.data.merchant ?? {}, { walletId: 'another' })],
    [
      'transactionId',
      (webhook: ReturnType<typeof parse>) => Object.assign(webhook.data.transaction ?? {}, { transactionId: '1' }),
    ],
    ['type', (webhook: ReturnType<typeof parse>) => Object.assign(webhook.data.transaction ?? {}, { type: 'another' })],
    ['time', (webhook: ReturnType<typeof parse>) => Object.assign(webhook.data.transaction ?? {}, { time: sentAt })],
    [
      'responseCode',
      (webhook: ReturnType<typeof parse>) => Object.assign(webhook.data.transaction ?? {}, { responseCode: '51' }),
    ],
  ])('whose %s was changed is refused', (_, change) => {
    expect(read(changed(change), signed)).toEqual({ kind: 'refused', why: 'bad_signature' });
  });

  it('that was sent at another time, or without one, is refused', () => {
    for (const timestamp of ['2026-11-20T10:00:02Z', '']) {
      expect(read(body, { ...signed, 'nomba-timestamp': timestamp })).toEqual({ kind: 'refused', why: 'bad_signature' });
    }
  });

  it('whose fields were moved over their colons is refused', () => {
    const moved = changed((webhook) => {
      webhook.requestId = `${String(webhook.requestId)}:${String(webhook.data.merchant?.userId)}`;
      Object.assign(webhook.data.merchant ?? {}, { userId: webhook.data.merchant?.walletId, walletId: '' });
    });
    expect(read(moved, signed).kind).toBe('refused');
  });

  it('whose amount or order was changed is genuine all the same: it names a payment to look up, and has another key', () => {
    const dearer = changed((webhook) => Object.assign(webhook.data.transaction ?? {}, { transactionAmount: 1_000_000 }));
    expect(read(dearer, signed)).toEqual(read(body, signed));
    const another = changed((webhook) => Object.assign(webhook.data.order ?? {}, { orderReference: 'sw-another' }));
    const [one, other] = [read(body, signed), read(another, signed)];
    expect([one, other]).toMatchObject([
      { kind: 'payment', reference },
      { kind: 'payment', reference: 'sw-another' },
    ]);
    expect('dedupeKey' in one && 'dedupeKey' in other ? one.dedupeKey === other.dedupeKey : null).toBe(false);
  });

  it.each([null, 'null', undefined, ''])('signs a response code that is %j as nothing', (responseCode) => {
    const without = changed((webhook) => Object.assign(webhook.data.transaction ?? {}, { responseCode }));
    const headers = { 'nomba-signature': signatureOf(body, key, sentAt), 'nomba-timestamp': sentAt };
    expect(read(without, headers).kind).toBe('payment');
  });

  it.each(['payment_failed', 'payment_reversal'])('of %s has the payment looked up', (event_type) => {
    const text = changed((webhook) => {
      webhook.event_type = event_type;
    });
    expect(read(text, nombaScript.sign(text, credentials))).toMatchObject({ kind: 'payment', event: event_type, reference });
  });
});
