import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import type { GatewayName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import type { HttpAnswer, TestRequest } from '../harness/mounts.ts';

/* Amounts and orders of the dialects are taken as they are written, or refused: nothing is guessed, rounded or done twice. */

let harness: Harness;
let merchant: TestMerchant;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant({ order: ['paystack'] });
});
afterEach(() => harness.gateways.heal());
afterAll(() => harness.close());

const ask = (method: string, path: string, request: TestRequest = {}) =>
  harness.send('node', method, `/compat/${path}`, { key: merchant.testKey, ...request });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => ask('POST', path, { body, headers });

const INITIALIZE = 'paystack/transaction/initialize';
const PAYMENTS = 'flutterwave/v3/payments';
const paystackOrder = (reference: string) => ({ email: 'ada@example.com', amount: 250_000, reference });
const flutterwaveOrder = (tx_ref: string) => ({ tx_ref, amount: 2_500, customer: { email: 'ada@example.com' } });
const link = z.object({ data: z.object({ link: z.url() }) });

const paymentOf = (merchantOrderId: string) =>
  harness.database.prisma.payment.findFirst({
    where: { merchantId: merchant.merchantId, merchantOrderId },
    include: { attempts: true },
  });
const refundsOf = async (reference: string) => {
  const payment = await paymentOf(reference);
  const refunds = await harness.database.prisma.refund.findMany({ where: { paymentId: payment?.id ?? '' } });
  return refunds.map(({ amount }) => Number(amount)).toSorted((one, other) => one - other);
};

async function pay(reference: string, gateway: GatewayName = 'paystack'): Promise<void> {
  const payment = await paymentOf(reference);
  await harness.gateways.settle(gateway, payment?.attempts[0]?.reference ?? '', 'success');
}

/** A paid payment that one of the dialects began: its reference and number. */
async function paid(): Promise<{ readonly reference: string; readonly number: number }> {
  const reference = `ord-${randomUUID()}`;
  expect((await post(INITIALIZE, paystackOrder(reference))).status).toBe(200);
  await pay(reference);
  const verified = await ask('GET', `paystack/transaction/verify/${reference}`);
  const { id: number, status } = z
    .object({ data: z.object({ id: z.int(), status: z.string() }) })
    .parse(JSON.parse(verified.text)).data;
  expect(status).toBe('success');
  return { reference, number };
}

type Paid = Awaited<ReturnType<typeof paid>>;
const DIALECTS = {
  paystack: {
    refund: ({ reference }: Paid, fields: object, headers?: Record<string, string>) =>
      post('paystack/refund', { transaction: reference, ...fields }, headers),
    naira: (amount: number) => amount * 100,
    begin: (reference: string, headers?: Record<string, string>) => post(INITIALIZE, paystackOrder(reference), headers),
  },
  flutterwave: {
    refund: ({ number }: Paid, fields: object, headers?: Record<string, string>) =>
      post(`flutterwave/v3/transactions/${number}/refund`, fields, headers),
    naira: (amount: number) => amount,
    begin: (reference: string, headers?: Record<string, string>) => post(PAYMENTS, flutterwaveOrder(reference), headers),
  },
} as const;

