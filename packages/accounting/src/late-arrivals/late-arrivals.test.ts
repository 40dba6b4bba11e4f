import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeJournalFiles } from '../journal/make-journal-files.ts';
import { accountMappingSchema, BOOK_ACCOUNTS, SOFTWARE, type Software } from '../journal/mapping.ts';
import { summariseJournal } from '../journal/read-journal.ts';
import { changeAccountingSetting } from '../journal/settings.ts';
import { closeMonth } from '../month-close/close-month.ts';
import { makeLateJournal } from '../month-close/make-late-journal.ts';
import { makeLateJournalFiles } from '../month-close/month-close.ts';
import { readMonth } from '../month-close/read-month.ts';
import { createBooks, recordCredit, recordPaid, recordPayout, recordRefund, type TestBooks } from '../testing/books.ts';

const ADA = 'staff:0190f0c4-1111-7000-8000-000000000001';
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const MONTH = '2026-10';

let context: TestPayments;
let books: TestBooks;
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-02T08:00:00Z'));
  books = await createBooks(context);
});
afterAll(() => context.close());

const key = () => ({ merchantId: books.merchantId, mode: 'test' as const, month: MONTH });
const make = () => makeLateJournal(context, key(), ADA);

/** A payment with its fee, settled short at the bank. */
async function trade(): Promise<{ readonly paymentId: string; readonly payout: string }> {
  const paymentId = await recordPaid(context, books, '2026-10-05T10:00:00Z');
  const payout = await recordPayout(context, books, '2026-10-06', [
    { kind: 'PAYMENT', amount: '2500', paymentId },
    { kind: 'FEE', amount: '-37.5', paymentId },
  ]);
  await recordCredit(context, books, '2026-10-07', '2412.5', [payout]);
  return { paymentId, payout };
}

async function mapAccounts(): Promise<void> {
  const account = (code: number, name: string) => ({ code: String(code), name, trackingClass: '' });
  const mapping = accountMappingSchema.parse({
    postings: Object.fromEntries(BOOK_ACCOUNTS.map((name, at) => [name, account(4000 + at, `Books:${name}`)])),
    clearing: { [books.paystack]: account(1200, 'Paystack clearing') },
    trackingCategory: '',
    taxRate: 'Tax Exempt',
  });
  await changeAccountingSetting(context, books, { timeZone: 'Africa/Lagos', mapping }, ADA);
}

const summary = async (period: { readonly from: string; readonly to: string } = OCTOBER) =>
  (await summariseJournal(context.database, books, period)).map(({ debit, accounts }) => ({
    debit,
    accounts: accounts.map(({ to, debit: own, credit }) => `${to.posting} ${own} ${credit}`),
  }));

async function closed() {
  const { configuration } = context.resources;
  const reader = { configuration, database: context.database, staff: context.resources.database, now: context.now };
  const close = (await readMonth(reader, key()))?.close;
  if (close === null || close === undefined) throw new Error('October is not closed');
  return close;
}

async function lateRows(journalId: string, software: Software): Promise<Record<string, string>[]> {
  const outcome = await makeLateJournalFiles(context, books, { journalId, software, currency: 'NGN' });
  if (outcome?.kind !== 'files') throw new Error(JSON.stringify(outcome));
  return outcome.files.flatMap(({ content }) => parse(content, { columns: true }) as Record<string, string>[]);
}

describe('the journal of a closed month', () => {
  test('stays as it was when the month was closed, whatever arrives later', async () => {
    const { paymentId, payout } = await trade();
    const before = await summary();
    await closeMonth(context, key(), ADA);
    expect(await summary()).toEqual(before);
    await recordPaid(context, books, '2026-10-09T10:00:00Z');
    await recordRefund(context, books, paymentId, { amount: 300n, at: '2026-10-31T10:00:00Z' });
    await recordCredit(context, books, '2026-10-20', '50', [payout]);
    expect(await summary()).toEqual(before);
  });

  test('is in a longer period beside months that are not closed', async () => {
    await trade();
    await closeMonth(context, key(), ADA);
    await recordPaid(context, books, '2026-10-31T10:00:00Z', { fee: null });
    await recordPaid(context, books, '2026-11-01T10:00:00Z', { fee: null, received: '10' });
    const [all] = await summary({ from: '2026-10-01', to: '2026-11-30' });
    expect(all?.accounts).toContain('sales 0.00 2510.00');
  });
});

