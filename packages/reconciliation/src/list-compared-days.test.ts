import type { TestPayments } from '@switchyard/payments/testing';
import { dateOf } from '@switchyard/runtime/calendar-days';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECONCILIATION_ZONE } from './days.ts';
import { listComparedDays } from './list-compared-days.ts';
import { createReconciledMerchant, openTestReconciliation, seedDiscrepancy } from './testing/open.ts';

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