describe.each(Object.entries(DIALECTS))('under an Idempotency-Key in the form of %s', (_, dialect) => {
  test('a refund is made once, however often it is sent, and answered byte for byte', async () => {
    const payment = await paid();
    const headers = { 'idempotency-key': randomUUID() };
    const send = (amount: number) => dialect.refund(payment, { amount: dialect.naira(amount) }, headers);
    const racers = await Promise.all(Array.from({ length: 8 }, () => send(500)));
    const answered = racers.filter(({ status }) => status === 200);
    expect(answered.length).toBeGreaterThan(0);
    for (const { status, headers: sent } of racers.filter((racer) => !answered.includes(racer))) {
      expect([status, sent['retry-after']]).toEqual([409, '2']);
    }
    const again = await send(500);
    expect([again.status, again.text]).toEqual([200, answered[0]?.text]);
    expect((await send(600)).status).toBe(422);
    expect(await refundsOf(payment.reference)).toEqual([500]);
    expect((await dialect.refund(payment, { amount: dialect.naira(500) })).status).toBe(200);
    expect(await refundsOf(payment.reference)).toEqual([500, 500]);
  });

  test('a refund that was refused is refused again, and one of another payment is another request', async () => {
    const [one, other] = [await paid(), await paid()];
    const headers = { 'idempotency-key': randomUUID() };
    const refused = await dialect.refund(one, { amount: dialect.naira(2_501) }, headers);
    expect(refused.status).toBe(400);
    expect(await dialect.refund(one, { amount: dialect.naira(2_501) }, headers)).toMatchObject({
      status: 400,
      text: refused.text,
    });
    expect((await dialect.refund(other, { amount: dialect.naira(2_501) }, headers)).status).toBe(422);
  });

  test('a payment is begun once, and its checkout answered again', async () => {
    const reference = `ord-${randomUUID()}`;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await dialect.begin(reference, headers);
    expect(first.status).toBe(200);
    expect(await dialect.begin(reference, headers)).toMatchObject({ status: 200, text: first.text });
    expect((await dialect.begin(`ord-${randomUUID()}`, headers)).status).toBe(422);
  });

  test('a request whose process died goes on with its payment', async () => {
    const reference = `ord-${randomUUID()}`;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await dialect.begin(reference, headers);
    await harness.database.prisma.idempotencyRecord.updateMany({
      where: { key: headers['idempotency-key'] },
      data: { statusCode: null, body: null, lockedUntil: new Date(0) },
    });
    expect(await dialect.begin(reference, headers)).toMatchObject({ status: 200, text: first.text });
  });

  test('a key that is none is refused', async () => {
    const answer = await dialect.begin(`ord-${randomUUID()}`, { 'idempotency-key': 'two words' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  });
});

describe('an amount to refund', () => {
  const lost = ['""', 'null', 'false', '{}', '[]', '"none"', '-100', '1000.0000000000000001'];

  test.each(lost)('that is %s refunds nothing', async (amount) => {
    const { reference, number } = await paid();
    const answers = [
      await post('paystack/refund', `{"transaction":"${reference}","amount":${amount}}`),
      await post(`flutterwave/v3/transactions/${number}/refund`, `{"amount":${amount}}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    for (const { text } of answers) expect(text).toContain('amount');
    expect(await refundsOf(reference)).toEqual([]);
  });

  test('in the query, under another name, or in a body that was lost refunds nothing', async () => {
    const { reference, number } = await paid();
    const transaction = { transaction: reference };
    const at = `flutterwave/v3/transactions/${number}/refund`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answers = [
      await post('paystack/refund?amount=10000', transaction),
      await post('paystack/refund', { ...transaction, ammount: 10_000 }),
      await post('paystack/refund', { ...transaction, params: { amount: 10_000 } }),
      await post('paystack/refund', `transaction=${reference}&amount=`, form),
      await post('paystack/refund', `transaction=${reference}&amount=100&amount=250000`, form),
      await post('paystack/refund', `[${JSON.stringify(transaction)}]`),
      await ask('POST', `paystack/refund?transaction=${reference}&amount=10000`),
      await post(`${at}?amount=100`, {}),
      await post(at, { refund_amount: 100 }),
      await post(at, [{ amount: 100 }]),
      await post(at, { id: number + 1, amount: 100 }),
      await post(at, 'amount=100', form),
      await ask('POST', at),
      await ask('POST', `${at}?amount=100`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    expect(await refundsOf(reference)).toEqual([]);
  });

  test('is all that is left where it is left out of a refund that is understood, as at the gateways', async () => {
    const [one, other] = [await paid(), await paid()];
    await post('paystack/refund', { transaction: one.number, amount: '50000' });
    expect((await post('paystack/refund', { transaction: one.number, merchant_note: 'torn' })).status).toBe(200);
    expect((await post(`flutterwave/v3/transactions/${other.number}/refund`, {})).status).toBe(200);
    expect([await refundsOf(one.reference), await refundsOf(other.reference)]).toEqual([[500, 2_000], [2_500]]);
  });
});

describe('a reference that is a number', () => {
  test.each(['paystack', 'flutterwave'])('beyond 2^53 is its digits in the form of %s, and each verifies', async (dialect) => {
    const start = dialect === 'paystack' ? '2026112815584612' : '2026112815584613';
    for (const reference of [`${start}1`, `${start}9`]) {
      const body =
        dialect === 'paystack'
          ? `{"email":"ada@example.com","amount":250000,"reference":${reference}}`
          : `{"tx_ref":${reference},"amount":2500,"customer":{"email":"ada@example.com"}}`;
      expect((await post(dialect === 'paystack' ? INITIALIZE : PAYMENTS, body)).status).toBe(200);
      const verified = await ask(
        'GET',
        dialect === 'paystack'
          ? `paystack/transaction/verify/${reference}`
          : `flutterwave/v3/transactions/verify_by_reference?tx_ref=${reference}`,
      );
      expect(verified.status).toBe(200);
      expect(await paymentOf(reference)).toMatchObject({ merchantOrderId: reference });
    }
    await pay(`${start}9`);
    await ask('GET', `paystack/transaction/verify/${start}9`);
    expect((await post('paystack/refund', `{"transaction":${start}1,"amount":100000}`)).text).toContain('has not been paid');
    expect((await post('paystack/refund', `{"transaction":${start}9,"amount":100000}`)).status).toBe(200);
    expect([await refundsOf(`${start}1`), await refundsOf(`${start}9`)]).toEqual([[], [1_000]]);
  });

  test.each(['false', '{}', '["ref"]', '1.5', '-1', '1e400'])('or %s is no reference, and begins nothing', async (value) => {
    const before = await harness.database.prisma.payment.count({ where: { merchantId: merchant.merchantId } });
    const answers = [
      await post(INITIALIZE, `{"email":"ada@example.com","amount":250000,"reference":${value}}`),
      await post(PAYMENTS, `{"tx_ref":${value},"amount":2500,"customer":{"email":"ada@example.com"}}`),
      await post('paystack/refund', `{"transaction":${value},"amount":100000}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(await harness.database.prisma.payment.count({ where: { merchantId: merchant.merchantId } })).toBe(before);
  });

  test('that is given twice finds no payment', async () => {
    const { reference } = await paid();
    const answer = await ask('GET', `flutterwave/v3/transactions/verify_by_reference?tx_ref=${reference}&tx_ref=other`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('tx_ref must be given once')]);
  });
});

test.each([INITIALIZE, PAYMENTS, 'paystack/refund', 'flutterwave/v3/transactions/7/refund'])(
  '%s takes no query',
  async (path) => {
    const answer = await post(`${path}?amount=100`, { ...paystackOrder('x'), ...flutterwaveOrder('x'), transaction: 'x' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('query must be empty')]);
  },
);

describe('a repeated tx_ref', () => {
  const order = () => ({ ...flutterwaveOrder(`tx-${randomUUID()}`), redirect_url: 'https://shop.example/done' });

  test('of many requests at once gets one link, while the gateway is slow as well', async () => {
    const sent = order();
    await harness.gateways.setFault('paystack', 'slow', 1_500);
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(PAYMENTS, sent)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => link.parse(JSON.parse(text)).data.link)).size).toBe(1);
    expect((await paymentOf(sent.tx_ref))?.attempts).toHaveLength(1);
  });

  test('of another amount, address or customer is refused at once, and so is one that was paid', async () => {
    const sent = order();
    await harness.gateways.setFault('paystack', 'slow', 1_500);
    const first = post(PAYMENTS, sent);
    await eventually('the payment to be on record', () => paymentOf(sent.tx_ref));
    const others = [
      { ...sent, amount: 2_600 },
      { ...sent, redirect_url: 'https://shop.example/other' },
      { ...sent, customer: { email: 'bola@example.com' } },
    ];
    for (const other of others) expect((await post(PAYMENTS, other)).text).toContain('Duplicate tx_ref');
    expect((await paymentOf(sent.tx_ref))?.status).toBe('INITIATED');
    const { status } = await first;
    expect(status).toBe(200);
    await harness.gateways.heal();
    expect((await post(PAYMENTS, sent)).status).toBe(200);
    await pay(sent.tx_ref);
    await ask('GET', `flutterwave/v3/transactions/verify_by_reference?tx_ref=${sent.tx_ref}`);
    expect((await post(PAYMENTS, sent)).text).toContain('Duplicate tx_ref');
  });

  test('whose first request has no answer in time is to be sent again', async () => {
    const sent = order();
    expect((await post(PAYMENTS, sent)).status).toBe(200);
    const opened = await paymentOf(sent.tx_ref);
    await harness.database.prisma.payment.updateMany({ where: { id: opened?.id ?? '' }, data: { status: 'INITIATED' } });
    const { payments } = harness.switchyard;
    const budget = payments.initiateBudgetMs;
    Object.assign(payments, { initiateBudgetMs: 300 });
    let answer: HttpAnswer;
    try {
      answer = await post(PAYMENTS, sent);
    } finally {
      Object.assign(payments, { initiateBudgetMs: budget });
    }
    expect([answer.status, answer.headers['retry-after']]).toEqual([409, '2']);
    expect(answer.text).toContain('tx_ref');
  });
});

