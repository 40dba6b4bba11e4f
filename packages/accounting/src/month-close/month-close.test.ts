import { createHash } from 'node:crypto';
import { appendAuditEntry } from '@switchyard/db/audit';
import { addDecimals } from '@switchyard/db/decimals';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { grantRole } from '@switchyard/staff/grants';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_MAPPING } from '../journal/mapping.ts';
import { changeAccountingSetting } from '../journal/settings.ts';
import {
  createBooks,
  recordCredit,
  recordDispute,
  recordPaid,
  recordPayout,
  recordRefund,
  type TestBooks,
} from '../testing/books.ts';
import { closeMonth } from './close-month.ts';
import { listMonths, readFrozen, reviewMonth, signMonth, writeCsv } from './month-close.ts';
import { readMonth } from './read-month.ts';
import { requireReview } from './review-rule.ts';

const MONTH = '2026-10';
const NOVEMBER = new Date('2026-11-02T08:00:00Z');

let context: TestPayments;
let books: TestBooks;
let ada: string;
let ngozi: string;
beforeAll(async () => {
  context = await openTestPayments();
  ada = await addStaff('Ada');
  ngozi = await addStaff('Ngozi');
});
beforeEach(async () => {
  context.setClock(NOVEMBER);
  books = await createBooks(context);
});
afterAll(() => context.close());

async function addStaff(name: string): Promise<string> {
  const id = context.newId();
  const times = { createdAt: NOVEMBER, updatedAt: NOVEMBER };
  const email = `${name.toLowerCase()}@example.com`;
  await context.database.prisma.staffUser.create({
    data: { id, name, email, emailVerified: true, twoFactorEnabled: false, ...times },
  });
  await grantRole(context, { staffId: id, merchantId: null, role: 'finance', actor: 'system:test' });
  return `staff:${id}`;
}

const key = (month = MONTH) => ({ merchantId: books.merchantId, mode: 'test' as const, month });
const close = (month = MONTH) => closeMonth(context, key(month), ada);
const frozen = async (month = MONTH) => {
  const found = await readFrozen(context.database, key(month));
  if (found === null) throw new Error(`${month} is not closed`);
  return found;
};

async function month(at = MONTH) {
  const { configuration } = context.resources;
  const reader = { configuration, database: context.database, staff: context.resources.database, now: context.now };
  const found = await readMonth(reader, key(at));
  if (found === null) throw new Error('there is no such merchant');
  return found;
}

/** October: two payments, one of them settled and at the bank, a refund and a lost dispute; in September a payment that was not settled. */
async function trade() {
  await recordPaid(context, books, '2026-09-15T10:00:00Z', { fee: '10', received: '1000' });
  const settled = await recordPaid(context, books, '2026-10-05T10:00:00Z');
  const unsettled = await recordPaid(context, books, '2026-10-31T20:00:00Z', { received: '800', fee: '12.25' });
  const refundId = await recordRefund(context, books, settled, { amount: 300n, at: '2026-10-06T10:00:00Z' });
  await recordDispute(context, books, settled, { at: '2026-10-07T10:00:00Z', state: 'LOST' });
  const payout = await recordPayout(context, books, '2026-10-06', [
    { kind: 'PAYMENT', amount: '2500', paymentId: settled },
    { kind: 'FEE', amount: '-37.5', paymentId: settled },
    { kind: 'RESIDUE', amount: '-4' },
  ]);
  await recordCredit(context, books, '2026-10-07', '2458.5', [payout]);
  return { settled, unsettled, refundId, payout };
}

test('a month is closed although something else of the merchant is audited meanwhile', async () => {
  const { auditKeys, database } = context.resources;
  let closing: ReturnType<typeof close> | undefined;
  await database.prisma.$transaction(
    async (transaction) => {
      const object = { objectType: 'merchant', objectId: books.merchantId, before: null, after: null };
      const entry = {
        tenantId: books.merchantId,
        entryId: context.newId(),
        actor: 'system:test',
        action: 'test.noted',
        ...object,
      };
      await appendAuditEntry(transaction, auditKeys, entry, NOVEMBER);
      closing = close();
      await expect.poll(async () => (await database.pool.query(WAITING)).rowCount).toBe(1);
    },
    { timeout: 30_000 },
  );
  expect(await closing).toMatchObject({ kind: 'closed' });
});

