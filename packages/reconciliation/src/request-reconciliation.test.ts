import type { TestPayments } from '@switchyard/payments/testing';
import { reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requestDay, scheduleReconciliations } from './request-reconciliation.ts';
import { createReconciledMerchant, openTestReconciliation } from './testing/open.ts';

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
    const hoursCompared = async (until: number) => {
      const hours: number[] = [];
      for (let hour = 0; hour <= until; hour += 4) {
        if ((await compareAt(hour)).includes(merchant.paystack)) hours.push(hour);
      }
      return hours;
    };

    test('of a payment of ours is compared daily, for a week', async () => {
      await find(context.newId());
      expect(await hoursCompared(240)).toEqual([4, 28, 52, 72, 96, 120, 144]);
    });

    test('that is closed is compared no more', async () => {
      const { id } = await find(context.newId());
      await hoursCompared(96);
      const where = { merchantId_id: { merchantId: merchant.merchantId, id } };
      await context.database.prisma.reconciliationDiscrepancy.update({
        where,
        data: { state: 'RESOLVED', resolvedBy: STAFF, resolvedAt: context.now(), resolution: 'corrected' },
      });
      expect(await compareAt(144)).toEqual([]);
    });

    test('of money that is not ours is compared twice, as nothing of ours closes it', async () => {
      await find(null);
      expect(await hoursCompared(240)).toEqual([4, 72]);
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