describe('a list', () => {
  test.each([
    ['paystack/transaction?reference=ref-1', 'reference'],
    ['paystack/transaction?Status=failed', 'Status'],
    ['paystack/transaction?amount=', 'amount'],
    ['paystack/transaction?customer=', 'customer'],
    ['paystack/transaction?status=failed&status=success', 'status'],
    ['paystack/transaction/totals?status=success', 'status'],
    ['paystack/refund?status=failed', 'status'],
    ['paystack/refund?reference=', 'reference'],
    ['flutterwave/v3/transactions?amount=100', 'amount'],
    ['flutterwave/v3/transactions?tx_ref=', 'tx_ref'],
    ['flutterwave/v3/transactions?from=2026-11-20&from=2026-11-21', 'from'],
    ['flutterwave/v3/refunds?tx_ref=tx-1', 'tx_ref'],
    ['flutterwave/v3/refunds?id=', 'id'],
  ])('%s is refused by the name of the filter', async (path, field) => {
    const answer = await ask('GET', path);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)]);
  });

  test('of refunds has those of the transaction that the body of a GET names, as one package sends it', async () => {
    const [one, other] = [await paid(), await paid()];
    for (const { reference } of [one, other]) await post('paystack/refund', { transaction: reference, amount: 50_000 });
    const listed = async (body: unknown) =>
      z
        .object({ data: z.array(z.object({ transaction: z.int() })) })
        .parse(JSON.parse((await ask('GET', 'paystack/refund', { body })).text))
        .data.map(({ transaction }) => transaction);
    expect(await listed({ reference: one.reference })).toEqual([one.number]);
    expect(await listed({ transaction: other.number, perPage: 5, page: null })).toEqual([other.number]);
    expect((await ask('GET', 'paystack/refund', { body: { reference: { id: 7 } } })).status).toBe(400);
    expect((await ask('GET', 'paystack/refund', { body: { nobody: 7 } })).status).toBe(400);
  });
});

