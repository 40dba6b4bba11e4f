import { UnavailableError } from '@switchyard/db';
import type { Attempt } from '@switchyard/db/client';
import type { Gateway, ListedPayment, ListedRefund, Outcome } from '@switchyard/gateways';
import { recordPayment, type TestPayments, withGateways } from '@switchyard/payments/testing';
import { reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcileDay, requestDay, scheduleReconciliations } from './runs.ts';
import { requestReconciliation } from './runs-queries.ts';
import { createReconciledMerchant, openTestReconciliation } from './testing/open.ts';

describe('reconcile day', () => {
  const NOON = new Date('2026-11-20T11:00:00Z');
  const MIDNIGHT = new Date('2026-11-20T23:00:00Z');
  const call = { method: 'GET', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };

  let context: TestPayments;
  let merchant: Awaited<ReturnType<typeof createReconciledMerchant>>;
  beforeAll(async () => {
    context = await openTestReconciliation();
  });
  beforeEach(async () => {
    context.setClock(new Date('2026-11-21T08:00:00Z'));
    merchant = await createReconciledMerchant(context);
  });
  afterAll(() => context.close());

  /** A payment of NGN 2,500 that is paid by one attempt at the gateway, made at noon. */
  async function paid(gateway: 'paystack' | 'flutterwave' = 'paystack'): Promise<Attempt> {
    const { paymentId } = await recordPayment(context, merchant.merchantId, { createdAt: NOON, requestedGateway: gateway });
    const { prisma } = context.database;
    const { merchantId, id } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
    return prisma.attempt.update({
      where: { merchantId_id: { merchantId, id } },
      data: { state: 'PAID', receivedAmount: 2_500, receivedCurrency: 'NGN', createdAt: NOON, transactionId: `t-${id}` },
    });
  }

  function listedPayment({ reference, transactionId }: Attempt): ListedPayment {
    return {
      transactionId: transactionId ?? '',
      reference,
      status: 'paid',
      amount: '2500',
      currency: 'NGN',
      method: 'CARD',
      fee: null,
      createdAt: NOON,
      paidAt: NOON,
    };
  }

  interface Statement {
    readonly payments?: readonly ListedPayment[];
    readonly refunds?: readonly ListedRefund[];
  }

  /** Compares 20 November with a gateway that lists what of the statement is of the days that it is asked for. */
  async function compare({ payments = [], refunds = [] }: Statement, changes: Partial<Gateway> = {}) {
    const listing =
      <T extends { readonly createdAt: Date }>(rows: readonly T[]) =>
      async (
        _access: unknown,
        { from, to }: { readonly from: Date; readonly to: Date },
      ): Promise<Outcome<{ rows: T[]; nextCursor: null }>> => {
        const inTime = rows.filter(({ createdAt }) => createdAt >= from && createdAt < to);
        return { outcome: 'yes', value: { rows: inTime, nextCursor: null }, call };
      };
    const key = { merchantId: merchant.merchantId, accountId: merchant.paystack, day: '2026-11-20' };
    const request = { ...key, runId: context.newId(), mode: 'test', gateway: 'paystack', zone: 'Africa/Lagos' } as const;
    await context.database.prisma.$transaction((transaction) => requestReconciliation(transaction, request, context.now()));
    const gateway = { listPayments: listing(payments), listRefunds: listing(refunds), ...changes };
    return reconcileDay(
      withGateways(context, () => gateway),
      key,
    );
  }

  const kinds = (outcome: Awaited<ReturnType<typeof compare>>) =>
    outcome.kind === 'compared' ? outcome.comparison.discrepancies.map(({ kind, about }) => `${about} ${kind}`) : outcome;

  test('a day on which both sides have the same is compared without a discrepancy, of this account alone', async () => {
    const own = await paid();
    await paid('flutterwave');
    expect(kinds(await compare({ payments: [listedPayment(own)] }))).toEqual([]);
  });

  test('a payment that the gateway does not list, and one that it alone has, are found', async () => {
    const own = await paid();
    const theirs = { ...listedPayment(own), transactionId: 'direct', reference: 'direct' };
    expect(kinds(await compare({ payments: [theirs] }))).toEqual(['payment MISSING_HERE', 'payment MISSING_THERE']);
  });

  test('all payments of a day are compared, however many there are', async () => {
    const { merchantId, paymentId, accountId, gateway, reference, createdAt, updatedAt } = await paid();
    await context.database.prisma.attempt.createMany({
      data: Array.from({ length: 1_001 }, (_, index) => ({
        merchantId,
        id: context.newId(),
        paymentId,
        position: index + 1,
        accountId,
        gateway,
        reference: `${reference}-${index}`,
        state: 'PAID',
        receivedAmount: 2_500,
        receivedCurrency: 'NGN',
        transactionId: `${reference}-${index}`,
        createdAt,
        updatedAt,
      })),
    });
    const outcome = await compare({});
    expect(outcome.kind === 'compared' && outcome.comparison.discrepancies.length).toBe(1_002);
  });

  test('a refund that the gateway dates to the next day is found there, by its id or by our reference alone', async () => {
    const { paymentId, id: attemptId, transactionId } = await paid();
    const refund = async (gatewayRefundId: string | null) => {
      const id = context.newId();
      await context.database.prisma.refund.create({
        data: {
          merchantId: merchant.merchantId,
          accountId: merchant.paystack,
          id,
          mode: 'test',
          paymentId,
          attemptId,
          gateway: 'paystack',
          transactionId: transactionId ?? '',
          amount: 400n,
          currency: 'NGN',
          state: 'SUCCEEDED',
          reference: `rf-${id}`,
          gatewayRefundId,
          requestedBy: 'system:test',
          createdAt: new Date(MIDNIGHT.getTime() - 1_000),
          updatedAt: MIDNIGHT,
        },
      });
      return `rf-${id}`;
    };
    const listed = (gatewayRefundId: string, note: string | null): ListedRefund => ({
      gatewayRefundId,
      paymentReference: null,
      transactionId: null,
      amount: '400',
      currency: 'NGN',
      state: 'succeeded',
      note,
      createdAt: MIDNIGHT,
    });
    await refund('75923');
    const named = await refund(null);
    const missing = ['payment MISSING_THERE', 'refund MISSING_THERE'];
    expect(kinds(await compare({ refunds: [listed('75923', null)] }))).toEqual(missing);
    expect(kinds(await compare({ refunds: [listed('75924', `refund ${named}`)] }))).toEqual(missing);
    expect(kinds(await compare({ refunds: [listed('75923', null), listed('75924', `refund ${named}`)] }))).toEqual(
      missing.slice(0, 1),
    );
  });

  test('a statement that cannot be read whole leaves everything as it is, says why, and is read again', async () => {
    await paid();
    const why = 'The gateway did not answer in time.';
    const failure = { class: 'provider_fault', code: 'timeout', message: why } as const;
    const unreadable: Partial<Gateway> = { listRefunds: async () => ({ outcome: 'unknown', failure, call }) };
    expect(await compare({}, unreadable)).toEqual({ kind: 'failed', why, again: true });
    const { prisma } = context.database;
    const where = { merchantId: merchant.merchantId };
    expect(await prisma.reconciliationDiscrepancy.count({ where })).toBe(0);
    expect(await prisma.reconciliationRun.findFirst({ where })).toMatchObject({ failure: why });
  });

  test('a fault of our own is shown on the run and thrown, and a day that was not asked for is not compared', async () => {
    const broken: Partial<Gateway> = { listPayments: () => Promise.reject(new Error('a bug')) };
    await expect(compare({}, broken)).rejects.toThrow('a bug');
    const run = await context.database.prisma.reconciliationRun.findFirst({ where: { merchantId: merchant.merchantId } });
    expect(run?.failure).toContain('on our side');
    const key = { merchantId: merchant.merchantId, accountId: merchant.flutterwave, day: '2026-11-20' };
    expect(await reconcileDay(context, key)).toEqual({ kind: 'busy' });
  });

  test('a day of an account that this process cannot use is said to be tried again, and nothing about its credentials', async () => {
    const where = { merchantId_id: { merchantId: merchant.merchantId, id: merchant.paystack } };
    await context.database.prisma.gatewayAccount.update({ where, data: { credentials: 'v1.k9.AAAA.AAAA.AAAA' } });
    await reloadConfiguration(context, merchant.merchantId);
    await expect(compare({})).rejects.toThrow(UnavailableError);
    const run = await context.database.prisma.reconciliationRun.findFirstOrThrow({ where: { accountId: merchant.paystack } });
    expect(run).toMatchObject({ failure: 'Something went wrong on our side. It is tried again.' });
  });
});

