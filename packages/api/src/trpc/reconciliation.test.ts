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
  staffId = await hire('Ada', 'finance', mine.merchantId);
});
afterAll(() => dashboard.close());

async function hire(name: string, role: StaffRole, merchantId: string): Promise<string> {
  const id = dashboard.switchyard.newId();
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
interface Facts {
  readonly kind?: 'AMOUNT' | 'MISSING_HERE';
  /** The amount of the statement; the ledger has 2500. */
  readonly statement?: string;
  readonly day?: string;
}

/** A discrepancy on a day of its own. */
async function differ(
  merchant: DashboardMerchant = mine,
  { kind = 'AMOUNT', statement = '2400', day }: Facts = {},
): Promise<{ merchantId: string; discrepancyId: string }> {
  const discrepancyId = dashboard.switchyard.newId();
  days += 1;
  await dashboard.database.prisma.reconciliationDiscrepancy.create({
    data: {
      merchantId: merchant.merchantId,
      id: discrepancyId,
      mode: 'test',
      accountId: merchant.paystack,
      gateway: 'paystack',
      day: day === undefined ? new Date(Date.UTC(2026, 9, days)) : new Date(day),
      kind,
      subject: `transaction/${days}`,
      state: 'OPEN',
      ...(kind === 'AMOUNT' && { ledger: { amount: '2500', currency: 'NGN' } }),
      statement: { amount: statement, currency: 'NGN' },
      createdAt: new Date(),
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
    expect((await as('viewer').owners({ merchantIds: [mine.merchantId] })).map(({ name }) => name)).toEqual(['Ada']);
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
    let cursor: { day: string; amount: string; discrepancyId: string } | null = null;
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

describe('the work list', () => {
  const year = { mode: 'test' as const, dayFrom: '2025-01-01', dayTo: '2025-12-31' };
  let small: { discrepancyId: string };
  let large: { discrepancyId: string };
  let whole: { discrepancyId: string };
  beforeAll(async () => {
    large = await differ(mine, { statement: '10.5', day: '2025-03-01' });
    small = await differ(mine, { statement: '2499.5', day: '2025-03-20' });
    whole = await differ(mine, { kind: 'MISSING_HERE', statement: '800', day: '2025-03-27' });
    await differ(theirs, { statement: '1', day: '2025-03-01' });
  });
  const ids = async (query: object) =>
    (await as('viewer').discrepancies({ ...year, ...query })).items.map(({ discrepancyId }) => discrepancyId);

  test('is sorted by amount and by age, page by page', async () => {
    const largestFirst = [large, whole, small].map(({ discrepancyId }) => discrepancyId);
    expect(await ids({ sort: { by: 'amount', order: 'desc' } })).toEqual(largestFirst);
    expect(await ids({ sort: { by: 'amount', order: 'asc' } })).toEqual(largestFirst.toReversed());
    expect(await ids({ sort: { by: 'day', order: 'asc' } })).toEqual([large, small, whole].map((each) => each.discrepancyId));
    const paged: string[] = [];
    let cursor: Awaited<ReturnType<ReturnType<typeof as>['discrepancies']>>['next'] = null;
    do {
      const page = await as('viewer').discrepancies({ ...year, sort: { by: 'amount', order: 'desc' }, limit: 1, cursor });
      paged.push(...page.items.map(({ discrepancyId }) => discrepancyId));
      cursor = page.next;
    } while (cursor !== null);
    expect(paged).toEqual(largestFirst);
    expect((await as('viewer').discrepancy(large)).amount).toBe('2489.5');
  });

  test('is filtered by amount and by owner', async () => {
    expect(await ids({ amountFrom: 800, amountTo: 800 })).toEqual([whole.discrepancyId]);
    await as('finance').assign({ merchantId: mine.merchantId, ...whole, ownerId: staffId });
    expect(await ids({ ownerId: staffId })).toEqual([whole.discrepancyId]);
    expect(await ids({ unowned: true, amountFrom: 1 })).toEqual([large.discrepancyId]);
  });

  test('is counted by age, with the amount in question, for the merchants of the caller only', async () => {
    const counted = await as('viewer').byAge({ filter: year, today: '2025-03-27' });
    expect(counted).toEqual([
      { minDays: 0, maxDays: 2, currency: 'NGN', count: 1, unowned: 0, amount: '800' },
      { minDays: 3, maxDays: 7, currency: 'NGN', count: 1, unowned: 1, amount: '0.5' },
      { minDays: 8, maxDays: 30, currency: 'NGN', count: 1, unowned: 1, amount: '2489.5' },
    ]);
    const foreign = { ...year, merchantIds: [theirs.merchantId] };
    await expect(as('viewer').byAge({ filter: foreign, today: '2025-03-27' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('names the people who may own its rows, with their merchants', async () => {
    const [ada, ...others] = await as('viewer').owners({});
    expect([ada, others]).toEqual([{ staffId, name: 'Ada', merchantIds: [mine.merchantId] }, []]);
    await expect(as('viewer').owners({ merchantIds: [theirs.merchantId] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('several discrepancies', () => {
  const outcomes = (results: readonly { readonly outcome: { readonly kind: string } }[]) =>
    results.map(({ outcome }) => outcome.kind);

  test('are assigned and resolved at once, each with its own outcome and audit entry', async () => {
    const [first, second, closed] = [await differ(), await differ(), await differ()];
    const unknown = { merchantId: mine.merchantId, discrepancyId: dashboard.switchyard.newId() };
    const assigned = { kind: 'assign', ownerId: staffId } as const;
    expect(outcomes(await as('finance').changeMany({ keys: [first, second], change: assigned }))).toEqual(['changed', 'changed']);
    expect(outcomes(await as('finance').changeMany({ keys: [first, unknown], change: assigned }))).toEqual([
      'unchanged',
      'not_found',
    ]);
    await as('finance').resolve({ ...closed, as: 'EXPLAINED', why: 'A colleague knew.' });
    const change = { kind: 'resolve', as: 'RESOLVED', why: 'Booked in October.' } as const;
    const results = await as('finance').changeMany({ keys: [first, closed, unknown, second], change });
    expect(outcomes(results)).toEqual(['changed', 'refused', 'not_found', 'changed']);
    expect(await as('viewer').discrepancy(second)).toMatchObject({ state: 'RESOLVED', resolution: 'Booked in October.' });
    expect(await as('viewer').discrepancy(closed)).toMatchObject({ state: 'EXPLAINED', resolution: 'A colleague knew.' });
    expect((await entriesOf(second.discrepancyId)).map(([action]) => action)).toEqual([
      'reconciliation.assigned',
      'reconciliation.resolved',
    ]);
  });

  test('of another merchant, or by a viewer, change nothing', async () => {
    const [own, foreign] = [await differ(), await differ(theirs)];
    const change = { kind: 'resolve', as: 'RESOLVED', why: 'x' } as const;
    await expect(as('owner').changeMany({ keys: [own, foreign], change })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(as('viewer').changeMany({ keys: [own], change })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const lent = { merchantId: mine.merchantId, discrepancyId: foreign.discrepancyId };
    expect(outcomes(await as('owner').changeMany({ keys: [lent], change }))).toEqual(['not_found']);
    const stranger = await hire('Dayo', 'owner', theirs.merchantId);
    await expect(as('owner').changeMany({ keys: [own], change: { kind: 'assign', ownerId: stranger } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await entriesOf(own.discrepancyId)).toEqual([]);
    expect(await entriesOf(foreign.discrepancyId)).toEqual([]);
  });

  test('keep what was changed before a failure, and leave the rest as they were', async () => {
    const [first, second, third] = [await differ(), await differ(), await differ()];
    await dashboard.database.pool.query(`CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.id = '${second.discrepancyId}' THEN RAISE EXCEPTION 'disk full'; END IF; RETURN NEW; END $$`);
    await dashboard.database.pool.query(`CREATE TRIGGER refuse_update BEFORE UPDATE ON reconciliation_discrepancy
      FOR EACH ROW EXECUTE FUNCTION refuse_update()`);
    const change = { kind: 'resolve', as: 'EXPLAINED', why: 'Fee of the bank.' } as const;
    const results = await as('finance').changeMany({ keys: [first, second, third], change });
    await dashboard.database.pool.query('DROP TRIGGER refuse_update ON reconciliation_discrepancy');
    expect(outcomes(results)).toEqual(['changed', 'failed', 'failed']);
    const states = [first, second, third].map(async (one) => (await as('viewer').discrepancy(one)).state);
    expect(await Promise.all(states)).toEqual(['EXPLAINED', 'OPEN', 'OPEN']);
    expect(await entriesOf(second.discrepancyId)).toEqual([]);
  });

  test('are accepted within the tolerance of their merchant only, with who and why', async () => {
    const small = await differ(mine, { statement: '2450' });
    const large = await differ(mine, { statement: '2449.99' });
    const missingHere = await differ(mine, { kind: 'MISSING_HERE', statement: '1' });
    const accept = () =>
      as('finance').changeMany({ keys: [small, large, missingHere], change: { kind: 'accept', why: 'Bank charges.' } });
    expect(outcomes(await accept())).toEqual(['refused', 'refused', 'refused']);
    expect(await as('finance').setTolerance({ merchantId: mine.merchantId, tolerance: '50' })).toEqual({ changed: true });
    expect(await as('finance').setTolerance({ merchantId: mine.merchantId, tolerance: '50.00' })).toEqual({ changed: false });
    const within = await as('viewer').discrepancies({ mode: 'test', states: ['OPEN'], withinTolerance: true, limit: 200 });
    expect(within.items.map(({ discrepancyId }) => discrepancyId)).toContain(small.discrepancyId);
    expect(within.items.map(({ discrepancyId }) => discrepancyId)).not.toContain(large.discrepancyId);
    expect(outcomes(await accept())).toEqual(['changed', 'refused', 'refused']);
    expect(await as('viewer').discrepancy(small)).toMatchObject({
      state: 'EXPLAINED',
      resolvedByName: 'Ada',
      resolution: 'Difference of 50 accepted within the tolerance of 50: Bank charges.',
      ledger: { amount: '2500' },
    });
    expect(await entriesOf(small.discrepancyId)).toEqual([['reconciliation.accepted', `staff:${staffId}`]]);
    expect(await entriesOf(mine.merchantId)).toContainEqual(['reconciliation.tolerance_changed', `staff:${staffId}`]);
  });
});

test("a merchant's open discrepancies are counted for those who may read reports of it", async () => {
  const merchantsAs = (role: StaffRole, merchantId: string | null) =>
    createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId, staffId) }).merchants;
  await differ(theirs);
  const own = await merchantsAs('finance', mine.merchantId).figures({ mode: 'test' });
  const { length } = await dashboard.database.prisma.reconciliationDiscrepancy.findMany({
    where: { merchantId: mine.merchantId, mode: 'test', state: 'OPEN' },
  });
  expect(own.map(({ merchantId, openDiscrepancies }) => [merchantId, openDiscrepancies])).toEqual([[mine.merchantId, length]]);
  const live = await merchantsAs('finance', mine.merchantId).figures({ mode: 'live' });
  expect(live.map(({ openDiscrepancies }) => openDiscrepancies)).toEqual([0]);
});

describe('a tolerance', () => {
  test('is set for merchants of the caller, by those who resolve', async () => {
    const set = { merchantId: mine.merchantId, tolerance: '10' };
    await expect(as('viewer').setTolerance(set)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(as('owner').setTolerance({ ...set, merchantId: theirs.merchantId })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    for (const tolerance of ['-1', '1e3', '1000000.1', '0.0000001', '']) {
      await expect(as('finance').setTolerance({ ...set, tolerance })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    await as('finance').setTolerance({ ...set, tolerance: '0' });
    const shown = await as('viewer').tolerances({});
    expect(shown).toMatchObject([{ merchantId: mine.merchantId, merchantName: 'Balogun Books', tolerance: '0' }]);
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
