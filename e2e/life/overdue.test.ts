import type { Order } from '@switchyard/payments';
import type { PaymentsContext } from '@switchyard/payments/context';
import { initiate as begin } from '@switchyard/payments/initiate';
import { settleOverdue } from '@switchyard/payments/sweeping';
import { StoredDocuments, withGateways } from '@switchyard/payments/testing';
import { readEventBody } from '@switchyard/webhooks/events/packed';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { order, readPayment, readRecord } from '../harness/contract.ts';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { interruptPayment } from './interrupt-payment.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let harness: Harness;
let merchant: TestMerchant;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
});
afterEach(() => harness.gateways.heal());
afterAll(() => harness.close());

/** A payment, and when it is checked next. */
async function rowOf(paymentId: string) {
  const { payment, paymentCheck } = harness.database.prisma;
  const row = await payment.findFirstOrThrow({
    where: { id: paymentId },
    include: { attempts: { orderBy: { position: 'asc' } }, timeline: { orderBy: { id: 'asc' } } },
  });
  const check = await paymentCheck.findFirst({ where: { paymentId } });
  return { ...row, nextCheckAt: check?.nextCheckAt ?? null, checkCount: check?.checkCount ?? 0 };
}
const eventsOf = (paymentId: string) =>
  harness.database.prisma.merchantEvent.findMany({ where: { paymentId }, orderBy: { position: 'asc' } });
const chargesOf = (paymentId: string) => harness.database.prisma.duplicateCharge.findMany({ where: { paymentId } });

const later = (ms: number) => new Date(Date.now() + ms);
const troubles: unknown[] = [];
const sweepAt = (now: Date): Promise<number> => {
  const context: PaymentsContext = { ...harness.switchyard.payments, now: () => now };
  return settleOverdue(context, (error) => troubles.push(error));
};
/** Makes a payment due at a time, in place of its scheduled check. */
const makeDue = (paymentId: string, at: Date) =>
  harness.database.prisma.paymentCheck.updateMany({ where: { paymentId }, data: { nextCheckAt: at } });

const initiate = async (of: TestMerchant = merchant, changes = {}, headers = {}) => {
  const reply = await harness.send('node', 'POST', '/v1/payments/initiate', { key: of.testKey, body: order(changes), headers });
  const payment = readPayment(reply);
  const { session, name } = payment.recommendedGateway;
  return { ...payment, gateway: name as PairName, reference: session?.reference ?? '' };
};
const plainOrder: Order = {
  merchantOrderId: 'plain',
  amount: 2_500n,
  currency: 'NGN',
  metadata: null,
  redirectUrl: null,
  customer: { email: 'ada@example.com', id: null, phone: null },
  paymentMethod: 'CARD',
  customerCountry: null,
  requestedGateway: null,
};
const verify = async (paymentId: string, of: TestMerchant = merchant) =>
  readRecord(await harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: of.testKey }));

