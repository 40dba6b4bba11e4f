import type { TestPayments } from '@switchyard/payments/testing';
import { calendarDay, dateOf } from '@switchyard/runtime/calendar-days';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOf, finishedDays, listComparedDays, RECONCILIATION_ZONE } from './days.ts';
import { createReconciledMerchant, openTestReconciliation, seedDiscrepancy } from './testing/open.ts';

const day = dayOf('2026-11-20', 'Africa/Lagos');

describe('days', () => {
  test('begin at midnight in Lagos', () => {
    expect(day).toEqual({ day: '2026-11-20', from: new Date('2026-11-19T23:00:00Z'), to: new Date('2026-11-20T23:00:00Z') });
  });

  test('follow one another without gap or overlap, in any zone', () => {
    const zones = [
      'Africa/Lagos',
      'Europe/London',
      'America/New_York',
      'Pacific/Auckland',
      'Pacific/Kiritimati',
      'Asia/Kolkata',
      'UTC',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 1000 }), (zone, after) => {
        const text = new Date(Date.UTC(2025, 0, 1 + after)).toISOString().slice(0, 10);
        const next = new Date(Date.UTC(2025, 0, 2 + after)).toISOString().slice(0, 10);
        expect(dayOf(text, zone).to).toEqual(dayOf(next, zone).from);
        expect(calendarDay(dayOf(text, zone).from, zone)).toBe(text);
        expect(calendarDay(new Date(dayOf(text, zone).to.getTime() - 1), zone)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test('are finished the moment the next begins', () => {
    expect(finishedDays(day.to, 'Africa/Lagos', 2).map((each) => each.day)).toEqual(['2026-11-20', '2026-11-19']);
    expect(finishedDays(new Date(day.to.getTime() - 1), 'Africa/Lagos', 1).map((each) => each.day)).toEqual(['2026-11-19']);
  });
});

let context: TestPayments;
beforeAll(async () => {
  context = await openTestReconciliation();
});
afterAll(() => context.close());

test('the compared days of a period are those of the zone in which days are reconciled, with their open discrepancies', async () => {
  const { merchantId, paystack: accountId } = await createReconciledMerchant(context);
  const now = context.now();
  const run = {
    mode: 'test',
    gateway: 'paystack',
    zone: RECONCILIATION_ZONE,
    state: 'DONE',
  } as const;
  for (const day of ['2026-11-19', '2026-11-20', '2026-11-21']) {
    const times = { day: dateOf(day), requestedAt: now, comparedAt: now };
    await context.database.prisma.reconciliationRun.create({
      data: { ...run, ...times, merchantId, accountId, id: context.newId() },
    });
  }
  await seedDiscrepancy(context, { merchantId, accountId, day: '2026-11-20' });
  await seedDiscrepancy(context, { merchantId, accountId, day: '2026-11-20', state: 'RESOLVED' });
  const daysOf = (from: string, to: string) =>
    listComparedDays(context.resources.reports, {
      merchantIds: [merchantId],
      mode: 'test',
      from: new Date(from),
      to: new Date(to),
      limit: 10,
    });
  // Midnight in Lagos is 23:00 in UTC.
  expect(await daysOf('2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z')).toEqual([
    { accountId, day: '2026-11-20', comparedAt: now, openDiscrepancies: 1 },
  ]);
  const touched = await daysOf('2026-11-19T22:59:59Z', '2026-11-20T23:00:01Z');
  expect(touched.map(({ day }) => day).toSorted()).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
});