describe('late arrivals', () => {
  test('have a journal of their own on the day it is made, with numbers of its own and lines that say so', async () => {
    const { paymentId } = await trade();
    await mapAccounts();
    await closeMonth(context, key(), ADA);
    await recordPayout(context, books, '2026-11-03', [{ kind: 'FEE', amount: '-2.5', paymentId }]);
    context.setClock(new Date('2026-11-20T23:30:00Z'));
    const made = await make();
    if (made.kind !== 'made') throw new Error(made.kind);
    expect(await lateRows(made.journalId, 'quickbooks')).toEqual([
      {
        'Journal No': `SL00001NGN-${books.paystack.slice(-7)}`,
        'Journal Date': '21/11/2026',
        'Account Name': 'Paystack clearing',
        Debits: '',
        Credits: '2.50',
        Description: 'paystack-main: Late for 2026-10: Received and charged',
        Class: '',
      },
      expect.objectContaining({
        'Account Name': 'Books:fees',
        Debits: '2.50',
        Description: 'paystack-main: Late for 2026-10: Fees (1)',
      }),
    ]);
    for (const software of SOFTWARE) expect(await lateRows(made.journalId, software)).toHaveLength(2);
    const regular = await makeJournalFiles(context, books, { ...OCTOBER, software: 'quickbooks', currency: 'NGN' });
    if (regular.kind !== 'files') throw new Error(regular.kind);
    expect(regular.files.map(({ content }) => content).join('')).not.toContain('SL00001');
  });

  test('are posted once: the next journal has only what came after the last, and together they are what the ledger has', async () => {
    const { paymentId, payout } = await trade();
    await closeMonth(context, key(), ADA);
    expect(await make()).toMatchObject({ kind: 'refused' });
    expect((await closed()).late).toEqual([]);
    await recordPaid(context, books, '2026-10-09T10:00:00Z', { fee: null });
    expect((await closed()).late).toMatchObject([{ currency: 'NGN', debit: '2500.00' }]);
    expect(await make()).toMatchObject({ kind: 'made', number: 1 });
    expect(await make()).toEqual({ kind: 'refused', why: 'Nothing of 2026-10 has changed since its amounts were posted.' });
    const refundId = await recordRefund(context, books, paymentId, { amount: 300n, at: '2026-10-30T10:00:00Z' });
    await recordCredit(context, books, '2026-10-20', '50', [payout]);
    expect(await make()).toMatchObject({ kind: 'made', number: 2 });
    await context.database.prisma.refund.updateMany({ where: { id: refundId }, data: { state: 'FAILED' } });
    expect(await make()).toMatchObject({ kind: 'made', number: 3 });
    const { late, lateJournals } = await closed();
    expect(late).toEqual([]);
    expect(
      lateJournals.map(({ number, postedOn, summaries }) => [number, postedOn, summaries.map(({ debit }) => debit)]),
    ).toEqual([
      [1, '2026-11-02', ['2500.00']],
      [2, '2026-11-02', ['350.00']],
      [3, '2026-11-02', ['300.00']],
    ]);
    const posted = new Map<string, bigint>();
    for (const { accounts } of [
      ...(await summariseJournal(context.database, books, OCTOBER)),
      ...lateJournals.flatMap(({ summaries }) => summaries),
    ]) {
      for (const { to, debit, credit } of accounts) {
        const units = BigInt(debit.replace('.', '')) - BigInt(credit.replace('.', ''));
        posted.set(to.posting, (posted.get(to.posting) ?? 0n) + units);
      }
    }
    // Two payments, one fee, no refund, and all of the payout at the bank.
    expect(Object.fromEntries(posted)).toEqual({
      clearing: 250_000n,
      sales: -500_000n,
      fees: 3_750n,
      bank: 246_250n,
      adjustments: 0n,
      refunds: 0n,
    });
  });

  test('are posted by one of two people who post them at the same moment', async () => {
    await trade();
    await closeMonth(context, key(), ADA);
    await recordPaid(context, books, '2026-10-09T10:00:00Z');
    const outcomes = await Promise.all([make(), make(), make()]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['made', 'refused', 'refused']);
    const audited = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: books.merchantId, action: 'month_close.late_journal_made' },
    });
    expect(audited).toMatchObject([{ actor: ADA, after: { month: MONTH, number: 1, postedOn: '2026-11-02', amounts: 2 } }]);
  });

  test('are of a closed month alone, and what was posted does not change', async () => {
    await trade();
    expect(await make()).toEqual({ kind: 'not_found' });
    await closeMonth(context, key(), ADA);
    await recordPaid(context, books, '2026-10-09T10:00:00Z');
    const made = await make();
    if (made.kind !== 'made') throw new Error(made.kind);
    const { prisma } = context.database;
    const where = { merchantId: books.merchantId };
    for (const change of [
      prisma.lateJournal.updateMany({ where, data: { number: 9 } }),
      prisma.lateJournal.deleteMany({ where }),
      prisma.lateJournalItem.updateMany({ where, data: { amount: 1 } }),
      prisma.lateJournalItem.deleteMany({ where }),
    ]) {
      await expect(change).rejects.toThrow(/do not change/);
    }
    const other = await createBooks(context);
    const wanted = { journalId: made.journalId, software: 'xero', currency: 'NGN' } as const;
    expect(await makeLateJournalFiles(context, other, wanted)).toBeNull();
    expect(await makeLateJournalFiles(context, { ...books, mode: 'test' }, { ...wanted, currency: 'USD' })).toEqual({
      kind: 'empty',
    });
  });
});
