import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order, readFailure, readPayment } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { MOUNTS, type Mount } from '../harness/mounts.ts';
import type { Reply } from '../harness/web-process.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const INITIATE = '/v1/payments/initiate';
const RACERS = 50;
const race = (run: (racer: number) => Promise<Reply>) => Promise.all(Array.from({ length: RACERS }, (_, racer) => run(racer)));
const byStatus = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status);

const paymentsOf = (body: Record<string, unknown>) =>
  harness.database.prisma.payment.findMany({
    where: { merchantOrderId: String(body.merchantOrderId) },
    include: { attempts: true },
  });
const openedUnder = async (reference: string) =>
  (await harness.gateways.journal('paystack', reference)).calls.filter(({ method }) => method === 'POST').length;

describe.each(MOUNTS)('through the %s mount', (mount) => {
  const send = (body: unknown, headers: Record<string, string> = {}, merchant = harness.first) =>
    harness.send(mount, 'POST', INITIATE, { key: merchant.testKey, body, headers });

  test('of 50 initiates with one merchantOrderId one creates a payment, and 49 return it', async () => {
    const body = order();
    const replies = await race(() => send(body));
    const [won, ...more] = byStatus(replies, 200);
    expect(more).toEqual([]);
    const { paymentId, recommendedGateway } = readPayment(won ?? { status: 0, headers: {}, text: '', json: null });
    const lost = byStatus(replies, 409);
    expect(lost).toHaveLength(RACERS - 1);
    for (const reply of lost) expect(readFailure(reply).data?.paymentId).toBe(paymentId);
    const payments = await paymentsOf(body);
    expect(payments.map(({ id, attempts }) => [id, attempts.length])).toEqual([[paymentId, 1]]);
    expect(await openedUnder(recommendedGateway.session?.reference ?? '')).toBe(1);
  });

  test('the same Idempotency-Key 50 times at once makes one payment, and all 200s are the same bytes', async () => {
    const body = order();
    const headers = { 'idempotency-key': randomUUID() };
    const replies = await race(() => send(body, headers));
    const answered = byStatus(replies, 200);
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
    const inFlight = byStatus(replies, 409);
    expect(answered.length + inFlight.length).toBe(RACERS);
    for (const reply of inFlight) {
      expect(reply.headers['retry-after']).toBe('2');
      expect(readFailure(reply).data).toMatchObject({ errors: ['Idempotency-Key is in use by a request in flight'] });
    }
    const again = await race(() => send(body, headers));
    expect(new Set(again.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${answered[0]?.text}`]));
    const payments = await paymentsOf(body);
    expect(payments.map(({ attempts }) => attempts.length)).toEqual([1]);
    expect(await openedUnder(payments[0]?.attempts[0]?.reference ?? '')).toBe(1);
  });

  test('a body with the same content in another form is the same request', async () => {
    const body = order({ metadata: { a: 1, b: [2] } });
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(body, headers);
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2);
    expect(await send(reordered, headers)).toMatchObject({ status: 200, text: first.text });
  });

  test('each change of the body makes it another request', async () => {
    const body = order({ metadata: { a: 1 } });
    const headers = { 'idempotency-key': randomUUID() };
    expect((await send(body, headers)).status).toBe(200);
    const changes = [{ amount: 2_501 }, { metadata: { a: '1' } }, { merchantOrderId: 'x' }, { redirectUrl: 'https://a.example' }];
    for (const change of changes) expect((await send({ ...body, ...change }, headers)).status).toBe(422);
  });

  test('the same request about another payment is another request', async () => {
    const [one, other] = [readPayment(await send(order())), readPayment(await send(order()))];
    const headers = { 'idempotency-key': randomUUID() };
    const refund = ({ paymentId }: typeof one) =>
      harness.send(mount, 'POST', `/v1/payments/${paymentId}/refunds`, {
        key: harness.first.testKey,
        body: { full: true },
        headers,
      });
    const refused = await refund(one);
    expect(refused.status).toBe(409);
    expect(await refund(one)).toMatchObject({ status: 409, text: refused.text });
    expect((await refund(other)).status).toBe(422);
  });

  test('a 409 for the order id is repeated under its key too', async () => {
    const body = order();
    const { paymentId } = readPayment(await send(body));
    const headers = { 'idempotency-key': randomUUID() };
    const refused = await send(body, headers);
    expect(readFailure(refused).data?.paymentId).toBe(paymentId);
    expect(await send(body, headers)).toMatchObject({ status: 409, text: refused.text });
  });

  test('a refused body does not use the key up', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await send(order({ amount: 0 }), headers)).status).toBe(400);
    expect((await send(order(), headers)).status).toBe(200);
  });

  test('two merchants, and the two modes of one, may use the same key', async () => {
    const body = order();
    const headers = { 'idempotency-key': randomUUID() };
    const keys = [harness.first.testKey, harness.second.testKey, harness.first.liveKey];
    const replies = await Promise.all(keys.map((key) => harness.send(mount, 'POST', INITIATE, { key, body, headers })));
    const ids = replies.map((reply) => readPayment(reply).paymentId);
    expect(new Set(ids).size).toBe(3);
  });

  test('a failed payment is answered again as it was, and no gateway is tried again', async () => {
    const body = order({ paymentMethod: 'QR' });
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(body, headers);
    expect(readPayment(first).status).toBe('FAILED');
    expect(await send(body, headers)).toMatchObject({ status: 200, text: first.text });
  });

  test('while the first is in flight the second is 409 at once; afterwards it gets the answer', async () => {
    const merchant = await harness.merchant();
    const body = order();
    const headers = { 'idempotency-key': randomUUID() };
    await harness.gateways.setFault('paystack', 'slow', 4_000);
    try {
      const first = send(body, headers, merchant);
      await eventually('the payment to be on record', async () => (await paymentsOf(body))[0]);
      const second = await send(body, headers, merchant);
      expect([second.status, second.headers['retry-after']]).toEqual([409, '2']);
      const { text } = await first;
      expect(await send(body, headers, merchant)).toMatchObject({ status: 200, text });
      expect((await paymentsOf(body)).map(({ attempts }) => attempts.length)).toEqual([1]);
    } finally {
      await harness.gateways.heal();
    }
  });

  test('a repeated order id is INITIATED while the first request opens its checkout, and says when to ask again', async () => {
    const merchant = await harness.merchant();
    const body = order();
    await harness.gateways.setFault('paystack', 'slow', 4_000);
    try {
      const first = send(body, {}, merchant);
      const { id } = await eventually('the payment to be on record', async () => (await paymentsOf(body))[0]);
      const headers = { 'idempotency-key': randomUUID() };
      for (const second of [await send(body, {}, merchant), await send(body, headers, merchant)]) {
        expect([second.status, second.headers['retry-after']]).toEqual([409, '2']);
        expect(readFailure(second)).toMatchObject({ code: 'duplicate_order', data: { paymentId: id, status: 'INITIATED' } });
      }
      expect(readPayment(await first).paymentId).toBe(id);
      for (const later of [await send(body, {}, merchant), await send(body, headers, merchant)]) {
        expect([later.status, later.headers['retry-after']]).toEqual([409, undefined]);
        expect(readFailure(later).data).toEqual({ ...readFailure(later).data, paymentId: id, status: undefined });
      }
    } finally {
      await harness.gateways.heal();
    }
  });

  test.each([
    ['a key', { 'idempotency-key': randomUUID() }],
    ['no key', {}],
  ])(
    'with %s, a payment that another process resumes meanwhile is answered by 409, and no gateway is called any more',
    async (_, headers) => {
      const merchant = await harness.merchant();
      const body = order();
      await harness.gateways.setFault('paystack', 'timeout_after_create', 4_000);
      try {
        const first = send(body, headers, merchant);
        const { id } = await eventually('the payment to be on record', async () => (await paymentsOf(body))[0]);
        await harness.database.prisma.attempt.updateMany({ where: { paymentId: id }, data: { state: 'UNKNOWN' } });
        const failure = readFailure(await first);
        expect(failure.statusCode).toBe(409);
        expect(failure.data).toMatchObject(
          'idempotency-key' in headers
            ? { errors: ['Idempotency-Key is in use by a request in flight'] }
            : { paymentId: id, status: 'INITIATED' },
        );
        expect((await paymentsOf(body)).map(({ attempts }) => attempts.length)).toEqual([1]);
      } finally {
        await harness.gateways.heal();
      }
    },
  );

  test('a request whose process died is taken over with its payment id, and answers with its payment', async () => {
    const body = order();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(body, headers);
    const where = { key: headers['idempotency-key'] };
    await harness.database.prisma.idempotencyRecord.updateMany({
      where,
      data: { statusCode: null, body: null, lockedUntil: new Date(0) },
    });
    const resumed = await send(body, headers);
    expect(readPayment(resumed).paymentId).toBe(readPayment(first).paymentId);
    expect(await send(body, headers)).toMatchObject({ status: 200, text: resumed.text });
  });

  test('a key may be used again once its day is over', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const { paymentId } = readPayment(await send(order(), headers));
    await harness.database.prisma.idempotencyRecord.updateMany({
      where: { key: headers['idempotency-key'] },
      data: { expiresAt: new Date(0) },
    });
    expect(readPayment(await send(order(), headers)).paymentId).not.toBe(paymentId);
  });
});

test('racers in several processes make one payment', async () => {
  const others = [await harness.startWebProcess({}), await harness.startWebProcess({})];
  const processes = [harness, ...others];
  const body = order();
  const mounts: readonly Mount[] = MOUNTS;
  const replies = await race((racer) => {
    const target = processes[racer % processes.length] ?? harness;
    return target.send(mounts[racer % 2] ?? 'node', 'POST', INITIATE, { key: harness.first.testKey, body });
  });
  expect([byStatus(replies, 200).length, byStatus(replies, 409).length]).toEqual([1, RACERS - 1]);
  expect(await paymentsOf(body)).toHaveLength(1);
});