describe('a payment whose session has ended', () => {
  test('fails when the gateway reports that nothing was paid, and its merchant gets an event under the id that verify answers', async () => {
    const { paymentId } = await initiate();
    const { expiresAt } = await rowOf(paymentId);
    await makeDue(paymentId, expiresAt);
    await sweepAt(new Date(expiresAt.getTime() + 5_000));
    const row = await rowOf(paymentId);
    expect(row).toMatchObject({ status: 'FAILED', failureReason: 'session_expired', late: false });
    expect(row.timeline.at(-1)).toMatchObject({ type: 'payment.failed', detail: { reason: 'session_expired' } });
    const [event] = await eventsOf(paymentId);
    const record = await verify(paymentId);
    expect(JSON.parse(event === undefined ? '' : readEventBody(event))).toEqual(record);
    expect(record).toMatchObject({ id: row.timeline.at(-1)?.id, type: 'payment.failed' });
  });

  test('stays pending while its gateway is unavailable, however often it is verified', async () => {
    const { paymentId, gateway } = await initiate();
    const { expiresAt } = await rowOf(paymentId);
    await harness.gateways.setFault(gateway, 'http_500');
    for (const minutes of [1, 20, 40]) {
      const now = new Date(expiresAt.getTime() + minutes * MINUTE_MS);
      await makeDue(paymentId, now);
      await sweepAt(now);
      const row = await rowOf(paymentId);
      expect(row.status).toBe('PENDING');
      expect(row.nextCheckAt?.getTime()).toBeGreaterThan(now.getTime());
    }
  });

  test('that was paid without a webhook is a success, not a failure', async () => {
    const { paymentId, gateway, reference } = await initiate();
    await harness.gateways.setFault(gateway, 'no_webhook');
    await harness.gateways.settle(gateway, reference, 'success');
    const { expiresAt } = await rowOf(paymentId);
    await makeDue(paymentId, expiresAt);
    await sweepAt(new Date(expiresAt.getTime() + 5_000));
    expect(await rowOf(paymentId)).toMatchObject({ status: 'SUCCESS', late: false, nextCheckAt: null });
  });

  test('is watched for late money for 72 hours, and no longer', async () => {
    const { paymentId, gateway, reference } = await initiate();
    const { expiresAt } = await rowOf(paymentId);
    await makeDue(paymentId, expiresAt);
    await sweepAt(new Date(expiresAt.getTime() + 1));
    let { nextCheckAt } = await rowOf(paymentId);
    for (let round = 0; nextCheckAt !== null && nextCheckAt.getTime() < expiresAt.getTime() + 60 * HOUR_MS; round++) {
      expect(round).toBeLessThan(40);
      await sweepAt(nextCheckAt);
      ({ nextCheckAt } = await rowOf(paymentId));
    }
    await harness.gateways.setFault(gateway, 'no_webhook');
    await harness.gateways.settle(gateway, reference, 'success');
    await sweepAt(nextCheckAt ?? new Date(0));
    expect(await rowOf(paymentId)).toMatchObject({ status: 'SUCCESS', late: true, nextCheckAt: null });
    expect((await eventsOf(paymentId)).map(({ type }) => type)).toEqual(['payment.failed', 'payment.succeeded']);

    const other = await initiate();
    const end = new Date((await rowOf(other.paymentId)).expiresAt.getTime() + 72 * HOUR_MS);
    await makeDue(other.paymentId, end);
    await sweepAt(end);
    expect(await rowOf(other.paymentId)).toMatchObject({ status: 'FAILED', nextCheckAt: null });
  });

  test('is not closed over money that does not match: a person decides', async () => {
    const { paymentId, gateway, reference } = await initiate();
    await harness.gateways.settle(gateway, reference, 'success', 100);
    const { expiresAt } = await rowOf(paymentId);
    await makeDue(paymentId, expiresAt);
    await sweepAt(new Date(expiresAt.getTime() + 5_000));
    expect(await rowOf(paymentId)).toMatchObject({ status: 'PENDING', review: 'OPEN' });
    expect((await eventsOf(paymentId)).map(({ type }) => type)).toEqual(['payment.requires_review']);
  });
});

