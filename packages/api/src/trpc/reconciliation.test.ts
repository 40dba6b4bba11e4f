import { migrateJobs } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

let dashboard: TestDashboard;
let mine: DashboardMerchant;
let theirs: DashboardMerchant;
let staffId: string;
beforeAll(async () => {
  dashboard = await openTestDashboard();
  await migrateJobs(dashboard.database);
  mine = await createTestMerchant(dashboard);
  theirs = await createTestMerchant(dashboard);
  staffId = await hire('Ada', 'finance', mine.merchantId);
});
afterAll(() => dashboard.close());

async function hire(name: string, role: StaffRole, merchantId: string): Promise<string> {
  const id = dashboard.switchyard.merchants.newId();
  const times = { createdAt: new Date(), updatedAt: new Date() };
  await dashboard.database.prisma.staffUser.create({
    data: { id, name, email: `${id}@example.com`, emailVerified: true, twoFactorEnabled: false, ...times },
  });
  await dashboard.database.prisma.staffGrant.create({
    data: { staffId: id, merchantId, role, grantedBy: 'system:test', createdAt: new Date() },
  });
  return id;
}

const as = (role: StaffRole, merchantId: string | null = mine.merchantId) =>
  createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId, staffId) })
    .reconciliation;

let days = 0;
/** A discrepancy on a day of its own. */
async function differ(merchant: DashboardMerchant = mine): Promise<{ merchantId: string; discrepancyId: string }> {
  const discrepancyId = dashboard.switchyard.merchants.newId();
  days += 1;
  await dashboard.database.prisma.reconciliationDiscrepancy.create({
    data: {
      merchantId: merchant.merchantId,
      id: discrepancyId,
      mode: 'test',
      accountId: merchant.paystack,
      gateway: 'paystack',
      day: new Date(Date.UTC(2026, 9, days)),
      kind: 'AMOUNT',
      subject: `transaction/${days}`,
      state: 'OPEN',
      ledger: { amount: '2500' },
      statement: { amount: '2400' },
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  });
  return { merchantId: merchant.merchantId, discrepancyId };
}

const entriesOf = async (objectId: string) =>
  (await dashboard.database.prisma.auditEntry.findMany({ where: { objectId }, orderBy: { position: 'asc' } })).map(
    ({ action, actor }) => [action, actor],
  );

describe('a discrepancy', () => {
  test('is noted, assigned, resolved and reopened, each audited with its author', async () => {
    const one = await differ();
    expect(await as('finance').note({ ...one, note: '  Asked the gateway.  ' })).toEqual({ changed: true });
    expect(await as('finance').note({ ...one, note: 'Asked the gateway.' })).toEqual({ changed: false });
    await as('finance').assign({ ...one, ownerId: staffId });
    await as('finance').resolve({ ...one, as: 'EXPLAINED', why: 'Agreed discount.' });
    expect(await as('viewer').discrepancy({ discrepancyId: one.discrepancyId })).toMatchObject({
      state: 'EXPLAINED',
      note: 'Asked the gateway.',
      ownerName: 'Ada',
      resolvedByName: 'Ada',
      resolution: 'Agreed discount.',
      ledger: { amount: '2500' },
      statement: { amount: '2400' },
      gatewayTitle: 'Paystack',
      accountLabel: 'paystack-main',
    });
    await as('finance').reopen(one);
    const again = await as('viewer').discrepancy({ discrepancyId: one.discrepancyId });
    expect(again).toMatchObject({ state: 'OPEN', resolution: null, note: 'Asked the gateway.' });
    const actor = `staff:${staffId}`;
    expect(await entriesOf(one.discrepancyId)).toEqual([
      ['reconciliation.noted', actor],
      ['reconciliation.assigned', actor],
      ['reconciliation.explained', actor],
      ['reconciliation.reopened', actor],
    ]);
  });

  test('is resolved only with a reason, and assigned only to staff who may resolve it', async () => {
    const one = await differ();
    await expect(as('finance').resolve({ ...one, as: 'RESOLVED', why: '  ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const viewer = await hire('Bayo', 'viewer', mine.merchantId);
    const stranger = await hire('Chidi', 'owner', theirs.merchantId);
    for (const ownerId of [viewer, stranger]) {
      await expect(as('finance').assign({ ...one, ownerId })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    expect((await as('viewer').owners({ merchantId: mine.merchantId })).map(({ name }) => name)).toEqual(['Ada']);
    expect(await entriesOf(one.discrepancyId)).toEqual([]);
  });

  test('of another merchant is not found, for every role and action', async () => {
    const foreign = await differ(theirs);
    const lent = { merchantId: mine.merchantId, discrepancyId: foreign.discrepancyId };
    await expect(as('owner').discrepancy({ discrepancyId: foreign.discrepancyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(as('owner').note({ ...lent, note: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(as('owner').note({ ...foreign, note: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(as('owner').resolve({ ...foreign, as: 'RESOLVED', why: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { items } = await as('owner').discrepancies({ mode: 'test' });
    expect(new Set(items.map(({ merchantId }) => merchantId))).toEqual(new Set([mine.merchantId]));
    await expect(as('owner').discrepancies({ mode: 'test', merchantIds: [theirs.merchantId] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await entriesOf(foreign.discrepancyId)).toEqual([]);
  });

  test('cannot be changed by a viewer', async () => {
    const one = await differ();
    await expect(as('viewer').note({ ...one, note: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const day = { merchantId: mine.merchantId, accountId: mine.paystack, day: '2026-10-01' };
    await expect(as('viewer').runNow(day)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the list of discrepancies', () => {
  test('pages through each once, the latest day first', async () => {
    for (let count = 0; count < 5; count += 1) await differ();
    const whole = (await as('viewer').discrepancies({ mode: 'test', limit: 200 })).items;
    const seen = [];
    let cursor: { day: string; discrepancyId: string } | null = null;
    for (let pages = 0; pages < 100; pages += 1) {
      const page = await as('viewer').discrepancies({ mode: 'test', limit: 2, cursor });
      seen.push(...page.items);
      cursor = page.next;
      if (cursor === null) break;
    }
    expect(seen.map(({ discrepancyId }) => discrepancyId)).toEqual(whole.map(({ discrepancyId }) => discrepancyId));
    expect(seen.map(({ day }) => day)).toEqual(
      seen
        .map(({ day }) => day)
        .sort()
        .reverse(),
    );
  });

  test('is filtered by state, kind, account and day', async () => {
    const one = await differ();
    await as('finance').resolve({ ...one, as: 'RESOLVED', why: 'Booked.' });
    const { day } = await as('viewer').discrepancy({ discrepancyId: one.discrepancyId });
    const list = async (filter: object) =>
      (await as('viewer').discrepancies({ mode: 'test', dayFrom: day, dayTo: day, ...filter })).items.map(
        ({ discrepancyId }) => discrepancyId,
      );
    expect(await list({})).toEqual([one.discrepancyId]);
    expect(await list({ states: ['RESOLVED'], kinds: ['AMOUNT'], accountIds: [mine.paystack] })).toEqual([one.discrepancyId]);
    for (const other of [
      { states: ['OPEN'] },
      { kinds: ['STATUS'] },
      { accountIds: [mine.flutterwave] },
      { mode: 'live' as const },
    ]) {
      expect(await list(other)).toEqual([]);
    }
    const counts = await as('viewer').counts({ mode: 'test', dayFrom: day, dayTo: day });
    expect(counts).toEqual([{ kind: 'AMOUNT', state: 'RESOLVED', count: 1 }]);
  });
});

describe('a requested day', () => {
  test('is queued for reconciliation once, and audited with its author', async () => {
    const key = { merchantId: mine.merchantId, accountId: mine.paystack, day: '2026-11-01' };
    await as('finance').runNow(key);
    await as('finance').runNow(key);
    const { items } = await as('viewer').runs({ mode: 'test', from: '2026-11-01', to: '2026-11-01' });
    expect(items).toMatchObject([
      { state: 'QUEUED', day: '2026-11-01', comparedAt: null, totals: [], accountLabel: 'paystack-main' },
    ]);
    expect((await entriesOf(items[0]?.runId ?? '')).map(([action]) => action)).toEqual([
      'reconciliation.requested',
      'reconciliation.requested',
    ]);
    const foreign = { ...key, accountId: theirs.paystack };
    await expect(as('finance').runNow(foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(as('finance').runNow({ ...key, day: '2999-01-01' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('returns its totals as lines for a file', async () => {
    const sum = { count: 2, amount: '5000.5' };
    const totals = [
      {
        currency: 'NGN',
        ledger: sum,
        statement: { count: 3, amount: '6000' },
        fees: '75.25',
        ledgerRefunded: sum,
        statementRefunded: sum,
      },
    ];
    await dashboard.database.prisma.reconciliationRun.updateMany({
      where: { merchantId: mine.merchantId, day: new Date('2026-11-01') },
      data: { state: 'DONE', comparedAt: new Date(), totals },
    });
    expect(await as('viewer').totals({ mode: 'test', from: '2026-11-01', to: '2026-11-01' })).toEqual([
      {
        day: '2026-11-01',
        merchant: 'Balogun Books',
        account: 'paystack-main',
        gateway: 'paystack',
        currency: 'NGN',
        ledgerCount: 2,
        ledgerAmount: '5000.5',
        statementCount: 3,
        statementAmount: '6000',
        difference: '999.5',
        fees: '75.25',
        ledgerRefunded: '5000.5',
        statementRefunded: '5000.5',
        openDiscrepancies: 0,
        closedDiscrepancies: 0,
      },
    ]);
  });
});
