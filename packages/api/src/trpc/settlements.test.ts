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
  mine = await createTestMerchant(dashboard);
  theirs = await createTestMerchant(dashboard);
  staffId = dashboard.switchyard.newId();
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const { prisma } = dashboard.database;
  await prisma.staffUser.create({
    data: { id: staffId, name: 'Ada', email: 'ada@example.com', emailVerified: true, twoFactorEnabled: false, ...times },
  });
  const grant = { staffId, merchantId: mine.merchantId, role: 'finance' as const };
  await prisma.staffGrant.create({ data: { ...grant, grantedBy: 'system:test', createdAt: new Date() } });
});
afterAll(() => dashboard.close());

const as = (role: StaffRole, merchantId: string | null = mine.merchantId) =>
  createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId, staffId) }).settlements;

let settlementCount = 0;

/** A settlement of NGN 100.00 with a matched payment, its fee and a residue, and a discrepancy about the residue. */
async function settle({ merchantId, paystack: accountId }: DashboardMerchant) {
  const { prisma } = dashboard.database;
  const [settlementId, discrepancyId] = [dashboard.switchyard.newId(), dashboard.switchyard.newId()];
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const common = { merchantId, accountId, currency: 'NGN' };
  settlementCount += 1;
  await prisma.settlement.create({
    data: {
      ...common,
      ...times,
      id: settlementId,
      mode: 'test',
      gateway: 'paystack',
      reference: `s-${settlementCount}`,
      road: 'POLLED',
      status: 'PAID',
      gross: '100',
      fees: '1.5',
      deductions: '0',
      net: '100',
      settledOn: new Date('2026-11-20'),
      linesReadAt: new Date(),
      lineCount: 3,
      explained: '101.5',
      unexplained: '1.5',
    },
  });
  const lineOf = (position: number, kind: 'PAYMENT' | 'FEE' | 'RESIDUE', amount: string) => ({
    ...common,
    id: dashboard.switchyard.newId(),
    settlementId,
    position,
    kind,
    amount,
    subjects: kind === 'RESIDUE' ? [] : ['payment/01a20000-0000-7000-8000-000000000001'],
    linkedBy: kind === 'RESIDUE' ? null : ('REFERENCE' as const),
    createdAt: new Date(),
  });
  const residue = lineOf(2, 'RESIDUE', '1.5');
  await prisma.settlementLine.createMany({ data: [lineOf(0, 'PAYMENT', '100'), lineOf(1, 'FEE', '-1.5'), residue] });
  await prisma.settlementDiscrepancy.create({
    data: {
      ...common,
      createdAt: times.createdAt,
      id: discrepancyId,
      mode: 'test',
      gateway: 'paystack',
      kind: 'UNMATCHED',
      subject: `line/${residue.id}`,
      state: 'OPEN',
      settled: '1.5',
      settlementId,
      lineId: residue.id,
    },
  });
  return { merchantId, accountId, settlementId, discrepancyId };
}

const testMode = { mode: 'test' } as const;

describe('settlements on the dashboard', () => {
  test('are listed with what is explained of them, and opened with their lines by kind', async () => {
    const { settlementId, discrepancyId } = await settle(mine);
    const { items } = await as('viewer').list(testMode);
    expect(items.find((item) => item.settlementId === settlementId)).toMatchObject({
      net: '100',
      settledOn: '2026-11-20',
      explained: '101.5',
      unexplained: '1.5',
      openDiscrepancies: 1,
    });
    const { totals } = await as('viewer').byId({ settlementId });
    expect(totals.map(({ kind, amount, unmatchedCount }) => [kind, amount, unmatchedCount]).sort()).toEqual([
      ['FEE', '-1.5', 0],
      ['PAYMENT', '100', 0],
      ['RESIDUE', '1.5', 1],
    ]);
    const unmatched = await as('viewer').lines({ settlementId, unmatchedOnly: true });
    expect(unmatched.items.map(({ kind, discrepancyId: of }) => [kind, of])).toEqual([['RESIDUE', discrepancyId]]);
    expect(await as('viewer').explained({ ...testMode, from: '2026-11-20', to: '2026-11-20' })).toMatchObject([
      { currency: 'NGN', unexplained: '1.5', explained: '101.5' },
    ]);
  });

  test('show nothing of another merchant’s', async () => {
    const { settlementId, discrepancyId } = await settle(theirs);
    const caller = as('owner');
    expect((await caller.list(testMode)).items.some((item) => item.settlementId === settlementId)).toBe(false);
    await expect(caller.byId({ settlementId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await caller.lines({ settlementId })).items).toEqual([]);
    await expect(caller.discrepancies.byId({ discrepancyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await caller.accounts(testMode)).some(({ merchantId }) => merchantId === theirs.merchantId)).toBe(false);
  });

  test('have discrepancies that are assigned, noted, resolved and reopened, one or many', async () => {
    const { merchantId, discrepancyId } = await settle(mine);
    const key = { merchantId, discrepancyId };
    const { discrepancies } = as('finance');
    expect(await discrepancies.assign({ ...key, ownerId: staffId })).toEqual({ changed: true });
    expect(await discrepancies.note({ ...key, note: 'Asked Paystack.' })).toEqual({ changed: true });
    await discrepancies.resolve({ ...key, as: 'EXPLAINED', why: 'Stamp duty.' });
    expect(await discrepancies.byId({ discrepancyId })).toMatchObject({
      state: 'EXPLAINED',
      ownerName: 'Ada',
      note: 'Asked Paystack.',
      resolution: 'Stamp duty.',
    });
    await discrepancies.reopen(key);
    const change = { kind: 'resolve', as: 'RESOLVED', why: 'Paid back.' } as const;
    expect(await discrepancies.changeMany({ keys: [key], change })).toMatchObject([{ outcome: { kind: 'changed' } }]);
    const open = await discrepancies.list({ ...testMode, states: ['OPEN'] });
    expect(open.items.some((item) => item.discrepancyId === discrepancyId)).toBe(false);
  });

  test('are assigned only to who may resolve them', async () => {
    const { merchantId, discrepancyId } = await settle(mine);
    const ownerId = dashboard.switchyard.newId();
    await expect(as('finance').discrepancies.assign({ merchantId, discrepancyId, ownerId })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('are expected by the calendar that staff set, until it is given up for the published one', async () => {
    const { merchantId, paystack: accountId } = mine;
    const calendar = { workingDays: 2, holidays: ['2026-12-25'], graceDays: 3, tolerance: '0.5', toleranceMinutes: 15 };
    expect(await as('finance').setCalendar({ merchantId, accountId, calendar })).toEqual({ changed: true });
    const read = async () => (await as('viewer').accounts(testMode)).find((account) => account.accountId === accountId)?.calendar;
    expect(await read()).toMatchObject({ ...calendar, isDefault: false });
    await as('finance').setCalendar({ merchantId, accountId, calendar: null });
    expect(await read()).toMatchObject({ workingDays: 1, holidays: [], isDefault: true });
    const tooLate = { ...calendar, workingDays: 31 };
    await expect(as('finance').setCalendar({ merchantId, accountId, calendar: tooLate })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});