describe('what merchants send beside the amount', () => {
  const metadataOf = async (reference: string) =>
    z
      .object({ data: z.object({ metadata: z.unknown().optional(), meta: z.unknown().optional() }) })
      .parse(JSON.parse((await ask('GET', `paystack/transaction/verify/${reference}`)).text)).data.metadata;

  test('of a form may have any name', async () => {
    const reference = `form-${randomUUID()}`;
    const form = `email=ada%40example.com&amount=250000&reference=${reference}&metadata[constructor]=Balogun&metadata[__proto__]=1`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(INITIALIZE, form, headers)).status).toBe(200);
    expect(JSON.stringify(await metadataOf(reference))).toBe('{"constructor":"Balogun","__proto__":"1"}');
    const deep = await post(INITIALIZE, `email=a%40b.co&amount=250000&metadata${'[x]'.repeat(7)}=1`, headers);
    expect([deep.status, deep.text]).toEqual([400, expect.stringContaining('metadata must be at most 5 levels deep')]);
  });

  test('may be an empty list, or in Flutterwave’s form any list', async () => {
    const reference = `list-${randomUUID()}`;
    expect((await post(INITIALIZE, { ...paystackOrder(reference), metadata: [], split: {}, channels: [] })).status).toBe(200);
    expect(await metadataOf(reference)).toBe('');
    const meta = [{ metaname: 'flight', metavalue: '93849-MK5000' }];
    const sent = { ...flutterwaveOrder(`list-${randomUUID()}`), meta, subaccounts: [], payment_options: 'all' };
    expect((await post(PAYMENTS, sent)).status).toBe(200);
    const verified = await ask('GET', `flutterwave/v3/transactions/verify_by_reference?tx_ref=${sent.tx_ref}`);
    expect(JSON.parse(verified.text)).toMatchObject({ data: { meta } });
  });

  test.each([
    ['metadata.id', '{"id":9007199254740993}'],
    ['metadata.rate', '{"rate":0.1000000000000000055}'],
    ['metadata must be at most 5 levels deep', '{"a":{"b":{"c":{"d":{"e":{}}}}}}'],
    ['metadata must be at most 19 levels deep', `{"a":${'['.repeat(25)}${']'.repeat(25)}}`],
    ['metadata must be a JSON object', '"order 55"'],
    ['metadata must be a JSON object', '[1]'],
  ])('is refused by name: %s', async (said, metadata) => {
    const body = `{"email":"ada@example.com","amount":250000,"metadata":${metadata}}`;
    const answer = await post(INITIALIZE, body);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(said)]);
  });

  test('is an https address with a key of live mode', async () => {
    const live = { key: merchant.liveKey };
    const address = 'http://shop.example/done';
    const paystack = { ...paystackOrder('live-1'), callback_url: address };
    const answers = [
      await ask('POST', INITIALIZE, { ...live, body: paystack }),
      await ask('POST', INITIALIZE, { ...live, body: { ...paystackOrder('live-1'), metadata: { cancel_action: address } } }),
      await ask('POST', PAYMENTS, { ...live, body: { ...flutterwaveOrder('live-1'), redirect_url: address } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    const [callback, cancel, redirect] = answers.map(({ text }) => text);
    expect(callback).toContain('callback_url must be an https URL');
    expect(cancel).toContain('metadata.cancel_action must be an https URL');
    expect(redirect).toContain('redirect_url must be an https URL');
    expect((await post(INITIALIZE, { ...paystack, reference: `http-${randomUUID()}` })).status).toBe(200);
  });
});
