import type { TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acceptDiscrepancy,
  addDiscrepancyNote,
  assignDiscrepancy,
  changeDiscrepancies,
  changeTolerance,
  listTolerances,
  reopenDiscrepancy,
  resolveDiscrepancy,
  resolveOpenDiscrepancy,
} from './discrepancies.ts';
import { createReconciledMerchant, openTestReconciliation, type SeededDiscrepancy, seedDiscrepancy } from './testing/open.ts';

const ADA = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
const BAYO = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11';

let context: TestPayments;
let merchant: Awaited<ReturnType<typeof createReconciledMerchant>>;
beforeAll(async () => {
  context = await openTestReconciliation();
});
beforeEach(async () => {
  merchant = await createReconciledMerchant(context);
});
afterAll(() => context.close());

async function plant(changes: Partial<SeededDiscrepancy> = {}) {
  const { merchantId, paystack: accountId } = merchant;
  return { merchantId, discrepancyId: await seedDiscrepancy(context, { merchantId, accountId, ...changes }), actor: ADA };
}
const stored = (id: string) =>
  context.database.prisma.reconciliationDiscrepancy.findUniqueOrThrow({
    where: { merchantId_id: { merchantId: merchant.merchantId, id } },
  });
const audited = async (objectId: string) =>
  (await context.database.prisma.auditEntry.findMany({ where: { objectId }, orderBy: { position: 'asc' } })).map(
    ({ action }) => action,
  );

