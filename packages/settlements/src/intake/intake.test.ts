import type { AnnouncedSettlement, ListedSettlementLine } from '@switchyard/gateways';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listSettlementSources } from '../console/sources.ts';
import { linesOf, listing, recordPaid, recordRefund, settlementOf } from '../testing/account.ts';
import { scheduleSettlementReading, storeAnnouncedSettlement } from './intake.ts';
import { readSettlements } from './read-settlements.ts';

/* Payments of Tuesday 24 November 2026 at a gateway that announces its settlements, due on Wednesday. */
const PAID_AT = new Date('2026-11-24T11:00:00Z');

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-25T21:01:00Z'));
  const { merchantId, accounts } = await createTestMerchant(context, { 'monnify-main': { fees: null } });
  const accountId = accounts['monnify-main'] ?? '';
  key = { merchantId, accountId };
  const credentials = { apiKey: 'MK_TEST_C0FFEE00C0', secretKey: 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00', contractCode: '4934121686' };
  const sealed = context.resources.vault.seal(JSON.stringify(credentials), `${merchantId}/${accountId}`);
  await context.database.prisma.gatewayAccount.updateMany({
    where: { merchantId, id: accountId },
    data: { credentials: sealed },
  });
  await reloadConfiguration(context, merchantId);
});
afterAll(() => context.close());

const ANNOUNCED: AnnouncedSettlement = {
  settlementId: 's1',
  currency: 'NGN',
  net: '2462.5',
  settledOn: '2026-11-25',
  createdAt: new Date('2026-11-25T21:00:04Z'),
};
const announce = (settlement = ANNOUNCED) => storeAnnouncedSettlement(context, { ...key, settlement });
/** So long after the last announcement that what is open is judged. */
const later = () => context.setClock(new Date(context.now().getTime() + 60_000));
const settlements = () => context.database.prisma.settlement.findMany({ where: key });
const discrepancies = () => context.database.prisma.settlementDiscrepancy.findMany({ where: key });

/** The context of a gateway that lists the lines of `s1`, and no settlements. */
function telling(lines: readonly ListedSettlementLine[], down = false) {
  const payout = settlementOf('s1', '2026-11-25', lines);
  const listed = listing(context, [payout], down ? { lines: 's1' } : {});
  const { resources } = listed.context;
  const opened = { ...resources, openAccount: (account: Parameters<typeof resources.openAccount>[0]) => withoutList(account) };
  const withoutList = (account: Parameters<typeof resources.openAccount>[0]) => {
    const access = resources.openAccount(account);
    if (access === null) return null;
    const { listSettlements: _, ...gateway } = access.gateway;
    return { ...access, gateway };
  };
  return { context: { ...listed.context, resources: opened }, calls: listed.calls };
}

test('an announced settlement is pending with its net amount until what is in it was read, and then matched', async () => {
  const paid = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  expect(await announce()).toMatchObject({ kind: 'stored' });
  expect(await settlements()).toMatchObject([{ road: 'WEBHOOK', status: 'PENDING', linesReadAt: null }]);
  const { context: at, calls } = telling(linesOf(paid, PAID_AT));
  later();
  expect(await readSettlements(at, key)).toEqual({ kind: 'read', settlements: 1, lines: 2 });
  const [stored] = await settlements();
  const amounts = [stored?.gross, stored?.fees, stored?.deductions, stored?.net, stored?.explained, stored?.unexplained];
  expect(amounts.map((amount) => amount?.toFixed())).toEqual(['2500', '37.5', '0', '2462.5', '2537.5', '0']);
  expect(stored).toMatchObject({ status: 'PAID', lineCount: 2 });
  expect(await discrepancies()).toEqual([]);
  expect(await readSettlements(at, key)).toEqual({ kind: 'read', settlements: 0, lines: 0 });
  expect(await announce()).toMatchObject({ kind: 'unchanged' });
  expect(calls).not.toContain('heads');
});

test('what the gateway does not tell of the amount is a residue, and no amount is changed', async () => {
  const paid = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  await announce({ ...ANNOUNCED, net: '2400' });
  await readSettlements(telling(linesOf(paid, PAID_AT)).context, key);
  const lines = await context.database.prisma.settlementLine.findMany({ where: key, orderBy: { position: 'asc' } });
  expect(lines.map(({ kind, amount }) => [kind, amount.toFixed()])).toEqual([
    ['PAYMENT', '2500'],
    ['FEE', '-37.5'],
    ['RESIDUE', '-62.5'],
  ]);
});

test('a settlement whose payments cannot be read is kept whole for the next reading, with the reason at the account', async () => {
  const paid = await Promise.all([1, 2].map(() => recordPaid(context, key.merchantId, { paidAt: PAID_AT })));
  const lines = paid.flatMap((each) => linesOf(each, PAID_AT));
  await announce({ ...ANNOUNCED, net: '4925' });
  expect(await readSettlements(telling(lines, true).context, key)).toMatchObject({ kind: 'failed' });
  expect(await context.database.prisma.settlementLine.count({ where: key })).toBe(0);
  const [source] = await listSettlementSources(context, { merchantIds: [key.merchantId], mode: 'test' });
  expect(source).toMatchObject({ road: 'WEBHOOK', heardAt: context.now(), failure: 'Paystack answered HTTP 503.' });
  expect(await readSettlements(telling(lines).context, key)).toEqual({ kind: 'read', settlements: 1, lines: 4 });
  expect((await listSettlementSources(context, { merchantIds: [key.merchantId], mode: 'test' }))[0]?.failure).toBeNull();
});

test('an account is read by the schedule before it heard of any, which asks the gateway for nothing, and every hour', async () => {
  const jobs = async () => {
    const { rows } = await context.database.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM graphile_worker._private_jobs AS job
       JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
       WHERE task.identifier = 'read-settlements' AND payload->>'merchantId' = $1`,
      [key.merchantId],
    );
    return rows[0]?.count;
  };
  await scheduleSettlementReading(context);
  expect(await jobs()).toBe(1);
  const { context: at, calls } = telling([]);
  expect(await readSettlements(at, key)).toEqual({ kind: 'read', settlements: 0, lines: 0 });
  expect(calls).toEqual([]);
  await context.database.pool.query('DELETE FROM graphile_worker._private_jobs');
  await scheduleSettlementReading(context);
  expect(await jobs()).toBe(0);
  context.setClock(new Date('2026-11-25T22:01:00Z'));
  await scheduleSettlementReading(context);
  expect(await jobs()).toBe(1);
});

test('refunds that the gateway pays from the wallet are not awaited in a settlement', async () => {
  const paid = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  await recordRefund(context, key, paid, { amount: 400n, at: PAID_AT });
  await announce({
    ...ANNOUNCED,
    settlementId: 's0',
    net: '0',
    createdAt: new Date('2026-11-20T21:00:00Z'),
    settledOn: '2026-11-20',
  });
  await announce();
  await readSettlements(telling(linesOf(paid, PAID_AT)).context, key);
  const afterwards = {
    ...ANNOUNCED,
    settlementId: 's2',
    net: '0',
    createdAt: new Date('2026-12-09T21:00:00Z'),
    settledOn: '2026-12-09',
  };
  context.setClock(new Date('2026-12-09T21:01:00Z'));
  await announce(afterwards);
  later();
  await readSettlements(telling([]).context, key);
  expect(await discrepancies()).toEqual([]);
});
