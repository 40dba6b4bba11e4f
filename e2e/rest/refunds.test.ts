import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readFailure } from '../harness/contract.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { MOUNTS } from '../harness/mounts.ts';
import { openRefundHarness, type RefundHarness } from '../life/refund-harness.ts';

let harness: Harness;
let refundHarness: RefundHarness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  refundHarness = openRefundHarness(harness);
});
afterAll(() => harness.close());

const pageSchema = z.strictObject({
  status: z.literal(true),
  statusCode: z.literal(200),
  message: z.string(),
  data: z.strictObject({
    refunds: z.array(z.looseObject({ refundId: z.uuid(), amount: z.int() })),
    nextCursor: z.string().nullable(),
  }),
});

const NO_AMOUNT = 'amount must be given, or "full": true to refund all that is left';
const NO_QUERY = 'query must be empty: the fields of a POST belong into its JSON body';
const NO_OBJECT = 'body must be a JSON object';

/** Requests from which no amount can be read: the query, the body, and what is said about it. */
const NOT_UNDERSTOOD: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['?amount=100', null, [NO_AMOUNT, NO_QUERY]],
  ['?amount=100', {}, [NO_AMOUNT, NO_QUERY]],
  ['?amount=100', { amount: 100 }, [NO_QUERY]],
  ['?/verify', { full: true }, [NO_QUERY]],
  ['', null, [NO_AMOUNT]],
  ['', {}, [NO_AMOUNT]],
  ['', '', [NO_AMOUNT]],
  ['', { amount: null }, [NO_AMOUNT]],
  ['', { amount: null, full: null, reason: 'torn' }, [NO_AMOUNT]],
  ['', { refund_amount: 100 }, [NO_AMOUNT, 'refund_amount is not known']],
  ['', { amt: 100 }, [NO_AMOUNT, 'amt is not known']],
  ['', { ammount: 100 }, [NO_AMOUNT, 'ammount is not known; did you mean amount?']],
  ['', { Amount: 100 }, [NO_AMOUNT, 'Amount is not known; did you mean amount?']],
  ['', { params: { amount: 100 } }, [NO_AMOUNT, 'params is not known']],
  ['', { amount: 100, currency: 'NGN' }, ['currency is not known']],
  ['', { full: true, transaction: 'T-1' }, ['transaction is not known']],
  ['', '{"amount":1000.0000000000000001}', ['amount must be an integer']],
  ['', '{"amount":20261128155846121}', ['amount must be at most 1000000000000']],
  ['', { full: false }, ['full must be true']],
  ['', { full: 'true' }, ['full must be true']],
  ['', { full: true, amount: 100 }, ['full must be left out where amount is given']],
  ['', '[{"amount":100}]', [NO_OBJECT, NO_AMOUNT]],
  ['', '100', [NO_OBJECT, NO_AMOUNT]],
  ['', '"amount=100"', [NO_OBJECT, NO_AMOUNT]],
  ['', 'null', [NO_OBJECT, NO_AMOUNT]],
];

