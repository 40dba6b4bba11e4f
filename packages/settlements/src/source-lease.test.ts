import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { followBank } from './bank/follow-bank.ts';
import { auditFees } from './fees/audit-fees.ts';
import { previewSettlementFile, type SettlementFilePreview, takeSettlementFile } from './files/take-file.ts';
import { matchAccount } from './intake/match-account.ts';
import { createSettledMerchant, recordPaid } from './testing/account.ts';
import { bankOf, takeStatementOf } from './testing/bank.ts';
import { fileOf, MAPPING, NOTHING_ENTERED } from './testing/files.ts';

/* Payments of Tuesday 24 November 2026, due on Wednesday, of an account whose payouts come by file. */
const PAID_AT = new Date('2026-11-24T11:00:00Z');
const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-12-02T08:00:00Z'));
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-main': {} });
  key = { merchantId, accountId: accounts['paystack-main'] ?? '' };
  const older = await recordPaid(context, merchantId, { paidAt: new Date('2026-11-19T11:00:00Z') });
  await take(['OLD', '20/11/2026', older.reference]);
  seconds(60);
  await matchAccount(context, key);
  expect(await discrepancies()).toEqual([]);
});
afterAll(() => context.close());

const seconds = (count: number) => context.setClock(new Date(context.now().getTime() + count * 1_000));
const discrepancies = async () => {
  const rows = await context.database.prisma.settlementDiscrepancy.findMany({ where: { merchantId: key.merchantId } });
  return rows.map(({ kind, state, subject }) => `${kind} ${state} ${subject.split('/')[0]}`).toSorted();
};

async function take([payout, day, reference]: readonly [string, string, string], amount = '2500') {
  const bytes = fileOf(`${payout},${day},${reference},t-${reference},${amount},37.5,24/11/2026 12:00`);
  const file = { ...key, name: `${payout}.csv`, bytes, mapping: MAPPING, entered: NOTHING_ENTERED };
  const { hash } = (await previewSettlementFile(context, file)) as SettlementFilePreview;
  expect(await takeSettlementFile(context, { ...file, hash }, ACTOR)).toMatchObject({ kind: 'taken' });
}

const jobsAt = async (name: string) => {
  const { rows } = await context.database.pool.query<{ runAt: Date }>(
    `SELECT run_at AS "runAt" FROM graphile_worker._private_jobs WHERE key = $1`,
    [name],
  );
  return rows.map(({ runAt }) => runAt);
};

describe('files that are taken in one after another', () => {
  test.each([
    ['in their order', [0, 1, 2]],
    ['the last first', [2, 1, 0]],
  ])('are linked at once and judged after the last, so that nothing is found that closes by itself, %s', async (_, order) => {
    const paid = await Promise.all([1, 2, 3].map(() => recordPaid(context, key.merchantId, { paidAt: PAID_AT })));
    const missing = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
    for (const at of order) {
      await take([`P-${at}`, `${24 + at}/11/2026`, paid[at]?.reference ?? '']);
      seconds(5);
      expect(await matchAccount(context, key)).toEqual({ kind: 'matched', linked: 2, found: 0, resolved: 0 });
    }
    expect(await discrepancies()).toEqual([]);
    const [judgedAt] = await jobsAt(`judge-settlements:${key.accountId}`);
    context.setClock(judgedAt ?? new Date(0));
    expect(await matchAccount(context, key)).toMatchObject({ found: 1, resolved: 0 });
    expect(await discrepancies()).toEqual(['LATE OPEN payment']);
    const [found] = await context.database.prisma.settlementDiscrepancy.findMany({ where: { merchantId: key.merchantId } });
    expect(found?.paymentId).toBe(missing.paymentId);
    await matchAccount(context, key);
    expect(await discrepancies()).toEqual(['LATE OPEN payment']);
  });

  test('are not judged by a run that linked before the last of them came', async () => {
    const [first, second] = [
      await recordPaid(context, key.merchantId, { paidAt: PAID_AT }),
      await recordPaid(context, key.merchantId, { paidAt: PAID_AT }),
    ];
    await take(['P-0', '27/11/2026', first.reference]);
    seconds(60);
    const { database } = context;
    let isTaken = false;
    // Payments are read to be judged: there the second file comes.
    const pool = new Proxy(database.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name, target);
        return async (statement: { readonly name: string; readonly text: string; readonly values: unknown[] }) => {
          if (statement.name === 'settlements-paid-page' && !isTaken) {
            isTaken = true;
            await take(['P-1', '27/11/2026', second.reference]);
          }
          return target.query(statement);
        };
      },
    });
    const resources = { ...context.resources, database: { ...database, pool } };
    expect(await matchAccount({ ...context, resources }, key)).toEqual({ kind: 'busy' });
    expect(isTaken).toBe(true);
    expect(await discrepancies()).toEqual([]);
  });
});

test('a payment from long before that was linked while more came in is judged as well', async () => {
  const old = await recordPaid(context, key.merchantId, { paidAt: new Date('2026-08-04T11:00:00Z') });
  await take(['P-0', '25/11/2026', old.reference], '2600');
  expect(await matchAccount(context, key)).toEqual({ kind: 'matched', linked: 2, found: 0, resolved: 0 });
  seconds(60);
  expect(await matchAccount(context, key)).toMatchObject({ linked: 0, found: 1 });
  expect(await discrepancies()).toEqual(['OVER OPEN payment']);
});

test('the fees of payments that were linked while more came in are audited as well', async () => {
  key = await createSettledMerchant(context, {
    percentBasisPoints: 100,
    flat: 0,
    flatWaivedBelow: null,
    cap: null,
    vatBasisPoints: 0,
  });
  const paid = await recordPaid(context, key.merchantId, { paidAt: PAID_AT, fee: '25' });
  expect(await auditFees(context, key)).toEqual({ kind: 'audited', found: 0, resolved: 0 });
  await take(['P-0', '25/11/2026', paid.reference]);
  expect(await matchAccount(context, key)).toEqual({ kind: 'matched', linked: 2, found: 0, resolved: 0 });
  seconds(60);
  await matchAccount(context, key);
  expect(await discrepancies()).toEqual(['OVERCHARGED OPEN fee']);
});

describe('statements and payouts that come one after another', () => {
  test.each([
    ['the statement first', ['statement', 'payout']],
    ['the payout first', ['payout', 'statement']],
  ])('find nothing that closes by itself, %s', async (_, order) => {
    const bank = bankOf(context, key);
    await bank.payout('300001', '2026-11-23', '1000');
    await takeStatementOf(context, key, '23/11/2026,PAYSTACK 300001,,1000');
    await bank.follow();
    for (const what of order) {
      if (what === 'payout') await take(['300002', '26/11/2026', 'none of ours']);
      else await takeStatementOf(context, key, '26/11/2026,PAYSTACK 300002,,2462.5', '01/12/2026,RENT,,1');
      seconds(5);
      expect(await followBank(context, { merchantId: key.merchantId, mode: 'test' })).toMatchObject({ found: 0, resolved: 0 });
    }
    expect(await bank.states('2026-11-23', '2026-11-26')).toEqual(['300001 arrived 1000', '300002 arrived 2462.5']);
    await bank.follow();
    expect((await discrepancies()).filter((each) => /payout|bank/.test(each))).toEqual([]);
    expect(await jobsAt(`judge-bank:${key.merchantId}:test`)).toHaveLength(1);
  });
});