describe('a payment that a dead process left behind', () => {
  const leave = async (of: TestMerchant, meanwhile?: () => Promise<void>) => {
    const { paymentId } = await initiate(of);
    await interruptPayment(harness.database, paymentId, later(0));
    await meanwhile?.();
    return paymentId;
  };

  test('that never reached the gateway gets its checkout, under the reference on record', async () => {
    await harness.gateways.setFault('paystack', 'down');
    await harness.gateways.setFault('flutterwave', 'down');
    const of = await harness.merchant();
    const paymentId = await leave(of, () => harness.gateways.heal());
    await sweepAt(later(1));
    const row = await rowOf(paymentId);
    expect(row).toMatchObject({ status: 'PENDING', recommendedGateway: 'paystack' });
    expect(row.attempts.map(({ state }) => state)).toEqual(['OPENED']);
    const { transactions } = await harness.gateways.journal('paystack', row.attempts[0]?.reference);
    expect(transactions).toHaveLength(1);
    expect(new StoredDocuments({ ...row, paymentId }).session).not.toBeNull();
  });

  test('whose checkout may be open at an unknown address continues at the next gateway, and the first is still verified', async () => {
    const of = await harness.merchant();
    const paymentId = await leave(of);
    await sweepAt(later(1));
    const row = await rowOf(paymentId);
    expect(row).toMatchObject({ status: 'PENDING', recommendedGateway: 'flutterwave' });
    expect(row.attempts.map(({ gateway, state }) => [gateway, state])).toEqual([
      ['paystack', 'UNKNOWN'],
      ['flutterwave', 'OPENED'],
    ]);
    expect(new Set(row.attempts.map(({ reference }) => reference)).size).toBe(2);
  });

  test('whose checkout may be open is not counted as refused when it cannot be opened again', async () => {
    const of = await harness.merchant({ order: ['flutterwave', 'paystack'] });
    // Flutterwave has no transaction before the customer acts, so the checkout is opened again, which it now refuses.
    const refuse = (paymentId: string) =>
      harness.database.prisma.payment.updateMany({ where: { id: paymentId }, data: { customerEmail: 'nobody' } });
    const paymentId = await leave(of);
    await refuse(paymentId);
    await sweepAt(later(1));
    const row = await rowOf(paymentId);
    expect(row.attempts.map(({ gateway, state }) => [gateway, state]).at(0)).toEqual(['flutterwave', 'UNKNOWN']);
    expect(row.nextCheckAt).not.toBeNull();
    await harness.gateways.setFault('flutterwave', 'no_webhook');
    await harness.gateways.settle('flutterwave', row.attempts[0]?.reference ?? '', 'success');
    await sweepAt(row.nextCheckAt ?? new Date(0));
    expect(await rowOf(paymentId)).toMatchObject({ status: 'SUCCESS' });
  });

  test('waits while its last gateway gives no answer, and resumes when it does', async () => {
    const of = await harness.merchant();
    const paymentId = await leave(of, () => harness.gateways.setFault('paystack', 'http_500'));
    await harness.database.prisma.attempt.updateMany({ where: { paymentId }, data: { position: 1 } });
    await sweepAt(later(1));
    const waiting = await rowOf(paymentId);
    expect(waiting.status).toBe('INITIATED');
    expect(waiting.nextCheckAt?.getTime()).toBeGreaterThan(Date.now());
    await harness.gateways.heal();
    await makeDue(paymentId, later(0));
    await sweepAt(later(1));
    expect(await rowOf(paymentId)).toMatchObject({ status: 'FAILED', attempts: [{ state: 'UNKNOWN' }] });
  });

  test('fails with proof when its session is over, and no needless checkout is opened', async () => {
    const of = await harness.merchant();
    const paymentId = await leave(of);
    await sweepAt(later(2 * HOUR_MS));
    const row = await rowOf(paymentId);
    expect(row.status).toBe('FAILED');
    expect(row.timeline.at(-1)).toMatchObject({ detail: { reason: 'session_expired' } });
    expect(row.attempts).toHaveLength(1);
    const { calls } = await harness.gateways.journal('paystack', row.attempts[0]?.reference);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await eventsOf(paymentId)).map(({ type }) => type)).toEqual(['payment.failed']);
  });

  test('is answered to a merchant that repeats the request under the same key', async () => {
    const of = await harness.merchant();
    const body = order();
    const headers = { 'idempotency-key': 'once-more' };
    const ask = () => harness.send('node', 'POST', '/v1/payments/initiate', { key: of.testKey, body, headers });
    const { paymentId } = readPayment(await ask());
    await interruptPayment(harness.database, paymentId, later(-1));
    await harness.database.pool.query(
      `UPDATE idempotency_record SET status_code = NULL, body = NULL, locked_until = now() - interval '1 s' WHERE resource_id = $1`,
      [paymentId],
    );
    const again = readPayment(await ask());
    expect(again).toMatchObject({ paymentId, status: 'PENDING' });
    expect(again.recommendedGateway.session?.redirectUrl).toMatch(/^http/);
    expect(readPayment(await ask())).toEqual(again);
  });
});

