import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLookupPace } from '../../record/lookup-pace.ts';
import { readPayment } from '../../record/statements.ts';
import { openTestPayments, type TestPayments, TIMED_OUT, withGateways } from '../../testing/context.ts';
import { createStubbedMerchant, type GatewayStub, startGatewayStub } from '../../testing/gateway-stub.ts';
import { recordPayment } from '../../testing/past.ts';
import { verifyPayment } from '../verify/verify.ts';
import { decideUnanswered, reviewDueAt, settleOverdue, unsettledReason } from './settle-overdue.ts';

describe('unsettled', () => {
  const DAY_MS = 86_400_000;
  const expiresAt = new Date('2026-11-20T13:00:00Z');
  const after = (ms: number) => new Date(expiresAt.getTime() + ms);

  describe('an open payment that no gateway decides', () => {
    test('waits for seven days after its session ended, to the millisecond, and then goes to review', () => {
      expect(decideUnanswered({ now: after(7 * DAY_MS - 1), expiresAt })).toBe('wait');
      expect(decideUnanswered({ now: after(7 * DAY_MS), expiresAt })).toBe('review');
    });

    test('goes to review at every later time, however late it is looked at', () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 400 * DAY_MS }), (late) => {
          expect(decideUnanswered({ now: new Date(reviewDueAt(expiresAt).getTime() + late), expiresAt })).toBe('review');
        }),
      );
    });

    test('says to staff what the gateway said last', () => {
      expect(unsettledReason({ code: 'unrecognised_status', message: 'Paystack reports a status: quarantined.' })).toBe(
        'Seven days after its session ended, no gateway says whether it was paid. The last check: Paystack reports a status: quarantined.',
      );
      expect(unsettledReason({ code: 'timeout', message: 'No answer in time' })).toMatch(/The last check: No answer in time\.$/);
    });
  });
});