const WAITING = `
SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('a closed month', () => {
  test('has what each gateway account held, what changed it, and what reached the bank', async () => {
    await trade();
    expect(await close()).toMatchObject({ kind: 'closed' });
    const { document } = await frozen();
    expect(document.accounts).toHaveLength(1);
    expect(document.accounts[0]).toMatchObject({
      accountLabel: 'paystack-main',
      gatewayTitle: 'Paystack',
      currency: 'NGN',
      opening: '990',
      previousClosing: null,
      figures: {
        payment: { count: 2, amount: '3300' },
        fee: { count: 2, amount: '-49.75' },
        refund: { count: 1, amount: '-300' },
        dispute: { count: 1, amount: '-1000' },
        adjustment: { count: 1, amount: '-4' },
        payout: { count: 1, amount: '-2458.5' },
        duplicate: { count: 0, amount: '0' },
      },
      closing: '477.75',
      bank: { count: 1, amount: '2458.5' },
    });
    expect(document).toMatchObject({
      from: '2026-09-30T23:00:00.000Z',
      until: '2026-10-31T23:00:00.000Z',
      timeZone: 'Africa/Lagos',
    });
    const [total] = document.totals;
    expect(total?.closing).toBe(
      addDecimals(total?.opening ?? '', ...Object.values(total?.figures ?? {}).map(({ amount }) => amount)),
    );
  });

  test('names what is unexplained, each thing once, with its amount', async () => {
    const { unsettled, payout } = await trade();
    const missing = await recordPayout(context, books, '2026-10-20', [{ kind: 'ADJUSTMENT', amount: '70' }]);
    await close();
    const { unexplained } = (await frozen()).document;
    const named = (items: { readonly items: readonly { readonly amount: string; readonly day: string }[] }) =>
      items.items.map(({ amount, day }) => `${day} ${amount}`);
    expect(named(unexplained.unmatchedLines)).toEqual(['2026-10-20 70', '2026-10-06 -4']);
    expect(unexplained.unmatchedLines.items.map(({ settlementId }) => settlementId)).toEqual([missing, payout]);
    expect(named(unexplained.payoutsNotAtBank)).toEqual(['2026-10-20 70']);
    expect(named(unexplained.unsettledPayments)).toEqual(['2026-10-31 800']);
    expect(unexplained.unsettledPayments).toMatchObject({
      count: 1,
      amounts: [{ currency: 'NGN', amount: '800' }],
      items: [{ paymentId: unsettled, accountLabel: 'paystack-main' }],
    });
    expect(unexplained.discrepancies).toEqual({ count: 0, amounts: [], items: [] });
  });

  test('names open discrepancies up to its end, and not those that it names otherwise', async () => {
    const { unsettled, settled, payout } = await trade();
    const common = {
      createdAt: NOVEMBER,
      merchantId: books.merchantId,
      mode: 'test' as const,
      accountId: books.paystack,
      gateway: 'paystack',
      currency: 'NGN',
    };
    const rows = [
      { kind: 'MISSING', subject: `payment/${unsettled}`, expected: '787.75', paymentId: unsettled, state: 'OPEN' },
      { kind: 'UNDER', subject: `payment/${settled}`, expected: '2462.5', settled: '2400', paymentId: settled, state: 'OPEN' },
      { kind: 'OVERCHARGED', subject: `fee/${settled}`, expected: '10', settled: '37.5', paymentId: settled, state: 'RESOLVED' },
      { kind: 'UNDER', subject: `payout/${payout}`, expected: '2458.5', settled: '2400', settlementId: payout, state: 'OPEN' },
      { kind: 'LATE', subject: 'payment/of-november', expected: '5', expectedOn: new Date('2026-11-01'), state: 'OPEN' },
    ] as const;
    for (const row of rows) {
      await context.database.prisma.settlementDiscrepancy.create({ data: { ...common, ...row, id: context.newId() } });
    }
    await close();
    const { discrepancies } = (await frozen()).document.unexplained;
    expect(discrepancies.items.map(({ about, amount, day }) => `${about} ${amount} ${day}`)).toEqual([
      'UNDER -62.5 2026-10-05',
      'UNDER -58.5 2026-10-06',
    ]);
  });

  test('has the same bytes whenever it is asked for, whatever changes later', async () => {
    const { settled, refundId } = await trade();
    const outcome = await close();
    const before = await frozen();
    expect(outcome).toMatchObject({ hash: before.hash });
    expect(createHash('sha256').update(before.text, 'utf8').digest('hex')).toBe(before.hash);
    const { prisma } = context.database;
    await prisma.refund.updateMany({ where: { id: refundId }, data: { amount: 999n } });
    await prisma.payment.updateMany({ where: { id: settled }, data: { feeAmount: 1 } });
    await recordPaid(context, books, '2026-10-09T10:00:00Z');
    expect(await requireReview(context, books, true, ada)).toMatchObject({ kind: 'changed' });
    context.setClock(new Date('2027-01-01T00:00:00Z'));
    const after = await frozen();
    expect(after.text).toBe(before.text);
    expect(writeCsv(after.document, after.hash)).toBe(writeCsv(before.document, before.hash));
    expect((await month()).figures.accounts).toEqual(before.document.accounts);
  });

  test('refuses every change of what was frozen', async () => {
    await trade();
    await close();
    const { prisma } = context.database;
    const where = { merchantId: books.merchantId };
    await expect(prisma.monthClose.updateMany({ where, data: { document: '{}' } })).rejects.toThrow(/do not change/);
    await expect(prisma.monthClose.deleteMany({ where })).rejects.toThrow(/do not change/);
    await expect(prisma.monthCloseItem.updateMany({ where, data: { amount: 1 } })).rejects.toThrow(/do not change/);
    await expect(prisma.monthCloseItem.deleteMany({ where })).rejects.toThrow(/do not change/);
  });

  test('is closed once, also when two people close it at the same moment', async () => {
    await trade();
    const outcomes = await Promise.all([close(), close(), close()]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['closed', 'refused', 'refused']);
    expect(await close()).toEqual({ kind: 'refused', why: '2026-10 is closed already.' });
    expect(await context.database.prisma.monthCloseItem.count({ where: { merchantId: books.merchantId } })).toBe(9);
    const audited = await context.database.prisma.auditEntry.findMany({ where: { tenantId: books.merchantId } });
    expect(audited.map(({ action }) => action)).toEqual(['month_close.closed']);
  });

  test('is not closed before its last moment has passed in its zone', async () => {
    await changeAccountingSetting(context, books, { timeZone: 'America/New_York', mapping: NO_MAPPING }, ada);
    context.setClock(new Date('2026-11-01T03:59:59Z'));
    expect(await close()).toEqual({
      kind: 'refused',
      why: '2026-10 has not ended yet: close it once it is over in America/New_York.',
    });
    context.setClock(new Date('2026-11-01T04:00:00Z'));
    expect(await close()).toMatchObject({ kind: 'closed' });
  });

  test('fixes the time zone: a day must not be in two months', async () => {
    await close();
    const setting = { timeZone: 'UTC', mapping: NO_MAPPING };
    expect(await changeAccountingSetting(context, books, setting, ada)).toMatchObject({ kind: 'refused', field: 'timeZone' });
  });

  test('is frozen while payments go on: its figures are those of one moment', async () => {
    await trade();
    const busy = Promise.all(Array.from({ length: 20 }, () => recordPaid(context, books, '2026-10-20T10:00:00Z')));
    const outcome = await close();
    await busy;
    expect(outcome.kind).toBe('closed');
    const { document } = await frozen();
    const [account] = document.accounts;
    const items = await context.database.prisma.monthCloseItem.findMany({ where: { merchantId: books.merchantId } });
    const sum = (kind: string) =>
      addDecimals(...items.filter((item) => item.kind === kind).map(({ amount }) => amount.toFixed()));
    expect(account?.figures.payment.amount).toBe(sum('payment'));
    expect(account?.figures.fee.amount).toBe(sum('fee'));
    const { adjustments } = (await month()).close ?? {};
    const later = adjustments?.items.filter(({ kind }) => kind === 'payment').length ?? 0;
    expect(later + (account?.figures.payment.count ?? 0)).toBe(22);
  });

  test('begins with what the month before left, and shows where that has changed since', async () => {
    await trade();
    await close('2026-09');
    await close();
    expect((await frozen()).document.accounts[0]).toMatchObject({ opening: '990', previousClosing: '990' });
    await recordPaid(context, books, '2026-10-30T10:00:00Z', { fee: null, received: '50' });
    context.setClock(new Date('2026-12-01T08:00:00Z'));
    await close('2026-11');
    expect((await frozen('2026-11')).document.accounts[0]).toMatchObject({ opening: '527.75', previousClosing: '477.75' });
  });
});

describe('adjustments of a closed month', () => {
  test('are none while nothing has changed', async () => {
    await trade();
    await close();
    expect((await month()).close?.adjustments).toEqual({ sums: [], items: [] });
  });

  test('name each amount that came, went or changed, and add up to the difference of the figures', async () => {
    const { settled, refundId } = await trade();
    await close();
    const late = await recordPaid(context, books, '2026-10-09T10:00:00Z', { fee: null });
    const { prisma } = context.database;
    await prisma.refund.updateMany({ where: { id: refundId }, data: { state: 'FAILED' } });
    await recordPayout(context, books, '2026-11-02', [{ kind: 'FEE', amount: '-2.5', paymentId: settled }]);
    const { close: closed, figures } = await month();
    const named = closed?.adjustments.items.map(({ kind, day, frozen: then, today, difference, paymentId }) => {
      return [kind, day, then, today, difference, paymentId];
    });
    expect(named).toEqual([
      ['payment', '2026-10-09', null, '2500', '2500', late],
      ['refund', '2026-10-06', '-300', null, '300', settled],
      ['fee', '2026-10-05', '-37.5', '-40', '-2.5', settled],
    ]);
    expect(closed?.adjustments.items[0]?.merchantOrderId).toBe(`order-${late}`);
    expect(closed?.adjustments.sums.map(({ kind, count, difference }) => `${kind} ${count} ${difference}`)).toEqual([
      'fee 1 -2.5',
      'payment 1 2500',
      'refund 1 300',
    ]);
    expect(figures.accounts[0]?.closing).toBe('477.75');
  });
});

describe('signing off', () => {
  const seen = async () => ({ ...key(), hash: (await frozen()).hash });

  test('records who signed what and when, once and for good', async () => {
    await trade();
    await close();
    context.setClock(new Date('2026-11-03T09:00:00Z'));
    expect(await signMonth(context, await seen(), ngozi)).toEqual({ kind: 'changed' });
    expect(await signMonth(context, await seen(), ada)).toEqual({ kind: 'refused', why: 'It is signed off already.' });
    expect(await reviewMonth(context, await seen(), '', ada)).toEqual({ kind: 'refused', why: 'It is signed off already.' });
    const { state, close: closed } = await month();
    expect(state).toBe('signed');
    expect(closed).toMatchObject({
      closed: { name: 'Ada', at: NOVEMBER },
      signed: { name: 'Ngozi', at: new Date('2026-11-03T09:00:00Z') },
      reviewed: null,
    });
    const where = { merchantId: books.merchantId };
    await expect(context.database.prisma.monthClose.updateMany({ where, data: { signedName: 'Eve' } })).rejects.toThrow(
      /do not change/,
    );
    const audited = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: books.merchantId },
      orderBy: { position: 'asc' },
    });
    expect(audited.at(-1)).toMatchObject({
      action: 'month_close.signed_off',
      actor: ngozi,
      after: { month: MONTH, hash: (await frozen()).hash, name: 'Ngozi' },
    });
  });

  test('is of the document that the person saw', async () => {
    await close();
    expect(await signMonth(context, { ...key(), hash: '0'.repeat(64) }, ada)).toMatchObject({ kind: 'refused' });
    expect((await month()).state).toBe('closed');
    expect(await signMonth(context, { ...key('2026-08'), hash: '0'.repeat(64) }, ada)).toEqual({ kind: 'not_found' });
  });

  test('needs another person’s review where the merchant wants that, and never the reviewer', async () => {
    expect(await requireReview(context, books, true, ada)).toMatchObject({ kind: 'changed' });
    await trade();
    await close();
    expect(await signMonth(context, await seen(), ada)).toMatchObject({
      kind: 'refused',
      why: 'Another person has to review it first.',
    });
    expect(await reviewMonth(context, await seen(), ' Agrees with the bank. ', ngozi)).toEqual({ kind: 'changed' });
    expect(await reviewMonth(context, await seen(), '', ada)).toMatchObject({ kind: 'refused' });
    expect(await signMonth(context, await seen(), ngozi)).toMatchObject({ kind: 'refused' });
    expect(await signMonth(context, await seen(), ada)).toEqual({ kind: 'changed' });
    expect((await month()).close?.reviewed).toMatchObject({ name: 'Ngozi', note: 'Agrees with the bank.' });
  });
});

test('months are listed from the first payment on, the newest first, with their state', async () => {
  await trade();
  await close('2026-09');
  await signMonth(context, { ...key('2026-09'), hash: (await frozen('2026-09')).hash }, ada);
  await close();
  const listed = await listMonths(context, { merchantIds: [books.merchantId], mode: 'test' });
  expect(listed.map(({ month: at, state, totals }) => [at, state, totals[0]?.closing])).toEqual([
    ['2026-11', 'open', undefined],
    ['2026-10', 'closed', '477.75'],
    ['2026-09', 'signed', '990'],
  ]);
});

test('a month that is not closed shows its figures as they are now', async () => {
  await trade();
  expect(await month()).toMatchObject({ state: 'ended', close: null });
  expect((await month()).figures.accounts[0]?.closing).toBe('477.75');
  expect((await month('2026-11')).state).toBe('open');
});

test('the table of a frozen month has every figure of every account', async () => {
  await trade();
  await close();
  const { document, hash } = await frozen();
  const rows = parse(writeCsv(document, hash), { columns: true }) as Record<string, string>[];
  const amountOf = (account: string, figure: string) =>
    rows.find((row) => row.account === account && row.figure === figure)?.amount;
  expect(['opening', 'payment', 'fee', 'payout', 'closing', 'bank'].map((name) => amountOf('paystack-main', name))).toEqual([
    '990',
    '3300',
    '-49.75',
    '-2458.5',
    '477.75',
    '2458.5',
  ]);
  expect(amountOf('', 'closing')).toBe('477.75');
  expect(new Set(rows.map((row) => row.document_sha256))).toEqual(new Set([hash]));
});