describe('request reconciliation', () => {
  const HOUR_MS = 3_600_000;
  /** 21 November begins in Lagos. */
  const MIDNIGHT = new Date('2026-11-20T23:00:00Z');
  const STAFF = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

  let context: TestPayments;
  let merchant: Awaited<ReturnType<typeof createReconciledMerchant>>;
  beforeAll(async () => {
    context = await openTestReconciliation();
  });
  beforeEach(async () => {
    // Each test has the only merchant whose accounts can be used.
    await context.database.prisma.gatewayAccount.deleteMany();
    for (const { merchant: other } of context.resources.configuration.merchants()) {
      await reloadConfiguration(context, other.id);
    }
    at(-20 * 24);
    merchant = await createReconciledMerchant(context);
  });
  afterAll(() => context.close());

  /** Sets the clock to so many hours after midnight. */
  function at(hours: number): void {
    context.setClock(new Date(MIDNIGHT.getTime() + hours * HOUR_MS));
  }

  const runs = async () =>
    (
      await context.database.prisma.reconciliationRun.findMany({
        where: { merchantId: merchant.merchantId },
        orderBy: [{ day: 'asc' }, { accountId: 'asc' }],
      })
    ).map((run) => ({ ...run, day: run.day.toISOString().slice(0, 10) }));
  const finish = (day: string) =>
    context.database.prisma.reconciliationRun.updateMany({
      where: { merchantId: merchant.merchantId, day: new Date(day) },
      data: { state: 'DONE', comparedAt: context.now() },
    });

  describe('a day requested by staff', () => {
    const request = (changes: Partial<Parameters<typeof requestDay>[1]> = {}) =>
      requestDay(context, {
        merchantId: merchant.merchantId,
        accountId: merchant.paystack,
        day: '2026-11-20',
        actor: STAFF,
        ...changes,
      });

    test('is queued with its job, and audited with who asked', async () => {
      at(1);
      expect(await request()).toEqual({ kind: 'requested' });
      const [run] = await runs();
      expect(run).toMatchObject({ day: '2026-11-20', state: 'QUEUED', gateway: 'paystack', mode: 'test' });
      const entries = await context.database.prisma.auditEntry.findMany({ where: { objectId: run?.id ?? '' } });
      expect(entries.map(({ action, actor }) => [action, actor])).toEqual([['reconciliation.requested', STAFF]]);
      const { rows } = await context.database.pool.query(
        'SELECT task_identifier AS task FROM graphile_worker.jobs WHERE key = $1',
        [`reconcile-day:${merchant.paystack}:2026-11-20`],
      );
      expect(rows).toEqual([{ task: 'reconcile-day' }]);
    });

    test('is one run, however often it is requested before it is done', async () => {
      at(1);
      await Promise.all(Array.from({ length: 5 }, () => request()));
      expect(await runs()).toHaveLength(1);
    });

    test('is refused until the day is over in Lagos', async () => {
      at(-0.01);
      expect(await request()).toMatchObject({ kind: 'refused', why: 'A day is compared once it is over.' });
      at(0);
      expect(await request()).toEqual({ kind: 'requested' });
    });

    test.each(['2026-02-30', '2026-13-01', '20 November', ''])('is refused where there is no such day: "%s"', async (day) => {
      at(1);
      expect(await request({ day })).toMatchObject({ kind: 'refused' });
      expect(await runs()).toEqual([]);
    });

    test('is not found for an account of another merchant', async () => {
      const other = await createReconciledMerchant(context);
      at(1);
      expect(await request({ accountId: other.paystack })).toEqual({ kind: 'not_found' });
      expect(await runs()).toEqual([]);
    });
  });

  describe('the schedule', () => {
    test('requests a day four hours after it ends, for every account, and catches up with a week', async () => {
      at(3.99);
      expect(await scheduleReconciliations(context)).toBe(12);
      expect([...new Set((await runs()).map(({ day }) => day))]).toEqual([
        '2026-11-14',
        '2026-11-15',
        '2026-11-16',
        '2026-11-17',
        '2026-11-18',
        '2026-11-19',
      ]);
      at(4);
      expect(await scheduleReconciliations(context)).toBe(2);
      expect((await runs()).filter(({ day }) => day === '2026-11-20').map(({ accountId }) => accountId)).toEqual(
        [merchant.paystack, merchant.flutterwave].sort(),
      );
      expect(await scheduleReconciliations(context)).toBe(0);
    });

    test('requests a day once more after three days, and never again once that is done', async () => {
      at(4);
      await scheduleReconciliations(context);
      for (const { day } of await runs()) await finish(day);
      const again = async () => {
        await scheduleReconciliations(context);
        return (await runs()).filter(({ day, state }) => day === '2026-11-20' && state === 'QUEUED').length;
      };
      at(71.99);
      expect(await again()).toBe(0);
      at(72);
      expect(await again()).toBe(2);
      await finish('2026-11-20');
      at(120);
      expect(await again()).toBe(0);
    });

    describe('a day with an open discrepancy', () => {
      const find = (paymentId: string | null) =>
        context.database.prisma.reconciliationDiscrepancy.create({
          data: {
            merchantId: merchant.merchantId,
            id: context.newId(),
            mode: 'test',
            accountId: merchant.paystack,
            gateway: 'paystack',
            day: new Date('2026-11-20'),
            kind: 'STATUS',
            subject: 'transaction/1',
            statement: { amount: '2500' },
            state: 'OPEN',
            paymentId,
            createdAt: context.now(),
          },
        });
      /** Compares every day that is due at some hours after midnight, and gives the accounts whose day was. */
      const compareAt = async (hours: number) => {
        at(hours);
        await scheduleReconciliations(context);
        const due = (await runs()).filter(({ day, state }) => day === '2026-11-20' && state === 'QUEUED');
        for (const { day } of due) await finish(day);
        return due.map(({ accountId }) => accountId);
      };
      /** The hours of these at which the day of the discrepancy's account was compared. */
      const hoursCompared = async (...hours: readonly number[]) => {
        const compared: number[] = [];
        for (const hour of hours) {
          if ((await compareAt(hour)).includes(merchant.paystack)) compared.push(hour);
        }
        return compared;
      };

      test('of a payment of ours is compared daily, for a week', async () => {
        await find(context.newId());
        expect(await hoursCompared(0, 4, 24, 28, 48, 52, 68, 72, 92, 96, 120, 144, 168, 240)).toEqual([
          4, 28, 52, 72, 96, 120, 144,
        ]);
      });

      test('that is closed is compared no more', async () => {
        const { id } = await find(context.newId());
        await hoursCompared(4, 96);
        const where = { merchantId_id: { merchantId: merchant.merchantId, id } };
        await context.database.prisma.reconciliationDiscrepancy.update({
          where,
          data: { state: 'RESOLVED', resolvedBy: STAFF, resolvedAt: context.now(), resolution: 'corrected' },
        });
        expect(await compareAt(144)).toEqual([]);
      });

      test('of money that is not ours is compared twice, as nothing of ours closes it', async () => {
        await find(null);
        expect(await hoursCompared(0, 4, 28, 52, 68, 72, 96, 120, 144, 168, 240)).toEqual([4, 72]);
      });
    });

    test('requests a day again that was not compared within twelve hours', async () => {
      at(4);
      await scheduleReconciliations(context);
      at(15.99);
      expect(await scheduleReconciliations(context)).toBe(0);
      at(16);
      expect(await scheduleReconciliations(context)).toBe(14);
    });

    test('leaves out days before an account was connected, and accounts without credentials', async () => {
      const { prisma } = context.database;
      const change = (id: string, data: object) =>
        prisma.gatewayAccount.update({ where: { merchantId_id: { merchantId: merchant.merchantId, id } }, data });
      await change(merchant.paystack, { createdAt: new Date(MIDNIGHT.getTime() - 30 * HOUR_MS) });
      await change(merchant.flutterwave, { credentials: null });
      await reloadConfiguration(context, merchant.merchantId);
      at(5);
      expect(await scheduleReconciliations(context)).toBe(2);
      expect((await runs()).map(({ day, accountId }) => [day, accountId])).toEqual([
        ['2026-11-19', merchant.paystack],
        ['2026-11-20', merchant.paystack],
      ]);
    });

    test('of several processes requests each day once', async () => {
      at(5);
      const others = await Promise.all([context.beside(), context.beside()]);
      await Promise.all([context, ...others].map((each) => scheduleReconciliations(each)));
      expect(await runs()).toHaveLength(14);
    });
  });
});