describe('a change of a discrepancy', () => {
  test('is written with one audit entry; what changes nothing writes none', async () => {
    const one = await plant();
    expect(await addDiscrepancyNote(context, { ...one, note: ' Asked. ' })).toEqual({ kind: 'changed' });
    expect(await addDiscrepancyNote(context, { ...one, note: 'Asked.' })).toEqual({ kind: 'unchanged' });
    expect(await assignDiscrepancy(context, { ...one, ownerId: ADA.slice(6) })).toEqual({ kind: 'changed' });
    expect(await assignDiscrepancy(context, { ...one, ownerId: ADA.slice(6) })).toEqual({ kind: 'unchanged' });
    expect(await reopenDiscrepancy(context, one)).toEqual({ kind: 'unchanged' });
    expect(await addDiscrepancyNote(context, { ...one, note: '   ' })).toEqual({ kind: 'changed' });
    expect(await stored(one.discrepancyId)).toMatchObject({ note: null, ownerId: ADA.slice(6), state: 'OPEN' });
    expect(await audited(one.discrepancyId)).toEqual(['reconciliation.noted', 'reconciliation.assigned', 'reconciliation.noted']);
  });

  test('needs a reason to close it; reopening keeps note and owner and drops the reason', async () => {
    const one = await plant({ note: 'Asked.', ownerId: ADA.slice(6) });
    expect(await resolveDiscrepancy(context, { ...one, as: 'RESOLVED', why: ' ' })).toMatchObject({ kind: 'refused' });
    expect(await resolveDiscrepancy(context, { ...one, as: 'RESOLVED', why: 'Paid out.' })).toEqual({ kind: 'changed' });
    expect(await stored(one.discrepancyId)).toMatchObject({ state: 'RESOLVED', resolution: 'Paid out.', resolvedBy: ADA });
    await reopenDiscrepancy(context, one);
    expect(await stored(one.discrepancyId)).toMatchObject({
      state: 'OPEN',
      resolution: null,
      resolvedBy: null,
      resolvedAt: null,
      note: 'Asked.',
      ownerId: ADA.slice(6),
    });
  });

  test('of a colleague is replaced by name only: of two that close it at once as open, one is told', async () => {
    const one = await plant();
    const close = (actor: string) => resolveOpenDiscrepancy(context, { ...one, actor, as: 'EXPLAINED', why: `By ${actor}.` });
    const outcomes = await Promise.all([close(ADA), close(BAYO)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['changed', 'refused']);
    expect(await resolveDiscrepancy(context, { ...one, as: 'EXPLAINED', why: 'Corrected.' })).toEqual({ kind: 'changed' });
    expect((await stored(one.discrepancyId)).resolution).toBe('Corrected.');
  });

  test('of another merchant is not found, and nothing is written', async () => {
    const one = await plant();
    const foreign = { ...one, merchantId: (await createReconciledMerchant(context)).merchantId };
    expect(await addDiscrepancyNote(context, { ...foreign, note: 'x' })).toEqual({ kind: 'not_found' });
    expect(await resolveDiscrepancy(context, { ...foreign, as: 'RESOLVED', why: 'x' })).toEqual({ kind: 'not_found' });
    expect(await audited(one.discrepancyId)).toEqual([]);
  });
});

describe('accepting a difference', () => {
  const tolerate = (tolerance: string) => changeTolerance(context, { merchantId: merchant.merchantId, tolerance, actor: ADA });

  test.each([
    ['99.99', 'refused'],
    ['100', 'changed'],
    ['100.01', 'changed'],
  ])('of 100 under a tolerance of %s is %s', async (tolerance, kind) => {
    await tolerate(tolerance);
    const one = await plant();
    expect(await acceptDiscrepancy(context, { ...one, why: 'Rounding.' })).toMatchObject({ kind });
    const after = await stored(one.discrepancyId);
    expect(after.state).toBe(kind === 'changed' ? 'EXPLAINED' : 'OPEN');
    if (kind === 'changed') {
      expect(after.resolution).toBe(`Difference of 100 accepted within the tolerance of ${tolerance}: Rounding.`);
    }
  });

  test('is refused without a tolerance, without a reason, once closed, and for anything but a different amount', async () => {
    const one = await plant();
    expect(await acceptDiscrepancy(context, { ...one, why: 'Rounding.' })).toMatchObject({ kind: 'refused' });
    await tolerate('1000000');
    expect(await acceptDiscrepancy(context, { ...one, why: ' ' })).toMatchObject({ kind: 'refused' });
    for (const kind of ['MISSING_HERE', 'MISSING_THERE', 'STATUS', 'CURRENCY'] as const) {
      expect(await acceptDiscrepancy(context, { ...(await plant({ kind })), why: 'Rounding.' })).toMatchObject({
        kind: 'refused',
      });
    }
    expect(await acceptDiscrepancy(context, { ...one, why: 'Rounding.' })).toEqual({ kind: 'changed' });
    expect(await acceptDiscrepancy(context, { ...one, why: 'Again.' })).toMatchObject({ kind: 'refused' });
  });

  test('a tolerance is zero until set, audited when changed, and closes nothing by itself', async () => {
    const { merchantId } = merchant;
    const one = await plant();
    expect(await listTolerances(context, [merchantId])).toEqual([{ merchantId, tolerance: '0', updatedAt: null }]);
    expect(await tolerate('0')).toEqual({ kind: 'unchanged' });
    expect(await tolerate('250.5')).toEqual({ kind: 'changed' });
    expect(await tolerate('250.50')).toEqual({ kind: 'unchanged' });
    expect(await listTolerances(context, [merchantId])).toMatchObject([{ tolerance: '250.5' }]);
    expect(await audited(merchantId)).toEqual(['reconciliation.tolerance_changed']);
    expect((await stored(one.discrepancyId)).state).toBe('OPEN');
  });
});

describe('a change of several', () => {
  test('answers for each in order; one that is refused takes nothing from the others', async () => {
    const all = [await plant(), await plant({ state: 'EXPLAINED' }), await plant()];
    const gone = { merchantId: merchant.merchantId, discrepancyId: context.newId() };
    const change = { kind: 'resolve', as: 'RESOLVED', why: 'Paid out.' } as const;
    const results = await changeDiscrepancies(context, { keys: [...all, gone], change, actor: ADA });
    expect(results.map(({ outcome }) => outcome.kind)).toEqual(['changed', 'refused', 'changed', 'not_found']);
    expect(results.map(({ discrepancyId }) => discrepancyId)).toEqual([...all, gone].map(({ discrepancyId }) => discrepancyId));
  });

  test('stops at the first that fails: the rest are as they were, and said to be', async () => {
    const all = [await plant(), await plant(), await plant()];
    const broken = { merchantId: merchant.merchantId, discrepancyId: 'no id at all' };
    const [first, ...rest] = all;
    const reported: string[] = [];
    const keys = [first, broken, ...rest].flatMap((key) => key ?? []);
    const change = { kind: 'assign', ownerId: ADA.slice(6) } as const;
    const listening = { ...context, onError: (_: unknown, doing: string) => reported.push(doing) };
    const results = await changeDiscrepancies(listening, { keys, change, actor: ADA });
    expect(results.map(({ outcome }) => outcome.kind)).toEqual(['changed', 'failed', 'failed', 'failed']);
    const owners = await Promise.all(all.map(async ({ discrepancyId }) => (await stored(discrepancyId)).ownerId));
    expect(owners).toEqual([ADA.slice(6), null, null]);
    expect(reported).toHaveLength(1);
  });
});