describe('a payment that another process is initiating', () => {
  const OFF_MINUTES = [-10, 0, 10];
  /** Epoch milliseconds. */
  const databaseTime = async () => {
    const { rows } = await harness.database.pool.query<{ ms: number }>('SELECT extract(epoch FROM now())::float8 * 1000 AS ms');
    return rows[0]?.ms ?? 0;
  };

  test('is left to that process, whatever the clocks of both processes show', async () => {
    const of = await harness.merchant();
    const { payments, resources } = harness.switchyard;
    const configuration = resources.configuration.merchant(of.merchantId);
    if (configuration === undefined) throw new Error('the merchant is not known yet');
    await sweepAt(later(10 * MINUTE_MS));
    const gatewaysAnswer = Promise.withResolvers<void>();
    const held = withGateways(payments, (gateway) => ({
      async open(...call) {
        await gatewaysAnswer.promise;
        return gateway.open(...call);
      },
    }));
    const before = await databaseTime();
    const begun = OFF_MINUTES.map((off) => {
      const context: PaymentsContext = { ...held, now: () => later(off * MINUTE_MS) };
      const paymentId = payments.newId();
      const order = { ...plainOrder, merchantOrderId: paymentId };
      return { paymentId, end: begin(context, { configuration, mode: 'test' }, order, paymentId, { add: () => undefined }) };
    });
    const rows = () => Promise.all(begun.map(({ paymentId }) => rowOf(paymentId)));
    await expect
      .poll(() =>
        rows().then(
          ({ length }) => length,
          () => 0,
        ),
      )
      .toBe(OFF_MINUTES.length);
    const after = await databaseTime();
    for (const { nextCheckAt } of await rows()) {
      // The budget and ten seconds, from when it was recorded.
      const recordedAt = (nextCheckAt?.getTime() ?? 0) - payments.initiateBudgetMs - 10_000;
      expect(recordedAt).toBeGreaterThanOrEqual(Math.floor(before));
      expect(recordedAt).toBeLessThanOrEqual(Math.ceil(after));
    }
    for (const minutes of OFF_MINUTES) await sweepAt(later(minutes * MINUTE_MS));
    for (const row of await rows()) expect(row).toMatchObject({ status: 'INITIATED', checkCount: 0 });
    gatewaysAnswer.resolve();
    for (const { end } of begun) expect(await end).toMatchObject({ kind: 'initiated', payment: { status: 'PENDING' } });
    for (const { attempts } of await rows()) expect(attempts.map(({ state }) => state)).toEqual(['OPENED']);
  });
});

describe('several sweepers at once', () => {
  test('verify each payment once', async () => {
    const of = await harness.merchant();
    const payments = await Promise.all(Array.from({ length: 60 }, () => initiate(of)));
    const now = later(2 * MINUTE_MS);
    const ids = payments.map(({ paymentId }) => paymentId);
    await harness.database.prisma.paymentCheck.updateMany({ where: { paymentId: { in: ids } }, data: { nextCheckAt: now } });
    await Promise.all([sweepAt(now), sweepAt(now), sweepAt(now)]);
    const { calls } = await harness.gateways.journal('paystack');
    for (const { reference } of payments) {
      const asked = calls.filter((call) => call.reference === reference && call.method === 'GET');
      expect(asked).toHaveLength(1);
    }
    expect(troubles).toEqual([]);
  });
});

describe('a payment that is paid at two gateways', () => {
  const hints = ['sweep', 'verify'] as const;

  test.each([
    ['first', 'second'],
    ['second', 'first'],
  ] as const)(
    'the %s before the %s: paid once, and the other charge on record once, whichever path verifies',
    async (...orderOfPaying) => {
      for (const hint of hints) {
        const of = await harness.merchant();
        await harness.gateways.setFault('paystack', 'timeout_after_create', 50);
        const { paymentId } = await initiate(of);
        await harness.gateways.heal();
        for (const gateway of PAIR) await harness.gateways.setFault(gateway, 'no_webhook');
        const { attempts } = await rowOf(paymentId);
        expect(attempts.map(({ state }) => state)).toEqual(['UNKNOWN', 'OPENED']);
        for (const which of orderOfPaying) {
          const attempt = attempts[which === 'first' ? 0 : 1];
          await harness.gateways.settle(attempt?.gateway as PairName, attempt?.reference ?? '', 'success');
          if (hint === 'verify') await verify(paymentId, of);
          const now = later(MINUTE_MS);
          await makeDue(paymentId, now);
          await sweepAt(now);
        }
        expect(await rowOf(paymentId)).toMatchObject({ status: 'SUCCESS', late: false });
        const charges = await chargesOf(paymentId);
        expect(charges.map(({ amount, state }) => [amount.toString(), state])).toEqual([['2500', 'OPEN']]);
        expect((await eventsOf(paymentId)).map(({ type }) => type)).toEqual(['payment.succeeded', 'payment.duplicate_charge']);
      }
    },
  );
});
