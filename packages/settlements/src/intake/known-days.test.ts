import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readExplained } from '../console/read-explained.ts';
import { previewSettlementFile, takeSettlementFile } from '../files/take-file.ts';
import { createSettledMerchant, listing, type PaidPayment, recordPaid } from '../testing/account.ts';
import { fileOf, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import { scheduleSettlementReading } from './intake.ts';
import { daysOfDue } from './known-days.ts';
import { matchAccount } from './match-account.ts';
import { readSettlements } from './read-settlements.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

const MINUTE_MS = 60_000;

type Key = { readonly merchantId: string; readonly accountId: string };

const at = (time: string) => context.setClock(new Date(time));
const paidOn = (key: Key, day: string) => recordPaid(context, key.merchantId, { paidAt: new Date(`${day}T11:00:00Z`) });

/** A payment in the payout of a day. */
const row = (day: string, { reference, transactionId }: Pick<PaidPayment, 'reference' | 'transactionId'>, amount = '2500') =>
  `P-${day},${day.split('-').toReversed().join('/')},${reference},${transactionId},${amount},37.5,`;

/** Takes a file in, and no other within a minute. */
async function takeFile(key: Key, ...rows: readonly string[]): Promise<void> {
  const file = { ...key, name: 'payouts.csv', bytes: fileOf(...rows), mapping: MAPPING, entered: NOTHING_ENTERED };
  const preview = await previewSettlementFile(context, file);
  if (preview.kind !== 'preview') throw new Error(preview.kind);
  expect(await takeSettlementFile(context, { ...file, hash: preview.hash }, `staff:${context.newId()}`)).toMatchObject({
    kind: 'taken',
  });
  context.setClock(new Date(context.now().getTime() + MINUTE_MS));
}

/** The open discrepancies of payments: the kind of each, with what was expected and what was settled. */
async function open(key: Key): Promise<Record<string, string>> {
  const rows = await context.database.prisma.settlementDiscrepancy.findMany({
    where: { ...key, state: 'OPEN', paymentId: { not: null } },
  });
  return Object.fromEntries(
    rows.map(({ paymentId, kind, expected, settled }) => [
      paymentId ?? '',
      `${kind} ${expected?.toFixed()} ${settled?.toFixed() ?? '-'}`,
    ]),
  );
}

/** How many payments are open, of each kind. */
async function openKinds(key: Key): Promise<Record<string, number>> {
  const rows = Object.values(await open(key));
  const kinds = Map.groupBy(rows, (each) => each.split(' ')[0] ?? '');
  return Object.fromEntries([...kinds].map(([kind, some]) => [kind, some.length]));
}

describe('of an account whose payouts come by file', () => {
  const koraMerchant = async () => {
    const { merchantId, accounts } = await createTestMerchant(context, { 'kora-main': { gateway: 'kora', fees: null } });
    return { merchantId, accountId: accounts['kora-main'] ?? '' };
  };

  test('what the first payout that ever came lacks is named, and what it pays short', async () => {
    at('2026-11-25T16:00:00Z');
    const key = await koraMerchant();
    const [whole, lacking, short, before, older] = [
      await paidOn(key, '2026-11-24'),
      await paidOn(key, '2026-11-24'),
      await paidOn(key, '2026-11-24'),
      // Due on the day before, and paid out with the rest, short; another of its day is in no payout that is known.
      await paidOn(key, '2026-11-23'),
      await paidOn(key, '2026-11-23'),
    ];
    await takeFile(key, row('2026-11-25', whole), row('2026-11-25', short, '2499.99'), row('2026-11-25', before, '2400'));
    await matchAccount(context, key);
    // The rest of what is due on the day may come with another payout of the day.
    expect(await open(key)).toEqual({ [before.paymentId]: 'LATE 2462.5 2362.5' });
    at('2026-11-26T06:00:00Z');
    await matchAccount(context, key);
    const late = {
      [lacking.paymentId]: 'LATE 2462.5 -',
      [short.paymentId]: 'LATE 2462.5 2462.49',
      [before.paymentId]: 'LATE 2462.5 2362.5',
    };
    expect(await open(key)).toEqual(late);
    // As long as no other file comes, it is not known what later payouts have.
    at('2026-12-10T06:00:00Z');
    await matchAccount(context, key);
    expect(await open(key)).toEqual(late);
    await takeFile(key, row('2026-11-30', { reference: 'another', transactionId: 'another' }));
    await matchAccount(context, key);
    expect(await open(key)).toEqual({
      [lacking.paymentId]: 'MISSING 2462.5 -',
      [short.paymentId]: 'UNDER 2462.5 2462.49',
      [before.paymentId]: 'UNDER 2462.5 2362.5',
    });
    expect(Object.keys(await open(key))).not.toContain(older.paymentId);
  });

  test('it is matched anew on the next day, and when a file comes', async () => {
    at('2026-11-25T16:00:00Z');
    const key = await koraMerchant();
    const { merchantId, accountId } = key;
    const credentials = context.resources.vault.seal(
      JSON.stringify({ secretKey: 'sk_test_C0FFEE' }),
      `${merchantId}/${accountId}`,
    );
    await context.database.prisma.gatewayAccount.updateMany({ where: { merchantId, id: accountId }, data: { credentials } });
    await reloadConfiguration(context, merchantId);
    await takeFile(key, row('2026-11-25', await paidOn(key, '2026-11-24')));
    await matchAccount(context, key);
    expect(await requested(key)).toBe(false);
    at('2026-11-26T06:00:00Z');
    expect(await requested(key)).toBe(true);
  });

  test('what the first of many old payouts in a file lacks is named, and again when files come in another order', async () => {
    for (const months of [
      ['08', '09', '11'],
      ['11', '09', '08'],
    ]) {
      at('2026-12-01T08:00:00Z');
      const key = await koraMerchant();
      const paid = new Map<string, readonly [PaidPayment, PaidPayment]>();
      // Tuesdays, due on the day after.
      const days = { '08': '2026-08-25', '09': '2026-09-22', '11': '2026-11-24' } as const;
      for (const [month, day] of Object.entries(days)) paid.set(month, [await paidOn(key, day), await paidOn(key, day)]);
      for (const month of months) {
        const [first] = paid.get(month) ?? [];
        const due = { '08': '2026-08-26', '09': '2026-09-23', '11': '2026-11-25' }[month];
        if (first === undefined || due === undefined) throw new Error(month);
        await takeFile(key, row(due, first));
        await matchAccount(context, key);
      }
      const named = (month: string) => paid.get(month)?.[1]?.paymentId ?? '';
      expect(await open(key)).toEqual({
        [named('08')]: 'MISSING 2462.5 -',
        [named('09')]: 'MISSING 2462.5 -',
        [named('11')]: 'LATE 2462.5 -',
      });
    }
  });
});

/** True if the schedule requests that the account is read or matched. */
async function requested({ merchantId }: Key): Promise<boolean> {
  const { pool } = context.database;
  await pool.query('DELETE FROM graphile_worker._private_jobs');
  await scheduleSettlementReading(context);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM graphile_worker._private_jobs AS job
     JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
     WHERE task.identifier = 'read-settlements' AND payload->>'merchantId' = $1`,
    [merchantId],
  );
  return rows[0]?.count === 1;
}

test('of an account whose payouts are announced and never were, all that is due is named', async () => {
  at('2026-11-25T08:00:00Z');
  const { merchantId, accounts } = await createTestMerchant(context, { 'monnify-main': { fees: null } });
  const key = { merchantId, accountId: accounts['monnify-main'] ?? '' };
  const credentials = { apiKey: 'MK_TEST_C0FFEE00C0', secretKey: 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00', contractCode: '4934121686' };
  const sealed = context.resources.vault.seal(JSON.stringify(credentials), `${merchantId}/${key.accountId}`);
  await context.database.prisma.gatewayAccount.updateMany({
    where: { merchantId, id: key.accountId },
    data: { credentials: sealed },
  });
  await reloadConfiguration(context, merchantId);
  for (let left = 60; left > 0; left -= 1) await paidOn(key, '2026-11-18');
  for (let left = 5; left > 0; left -= 1) await paidOn(key, '2026-11-23');
  const notDue = await paidOn(key, '2026-11-24');
  expect(await requested(key)).toBe(true);
  expect(await readSettlements(listing(context, []).context, key)).toEqual({ kind: 'read', settlements: 0, lines: 0 });
  expect(await openKinds(key)).toEqual({ MISSING: 60, LATE: 5 });
  expect(Object.keys(await open(key))).not.toContain(notDue.paymentId);
  const [money] = await readExplained(context, { merchantIds: [merchantId], mode: 'test', accountIds: [], from: null, to: null });
  expect(money).toMatchObject({ missing: '147750', late: '12312.5', onTheWay: '2462.5' });
});

test('a file of an old payout does not make the gateway’s list known since', async () => {
  at('2026-11-25T08:00:00Z');
  const key = await createSettledMerchant(context);
  // The first reading goes back to 26 October.
  const [inFile, beforeList, ofList] = [
    await paidOn(key, '2026-10-06'),
    await paidOn(key, '2026-10-13'),
    await paidOn(key, '2026-11-18'),
  ];
  const lacking = await paidOn(key, '2026-10-06');
  await readSettlements(listing(context, []).context, key);
  const named = { [ofList.paymentId]: 'MISSING 2462.5 -' };
  expect(await open(key)).toEqual(named);
  await takeFile(key, row('2026-10-07', inFile));
  await readSettlements(listing(context, []).context, key);
  expect(await open(key)).toEqual({ ...named, [lacking.paymentId]: 'MISSING 2462.5 -' });
  expect(Object.keys(await open(key))).not.toContain(beforeList.paymentId);
});

test('a file of payouts after the last reading does not make the gateway’s list known until then', async () => {
  at('2026-11-25T08:00:00Z');
  const key = await createSettledMerchant(context);
  await readSettlements(listing(context, []).context, key);
  const [first, second] = [await paidOn(key, '2026-11-26'), await paidOn(key, '2026-12-01')];
  at('2026-12-07T08:00:00Z');
  expect(await readSettlements(listing(context, [], { heads: true }).context, key)).toMatchObject({ kind: 'failed' });
  await takeFile(key, row('2026-12-04', { reference: 'another', transactionId: 'another' }));
  await readSettlements(listing(context, [], { heads: true }).context, key);
  await matchAccount(context, key);
  expect(await open(key)).toEqual({});
  await readSettlements(listing(context, []).context, key);
  expect(await openKinds(key)).toEqual({ MISSING: 2 });
  expect(Object.keys(await open(key)).toSorted()).toEqual([first.paymentId, second.paymentId].toSorted());
});

test('money is awaited on days that are known, and after the last of them', () => {
  const known = [
    { from: '2026-10-07', until: '2026-10-09' },
    { from: '2026-11-01', until: '2026-11-25' },
  ];
  const days = ['2026-10-06', '2026-10-07', '2026-10-09', '2026-10-31', '2026-11-01', '2026-11-25', '2026-12-24'];
  expect(days.map((day) => daysOfDue(known, day)?.from ?? null)).toEqual([
    null,
    '2026-10-07',
    null,
    null,
    '2026-11-01',
    '2026-11-01',
    '2026-11-01',
  ]);
  expect(daysOfDue([], '2026-11-01')).toBeNull();
});
