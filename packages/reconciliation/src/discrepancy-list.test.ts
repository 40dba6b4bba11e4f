import type { TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countOpenDiscrepancies } from './discrepancies.ts';
import { eraseDiscrepancyTexts, readDiscrepanciesOf } from './discrepancy-list.ts';
import { countUnrecordedPayments } from './list-direct-payments.ts';
import { createReconciledMerchant, openTestReconciliation, type SeededDiscrepancy, seedDiscrepancy } from './testing/open.ts';

let context: TestPayments;
let mine: Awaited<ReturnType<typeof createReconciledMerchant>>;
let theirs: typeof mine;
beforeAll(async () => {
  context = await openTestReconciliation();
  mine = await createReconciledMerchant(context);
  theirs = await createReconciledMerchant(context);
});
afterAll(() => context.close());

const plant = (merchant: typeof mine, changes: Partial<SeededDiscrepancy> = {}) =>
  seedDiscrepancy(context, { merchantId: merchant.merchantId, accountId: merchant.paystack, ...changes });

describe('what people wrote about a customer’s payments', () => {
  test('is replaced; amounts, states and other payments stay', async () => {
    const payment = context.newId();
    const other = context.newId();
    const noted = await plant(mine, { paymentId: payment, note: 'Ada called.' });
    const resolved = await plant(mine, { paymentId: payment, state: 'EXPLAINED', resolution: 'Refunded Ada.' });
    const silent = await plant(mine, { paymentId: payment });
    const elsewhere = await plant(mine, { paymentId: other, note: 'Bayo called.' });
    const foreign = await plant(theirs, { paymentId: payment, note: 'Ada called.' });
    const erased = await context.database.prisma.$transaction((transaction) =>
      eraseDiscrepancyTexts(transaction, mine.merchantId, [payment], 'Erased.'),
    );
    expect(erased).toBe(2);
    const rows = new Map(
      (await context.database.prisma.reconciliationDiscrepancy.findMany()).map((row) => [row.id, row] as const),
    );
    expect(rows.get(noted)).toMatchObject({ note: 'Erased.', resolution: null, ledger: { amount: '2500' } });
    expect(rows.get(resolved)).toMatchObject({ note: null, resolution: 'Erased.', state: 'EXPLAINED' });
    expect(rows.get(silent)).toMatchObject({ note: null, resolution: null });
    expect(rows.get(elsewhere)).toMatchObject({ note: 'Bayo called.' });
    expect(rows.get(foreign)).toMatchObject({ note: 'Ada called.' });
    expect((await readDiscrepanciesOf(context.database, mine.merchantId, [payment])).map(({ id }) => id).sort()).toEqual(
      [noted, resolved, silent].sort(),
    );
  });
});

describe('counts that alerts are made from', () => {
  test('name every merchant, mode and kind with open discrepancies, and when the first was found', async () => {
    await context.database.prisma.reconciliationDiscrepancy.deleteMany();
    context.setClock(new Date('2026-11-21T08:00:00Z'));
    await plant(mine);
    context.setClock(new Date('2026-11-22T08:00:00Z'));
    await plant(mine);
    await plant(mine, { state: 'EXPLAINED' });
    await plant(theirs, { kind: 'STATUS' });
    const counts = await countOpenDiscrepancies(context.database, null);
    const of = ({ merchantId }: typeof mine) => counts.filter((row) => row.merchantId === merchantId);
    expect(of(mine)).toEqual([
      { merchantId: mine.merchantId, mode: 'test', kind: 'AMOUNT', count: 2, oldestAt: new Date('2026-11-21T08:00:00Z') },
    ]);
    expect(of(theirs)).toMatchObject([{ kind: 'STATUS', count: 1 }]);
  });

  test('of payments missing here leave out refunds, earlier days and other merchants, closed or not', async () => {
    await context.database.prisma.reconciliationDiscrepancy.deleteMany();
    const missing = { kind: 'MISSING_HERE', ledger: null } as const;
    await plant(mine, { ...missing, day: '2026-11-20' });
    await plant(mine, { ...missing, day: '2026-11-21', state: 'RESOLVED' });
    await plant(mine, { ...missing, day: '2026-11-19' });
    await plant(mine, { ...missing, day: '2026-11-20', subject: 'refund/501' });
    await plant(mine, { day: '2026-11-20' });
    await plant(theirs, { ...missing, day: '2026-11-20' });
    const wanted = { merchantIds: [mine.merchantId], mode: 'test', since: '2026-11-20' } as const;
    expect(await countUnrecordedPayments(context.database, wanted)).toEqual([
      { merchantId: mine.merchantId, accountId: mine.paystack, count: 2 },
    ]);
    expect(await countUnrecordedPayments(context.database, { ...wanted, mode: 'live' })).toEqual([]);
  });
});
