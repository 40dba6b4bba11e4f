import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readFailure } from '../harness/contract.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { MOUNTS } from '../harness/mounts.ts';
import { openRefundHarness, type RefundHarness } from '../life/refund-harness.ts';

let harness: Harness;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  refundHarness = openRefundHarness(harness);
});
afterAll(() => harness.close());

const page = <Item extends z.ZodType>(name: 'payments' | 'events', item: Item) =>
  z.strictObject({
    status: z.literal(true),
    statusCode: z.literal(200),
    message: z.string(),
    data: z.strictObject({ [name]: z.array(item), nextCursor: z.string().nullable() }),
  });
const paymentPage = page('payments', z.looseObject({ paymentId: z.uuid(), merchantOrderId: z.string() }));
const eventPage = page('events', z.looseObject({ id: z.uuid(), type: z.string() }));

/** A cursor as a program could make it. */
const cursorAt = (time: string) => Buffer.from(`${time} ${randomUUID()}`).toString('base64url');

describe.each(MOUNTS)('through the %s mount', (mount) => {
  const get = (path: string, { testKey }: Pick<TestMerchant, 'testKey'> = harness.first) =>
    harness.send(mount, 'GET', path, { key: testKey });
  const payments = async (query: string, merchant: Pick<TestMerchant, 'testKey'> = harness.first) => {
    const { data } = paymentPage.parse((await get(`/v1/payments?${query}`, merchant)).json);
    return z
      .object({ payments: z.array(z.looseObject({ paymentId: z.string() })), nextCursor: z.string().nullable() })
      .parse(data);
  };
  const ids = async (query: string, merchant: Pick<TestMerchant, 'testKey'> = harness.first) =>
    (await payments(query, merchant)).payments.map(({ paymentId }) => paymentId);
  const customerId = () => `customer-${randomUUID()}`;
  const of = (id: string) => ({ customer: { email: 'ada@example.com', id } });

  test('payments are listed page by page, newest first, each once, as reading one answers it', async () => {
    const customer = customerId();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      made.unshift((await refundHarness.initiate(harness.first, 'paystack', of(customer))).paymentId);
    }
    const listed: string[][] = [];
    let cursor: string | null = null;
    do {
      const found: Awaited<ReturnType<typeof payments>> = await payments(
        `customer=${customer}&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      listed.push(found.payments.map(({ paymentId }) => paymentId));
      cursor = found.nextCursor;
    } while (cursor !== null);
    expect(listed.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(listed.flat()).toEqual(made);
    const one = z.object({ data: z.unknown() }).parse((await get(`/v1/payments/${made[0]}`)).json);
    expect((await payments(`customer=${customer}&limit=1`)).payments[0]).toEqual(one.data);
  });

  test('a payment is found by the whole of its order id, and by nothing less', async () => {
    const merchantOrderId = `order ${randomUUID()}`;
    const { paymentId } = await refundHarness.initiate(harness.first, 'paystack', { merchantOrderId });
    expect(await ids(`merchantOrderId=${encodeURIComponent(merchantOrderId)}`)).toEqual([paymentId]);
    expect(await ids(`merchantOrderId=${encodeURIComponent(merchantOrderId.slice(0, -1))}`)).toEqual([]);
  });

  test('payments are filtered by status, customer and time', async () => {
    const customer = customerId();
    const email = `${customer}@Example.com`;
    const paid = await refundHarness.pay(harness.first, 'paystack', { customer: { email, id: customer } });
    const open = await refundHarness.initiate(harness.first, 'paystack', of(customer));
    expect(await ids(`customer=${customer}&status=SUCCESS`)).toEqual([paid.paymentId]);
    expect(await ids(`customer=${customer}&status=SUCCESS,PENDING`)).toEqual([open.paymentId, paid.paymentId]);
    expect(await ids(`customer=${encodeURIComponent(email.toLowerCase())}`)).toEqual([paid.paymentId]);
    const { createdAt } = z
      .looseObject({ createdAt: z.string() })
      .parse((await payments(`customer=${customer}&limit=1`)).payments[0]);
    expect(await ids(`customer=${customer}&createdFrom=${createdAt}`)).toEqual([open.paymentId]);
    expect(await ids(`customer=${customer}&createdTo=${createdAt}`)).toEqual([paid.paymentId]);
  });

  test('a list holds nothing of another merchant or of the other mode', async () => {
    const customer = customerId();
    const { paymentId } = await refundHarness.pay(harness.first, 'paystack', of(customer));
    expect(await ids(`customer=${customer}`)).toEqual([paymentId]);
    for (const testKey of [harness.second.testKey, harness.first.liveKey]) {
      expect(await ids(`customer=${customer}`, { testKey })).toEqual([]);
      expect((await get(`/v1/events?paymentId=${paymentId}`, { testKey })).json).toMatchObject({ data: { events: [] } });
    }
  });

  test('events are the records that endpoints receive, newest first', async () => {
    const payment = await refundHarness.pay(harness.first, 'paystack');
    await refundHarness.request(harness.first, payment.paymentId);
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'processed');
    await refundHarness.follow();
    const stored = (await refundHarness.events(payment.paymentId)).map(({ body }) => JSON.parse(body));
    expect(stored.map(({ type }) => type)).toEqual(['payment.succeeded', 'refund.succeeded', 'payment.refunded']);
    const events = async (query: string) =>
      z
        .object({ events: z.array(z.looseObject({ type: z.string() })) })
        .parse(eventPage.parse((await get(`/v1/events?paymentId=${payment.paymentId}&${query}`)).json).data).events;
    expect(await events('')).toHaveLength(stored.length);
    expect(await events('')).toEqual(expect.arrayContaining(stored));
    expect((await events('')).at(-1)).toEqual(stored[0]);
    expect((await events('type=payment.refunded,refund.failed')).map(({ type }) => type)).toEqual(['payment.refunded']);
    expect(await events('limit=1')).toHaveLength(1);
  });

  test('an event carries the refund as it is read', async () => {
    const payment = await refundHarness.pay(harness.first, 'paystack');
    const requested = await refundHarness.request(harness.first, payment.paymentId, { amount: 1_000, reason: 'Out of stock' });
    await refundHarness.runJobs();
    await refundHarness.end(payment, 'processed');
    await refundHarness.follow();
    const path = `/v1/events?paymentId=${payment.paymentId}&type=refund.succeeded`;
    const shown = { data: { amount: 2_500, refund: await refundHarness.read(harness.first, requested) } };
    expect((await get(path)).json).toMatchObject({ data: { events: [shown] } });
  });

  test.each([
    ['payments', 'limit=0', 'limit must be a whole number from 1 to 100'],
    ['payments', 'limit=101', 'limit must be a whole number from 1 to 100'],
    ['payments', 'cursor=x', 'cursor must be the nextCursor of a page before'],
    ['payments', 'status=PAID', 'status must be of INITIATED, PENDING, SUCCESS, FAILED, REFUNDED, separated by commas'],
    [
      'payments',
      'createdFrom=yesterday',
      'createdFrom must be an ISO 8601 date and time with its offset, as 2026-11-22T00:00:00Z',
    ],
    ['payments', 'createdFrom=0000-01-01T00:00:00Z', 'createdFrom must be .* of the years 1 to 9999$'],
    ['payments', 'createdTo=0001-01-01T00:00:00%2B14:00', 'createdTo must be .* of the years 1 to 9999$'],
    ['payments', `cursor=${cursorAt('0000-01-01T00:00:00.000Z')}`, 'cursor must be the nextCursor of a page before'],
    ['payments', `cursor=${cursorAt('+010000-01-01T00:00:00.000Z')}`, 'cursor must be the nextCursor of a page before'],
    ['events', `cursor=${cursorAt('-000001-01-01T00:00:00.000Z')}`, 'cursor must be the nextCursor of a page before'],
    ['settlements', 'settledFrom=0000-01-01', 'settledFrom must be a day of the years 1 to 9999, as 2026-11-22'],
    ['payments', 'merchantOrderID=7', 'merchantOrderID is not known; did you mean merchantOrderId?'],
    ['payments', 'customer=%00', 'customer must not contain NUL or unpaired surrogates'],
    ['payments', 'colour=red', 'colour is not known'],
    ['events', 'paymentId=x', 'paymentId must be the id of a payment'],
    ['events', 'type=payment.paid', /^type must be of payment\.succeeded, .*, separated by commas$/],
  ])('%s?%s is refused with the rule', async (list, query, rule) => {
    const refused = readFailure(await get(`/v1/${list}?${query}`));
    expect(refused).toMatchObject({ statusCode: 400, data: { errors: [expect.stringMatching(rule)] } });
  });

  test.each(['9999-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00', '9999-12-31T00:00:00%2B01:00'])(
    'the last day of the year 9999 is no end: createdTo=%s',
    async (end) => {
      const { payments } = paymentPage.parse((await get(`/v1/payments?createdTo=${end}&limit=1`)).json).data;
      expect(payments).toHaveLength(1);
    },
  );

  test('only GET is allowed, and only with a key', async () => {
    for (const list of ['payments', 'events']) {
      expect((await harness.send(mount, 'POST', `/v1/${list}`, { key: harness.first.testKey, body: {} })).headers.allow).toBe(
        'GET, HEAD',
      );
      expect((await harness.send(mount, 'GET', `/v1/${list}`, { key: 'sk_test_no' })).status).toBe(401);
    }
  });
});