describe('settle overdue', () => {
  const MINUTE_MS = 60_000;
  const DAY_MS = 24 * 60 * MINUTE_MS;
  const untimed = { add: () => {} };

  let context: TestPayments;
  let stub: GatewayStub;
  beforeAll(async () => {
    context = await openTestPayments();
    stub = await startGatewayStub();
  });
  afterAll(async () => {
    stub.close();
    await context.close();
  });
  beforeEach(async () => {
    stub.answer({ status: 'abandoned' });
    await context.database.prisma.paymentCheck.deleteMany();
  });

  /** Payments of one account whose check is due now. */
  async function duePayments(count: number) {
    const { merchantId, accountId } = await createStubbedMerchant(context, stub);
    for (let made = 0; made < count; made++) await recordPayment(context, merchantId);
    const now = context.now();
    const { payment, paymentCheck } = context.database.prisma;
    await payment.updateMany({ where: { merchantId }, data: { expiresAt: new Date(now.getTime() + 60 * MINUTE_MS) } });
    await paymentCheck.updateMany({ where: { merchantId }, data: { nextCheckAt: now } });
    const rows = () => payment.findMany({ where: { merchantId } });
    const checks = () => paymentCheck.findMany({ where: { merchantId }, orderBy: { nextCheckAt: 'asc' } });
    return { merchantId, accountId, rows, checks };
  }

  function fail(error: unknown): void {
    throw error;
  }

  describe('more due payments of one account than its lookup rate allows', () => {
    test('are each looked up once, at the configured rate, and the rest later', async () => {
      const { checks } = await duePayments(40);
      const pace = createLookupPace({ perSecond: 5, atOnce: 100 });
      const paced = { ...context, lookupPace: { ...pace, take: (accountId: string) => pace.take(accountId, 0) } };
      expect(await settleOverdue(paced, fail)).toBe(40);
      expect(stub.lookups).toHaveLength(10);
      const waits = (await checks()).map(({ nextCheckAt }) => nextCheckAt.getTime() - context.now().getTime());
      expect(waits.filter((wait) => wait < MINUTE_MS / 2)).toEqual(Array.from({ length: 30 }, (_, index) => (index + 1) * 200));
    });

    test('never exceed the configured number of concurrent calls', async () => {
      await duePayments(12);
      const paced = { ...context, lookupPace: createLookupPace({ perSecond: 1_000, atOnce: 3 }) };
      const release = stub.hold();
      const settled = settleOverdue(paced, fail);
      await expect.poll(stub.openNow).toBe(3);
      release();
      await settled;
      expect(stub.openMax()).toBe(3);
      expect(new Set(stub.lookups).size).toBe(stub.lookups.length);
    });
  });

  describe('a payment that is found paid', () => {
    test('long after the customer paid has missed its webhook: payments of the account are checked sooner from then on', async () => {
      const { merchantId, accountId, rows } = await duePayments(1);
      await context.webhookArrivals.arrived({ merchantId, accountId }, context.now());
      context.setClock(new Date(context.now().getTime() + MINUTE_MS));
      stub.answer({ status: 'success', paidAt: new Date(context.now().getTime() - 2 * MINUTE_MS) });
      await settleOverdue(context, fail);
      expect(await rows()).toMatchObject([{ status: 'SUCCESS' }]);
      await expect.poll(() => context.webhookArrivals.arrive(accountId)).toBe(false);
    });

    test('while its webhook may still be on the way has missed nothing', async () => {
      const { merchantId, accountId, rows } = await duePayments(1);
      await context.webhookArrivals.arrived({ merchantId, accountId }, context.now());
      stub.answer({ status: 'success', paidAt: new Date(context.now().getTime() - MINUTE_MS / 2) });
      await settleOverdue(context, fail);
      expect(await rows()).toMatchObject([{ status: 'SUCCESS' }]);
      expect(context.webhookArrivals.arrive(accountId)).toBe(true);
    });
  });

  describe.each([
    ['a status that no document lists', { status: 'quarantined' }, /Paystack reports a status .*: quarantined\./],
    ['no answer', 'down', /500/],
  ] as const)('an open payment whose gateway gives %s', (_, answer, said) => {
    test('goes to review a week after its session ended, says why, and is not asked about again', async () => {
      const { merchantId, rows, checks } = await duePayments(1);
      stub.answer(answer);
      const [before] = await rows();
      const expiresAt = before?.expiresAt ?? new Date(0);
      const reviewAt = new Date(expiresAt.getTime() + 7 * DAY_MS);
      const last = new Date(reviewAt.getTime() - 1_000);
      await context.database.prisma.paymentCheck.updateMany({ where: { merchantId }, data: { nextCheckAt: last } });
      context.setClock(last);
      await settleOverdue(context, fail);
      expect(await rows()).toMatchObject([{ status: 'PENDING', review: null }]);
      expect(await checks()).toMatchObject([{ nextCheckAt: reviewAt }]);
      context.setClock(reviewAt);
      await settleOverdue(context, fail);
      expect(await rows()).toMatchObject([{ status: 'PENDING', review: 'OPEN', reviewReason: expect.stringMatching(said) }]);
      expect(await checks()).toEqual([]);
      const { timelineEvent, merchantEvent } = context.database.prisma;
      expect(await timelineEvent.findMany({ where: { merchantId, type: 'payment.requires_review' } })).toMatchObject([
        { cause: 'schedule', toStatus: null, detail: { reason: expect.stringMatching(said) } },
      ]);
      expect(await merchantEvent.findMany({ where: { merchantId } })).toMatchObject([{ type: 'payment.requires_review' }]);
    });
  });

  test('a status that no document lists is shown with the redacted answer, once, and never fails the payment', async () => {
    const { merchantId, checks, rows } = await duePayments(1);
    stub.answer({ status: 'quarantined' });
    for (let due = (await checks())[0]?.nextCheckAt; due !== undefined; due = (await checks())[0]?.nextCheckAt) {
      context.setClock(due);
      await settleOverdue(context, fail);
      expect((await rows())[0]?.status).toBe('PENDING');
    }
    expect(await rows()).toMatchObject([{ status: 'PENDING', review: 'OPEN' }]);
    const { timelineEvent } = context.database.prisma;
    const events = await timelineEvent.findMany({ where: { merchantId, type: 'payment.unrecognised_status' } });
    expect(events).toMatchObject([
      { cause: 'schedule', toStatus: null, detail: { gateway: 'paystack', message: expect.stringContaining('quarantined') } },
    ]);
    expect(JSON.stringify(events[0]?.detail)).toMatch(/\\"status\\":\s*\\"quarantined\\"/);
  });

  test('a status that no document lists is shown without the answer once the customer was erased', async () => {
    const { merchantId, checks } = await duePayments(1);
    stub.answer({ status: 'quarantined' });
    const { payment, timelineEvent } = context.database.prisma;
    await payment.updateMany({ where: { merchantId }, data: { customerErasedAt: context.now() } });
    context.setClock((await checks())[0]?.nextCheckAt ?? context.now());
    await settleOverdue(context, fail);
    const events = await timelineEvent.findMany({ where: { merchantId, type: 'payment.unrecognised_status' } });
    expect(events).toMatchObject([{ detail: { message: expect.stringContaining('quarantined'), answer: null } }]);
  });

  test('a status that no document lists is asked about less and less often, and is no fault of the gateway', async () => {
    const { merchantId, checks, rows } = await duePayments(1);
    stub.answer({ status: 'quarantined' });
    let asked = 0;
    for (let due = (await checks())[0]?.nextCheckAt; due !== undefined; due = (await checks())[0]?.nextCheckAt) {
      context.setClock(due);
      await settleOverdue(context, fail);
      asked += 1;
    }
    expect(asked).toBeLessThan(60);
    expect(await rows()).toMatchObject([{ review: 'OPEN' }]);
    expect(context.health.snapshot(merchantId).filter(({ state }) => state !== 'healthy')).toEqual([]);
  });

  test('a payment under review because no one decided it succeeds when its gateway does, and its review ends', async () => {
    const { merchantId, rows } = await duePayments(1);
    stub.answer({ status: 'quarantined' });
    const [row] = await rows();
    context.setClock(new Date((row?.expiresAt.getTime() ?? 0) + 8 * DAY_MS));
    await settleOverdue(context, fail);
    expect(await rows()).toMatchObject([{ status: 'PENDING', review: 'OPEN' }]);
    stub.answer({ status: 'success' });
    const payment = await readPayment(context.database, merchantId, row?.id ?? '');
    if (payment === undefined) throw new Error('the payment is gone');
    const found = await verifyPayment(context, payment, { transactionId: null, cause: 'staff' }, untimed);
    expect(found.status).toBe('SUCCESS');
    expect(await rows()).toMatchObject([{ status: 'SUCCESS', review: 'RESOLVED' }]);
  });

  describe('a payment that the gateway reports as unpaid', () => {
    const HOUR_MS = 60 * MINUTE_MS;
    const later = (ms: number): void => context.setClock(new Date(context.now().getTime() + ms));
    const makeDue = (merchantId: string) =>
      context.database.prisma.paymentCheck.updateMany({ where: { merchantId }, data: { nextCheckAt: context.now() } });

    test('stays open until its session ends, fails then, and is watched for three days and no longer', async () => {
      const { merchantId, rows, checks } = await duePayments(1);
      later(59 * MINUTE_MS);
      await settleOverdue(context, fail);
      expect(await rows()).toMatchObject([{ status: 'PENDING' }]);
      later(2 * MINUTE_MS);
      await makeDue(merchantId);
      await settleOverdue(context, fail);
      expect(await rows()).toMatchObject([{ status: 'FAILED', failureReason: 'session_expired' }]);
      expect(await checks()).toHaveLength(1);
      later(71 * HOUR_MS);
      await makeDue(merchantId);
      await settleOverdue(context, fail);
      expect(await checks()).toHaveLength(1);
      later(HOUR_MS);
      await makeDue(merchantId);
      await settleOverdue(context, fail);
      expect(await checks()).toEqual([]);
    });

    test('and that is under review stays open: a person decides', async () => {
      const { merchantId, rows } = await duePayments(1);
      await context.database.prisma.payment.updateMany({
        where: { merchantId },
        data: { review: 'OPEN', reviewReason: 'NGN 1' },
      });
      later(2 * HOUR_MS);
      await settleOverdue(context, fail);
      expect(await rows()).toMatchObject([{ status: 'PENDING', review: 'OPEN' }]);
    });

    test('stays open at the end of its session while the gateway of another attempt of it gives no answer', async () => {
      const { merchantId, rows } = await duePayments(1);
      const attempt = await context.database.prisma.attempt.findFirstOrThrow({ where: { merchantId } });
      await context.database.prisma.attempt.updateMany({ where: { merchantId }, data: { position: 1 } });
      const { paymentId, accountId, gateway, createdAt, updatedAt } = attempt;
      const first = { id: context.newId(), position: 0, reference: 'unanswered', state: 'UNKNOWN' } as const;
      await context.database.prisma.attempt.create({
        data: { merchantId, paymentId, accountId, gateway, createdAt, updatedAt, ...first },
      });
      const halfSilent = withGateways(context, ({ verify }) => ({
        verify: async (access, query, options) => (query.reference === 'unanswered' ? TIMED_OUT : verify(access, query, options)),
      }));
      later(2 * HOUR_MS);
      await settleOverdue(halfSilent, fail);
      expect(await rows()).toMatchObject([{ status: 'PENDING' }]);
      expect(stub.lookups).toEqual([attempt.reference]);
    });

    test('gives the turn at its account back once it was looked up', async () => {
      const { accountId } = await duePayments(1);
      const lookupPace = createLookupPace({ perSecond: 1_000, atOnce: 1 });
      await settleOverdue({ ...context, lookupPace }, fail);
      expect(lookupPace.take(accountId, performance.now())).toEqual({ kind: 'go' });
    });
  });

  test('a payment whose account’s webhooks arrive is checked again later than one whose do not', async () => {
    const waitOf = async (arrives: boolean): Promise<number> => {
      const { merchantId, accountId, checks } = await duePayments(1);
      if (arrives) await context.webhookArrivals.arrived({ merchantId, accountId }, context.now());
      await settleOverdue(context, fail);
      const [row] = await checks();
      return (row?.nextCheckAt?.getTime() ?? 0) - context.now().getTime();
    };
    expect(await waitOf(false)).toBeLessThanOrEqual(1.15 * MINUTE_MS);
    expect(await waitOf(true)).toBeGreaterThanOrEqual(0.85 * 3 * MINUTE_MS);
  });
});