describe.each(MOUNTS)('through the %s mount', (mount) => {
  const send = (method: string, path: string, key: string, body?: unknown, headers: Record<string, string> = {}) =>
    harness.send(mount, method, path, { key, headers, ...(body !== undefined && { body }) });

  test('every rule the request breaks is reported at once, and nothing is created', async () => {
    const { paymentId } = await refundHarness.pay(harness.first, 'paystack');
    const path = `/v1/payments/${paymentId}/refunds`;
    const wrong = await send('POST', `${path}?amount=7`, harness.first.testKey, {
      amount: '100',
      reason: 'x'.repeat(201),
      resaon: 'torn',
    });
    expect(wrong.status).toBe(400);
    expect(readFailure(wrong).data?.errors).toEqual([
      'amount must be an integer',
      'reason must be at most 200 characters long',
      'resaon is not known',
      NO_QUERY,
    ]);
    for (const amount of [0, -1, 10.5, 1e13, null, {}]) {
      expect((await send('POST', path, harness.first.testKey, { amount })).status).toBe(400);
    }
    for (const reason of ['', 'a\u0000b', '\ud800', 7]) {
      expect((await send('POST', path, harness.first.testKey, { reason })).status).toBe(400);
    }
    expect((await send('POST', path, harness.first.testKey, '{')).status).toBe(400);
    expect((await send('POST', path, harness.first.testKey, 'a=1', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send('PUT', path, harness.first.testKey)).headers.allow).toBe('GET, HEAD, POST');
    expect(await harness.database.prisma.refund.count({ where: { paymentId } })).toBe(0);
  });

  test.each(NOT_UNDERSTOOD)('%s with %s refunds nothing, in both modes', async (query, body, errors) => {
    const { paymentId } = await refundHarness.pay(harness.first, 'paystack');
    const path = `/v1/payments/${paymentId}/refunds${query}`;
    for (const key of [harness.first.testKey, harness.first.liveKey]) {
      const refused = await send('POST', path, key, body ?? undefined);
      expect([refused.status, readFailure(refused).data?.errors]).toEqual([400, errors]);
    }
    expect(await harness.database.prisma.refund.count({ where: { paymentId } })).toBe(0);
  });

  test('a payment that is unknown, malformed, another merchant’s or of the other mode get the same answer', async () => {
    const { paymentId } = await refundHarness.pay(harness.first, 'paystack');
    const asked = await refundHarness.request(harness.first, paymentId, { amount: 100 });
    const cases: readonly (readonly [string, string])[] = [
      [randomUUID(), harness.first.testKey],
      ['x', harness.first.testKey],
      [paymentId, harness.second.testKey],
      [paymentId, harness.first.liveKey],
    ];
    for (const [id, key] of cases) {
      const answers = [
        await send('POST', `/v1/payments/${id}/refunds`, key, { amount: 1 }),
        await send('GET', `/v1/payments/${id}/refunds`, key),
      ];
      for (const { status, text } of answers) {
        expect([status, text]).toEqual([
          404,
          '{"success":false,"statusCode":404,"message":"Payment not found","code":"payment_not_found","data":null}',
        ]);
      }
      const one = await send('GET', `/v1/payments/${id}/refunds/${asked.refundId}`, key);
      expect(one.text).toBe(
        '{"success":false,"statusCode":404,"message":"Refund not found","code":"refund_not_found","data":null}',
      );
    }
    const other = await refundHarness.pay(harness.first, 'paystack');
    for (const refundId of [randomUUID(), 'x', asked.refundId]) {
      expect((await send('GET', `/v1/payments/${other.paymentId}/refunds/${refundId}`, harness.first.testKey)).status).toBe(404);
    }
    expect(await harness.database.prisma.refund.count({ where: { paymentId } })).toBe(1);
  });

  test('an unpaid payment or a refunded amount is a 409 with the amount left', async () => {
    const open = await refundHarness.initiate(harness.first, 'paystack');
    const refused = readFailure(
      await send('POST', `/v1/payments/${open.paymentId}/refunds`, harness.first.testKey, { full: true }),
    );
    expect(refused).toMatchObject({
      statusCode: 409,
      message: expect.stringContaining('PENDING'),
      data: { refundableAmount: 0 },
    });
    const paid = await refundHarness.pay(harness.first, 'paystack');
    const path = `/v1/payments/${paid.paymentId}/refunds`;
    const more = readFailure(await send('POST', path, harness.first.testKey, { amount: 2_501 }));
    expect(more).toMatchObject({ statusCode: 409, data: { refundableAmount: 2_500 } });
    expect((await send('POST', path, harness.first.testKey, { amount: 2_000 })).status).toBe(200);
    expect(readFailure(await send('POST', path, harness.first.testKey, { amount: 501 })).data?.refundableAmount).toBe(500);
    const rest = { full: true, amount: null, reason: null };
    expect((await send('POST', path, harness.first.testKey, rest)).json).toMatchObject({ data: { amount: 500, reason: null } });
    expect(readFailure(await send('POST', path, harness.first.testKey, rest)).data?.refundableAmount).toBe(0);
  });

  test('the list is read page by page, newest first, each refund once', async () => {
    const { paymentId } = await refundHarness.pay(harness.first, 'paystack');
    const path = `/v1/payments/${paymentId}/refunds`;
    for (const amount of [1, 2, 3, 4, 5]) await refundHarness.request(harness.first, paymentId, { amount });
    const amounts: number[][] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const { data } = pageSchema.parse((await send('GET', path + query, harness.first.testKey)).json);
      amounts.push(data.refunds.map(({ amount }) => amount));
      cursor = data.nextCursor;
    } while (cursor !== null);
    expect(amounts).toEqual([[5, 4], [3, 2], [1]]);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=']) {
      expect((await send('GET', `${path}?${query}`, harness.first.testKey)).status).toBe(400);
    }
    expect((await send('GET', path, 'sk_test_no')).status).toBe(401);
  });
});
