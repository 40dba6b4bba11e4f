import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBooks, recordCredit, recordPaid, recordPayout, recordRefund, type TestBooks } from '../testing/books.ts';
import { makeJournalFiles } from './make-journal-files.ts';
import { type AccountMapping, accountMappingSchema, BOOK_ACCOUNTS, NO_MAPPING, SOFTWARE, type Software } from './mapping.ts';
import { summariseJournal } from './read-journal.ts';
import { changeAccountingSetting, readAccountingSetting } from './settings.ts';

const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };

let context: TestPayments;
let books: TestBooks;
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  books = await createBooks(context);
});
afterAll(() => context.close());

function mapped(changes: Partial<AccountMapping> = {}): AccountMapping {
  const account = (code: number, name: string) => ({ code: String(code), name, trackingClass: '' });
  const postings = Object.fromEntries(BOOK_ACCOUNTS.map((posting, at) => [posting, account(4000 + at, `Books:${posting}`)]));
  const clearing = {
    [books.paystack]: account(1200, 'Paystack clearing'),
    [books.flutterwave]: account(1201, 'Flutterwave clearing'),
  };
  return accountMappingSchema.parse({ postings, clearing, trackingCategory: '', taxRate: 'Tax Exempt', ...changes });
}

const save = (mapping: AccountMapping, timeZone = 'Africa/Lagos') =>
  changeAccountingSetting(context, books, { timeZone, mapping }, ACTOR);

async function files(software: Software, currency = 'NGN') {
  return makeJournalFiles(context, books, { ...OCTOBER, software, currency });
}

async function rows(software: Software): Promise<Record<string, string>[]> {
  const outcome = await files(software);
  if (outcome.kind !== 'files') throw new Error(outcome.kind);
  return outcome.files.flatMap(({ content }) => parse(content, { columns: true }) as Record<string, string>[]);
}

/** A day's payments, a refund, and a payout that reached the bank short. */
async function trade(): Promise<void> {
  const paymentId = await recordPaid(context, books, '2026-10-05T10:00:00Z');
  await recordPaid(context, books, '2026-10-05T12:00:00Z', { fee: '12.25', received: '800' });
  await recordRefund(context, books, paymentId, { amount: 300n, at: '2026-10-06T10:00:00Z' });
  const payout = await recordPayout(context, books, '2026-10-06', [
    { kind: 'PAYMENT', amount: '2500', paymentId },
    { kind: 'FEE', amount: '-37.5', paymentId },
  ]);
  await recordCredit(context, books, '2026-10-07', '2412.5', [payout]);
}

describe('a journal file', () => {
  test('of QuickBooks Online has the columns of its import, balanced by entry', async () => {
    await trade();
    await save(mapped());
    const own = (await rows('quickbooks')).map((row) => [row['Journal Date'], row['Account Name'], row.Debits, row.Credits]);
    expect(own).toEqual([
      ['05/10/2026', 'Paystack clearing', '3250.25', ''],
      ['05/10/2026', 'Books:sales', '', '3300.00'],
      ['05/10/2026', 'Books:fees', '49.75', ''],
      ['06/10/2026', 'Paystack clearing', '', '300.00'],
      ['06/10/2026', 'Books:refunds', '300.00', ''],
      ['06/10/2026', 'Books:bank', '2462.50', ''],
      ['06/10/2026', 'Paystack clearing', '', '2462.50'],
      ['07/10/2026', 'Books:adjustments', '50.00', ''],
      ['07/10/2026', 'Books:bank', '', '50.00'],
    ]);
    expect(Object.keys((await rows('quickbooks'))[0] ?? {})).toEqual([
      'Journal No',
      'Journal Date',
      'Account Name',
      'Debits',
      'Credits',
      'Description',
      'Class',
    ]);
    expect(new Set((await rows('quickbooks')).map((row) => row['Journal No'])).size).toBe(3);
  });

  test.each(SOFTWARE)(
    'of %s has a number for each currency of a day and account, no longer than QuickBooks takes',
    async (software) => {
      await recordPaid(context, books, '2026-10-05T10:00:00Z', { fee: null });
      await recordPaid(context, books, '2026-10-05T11:00:00Z', { fee: null, received: '20', currency: 'USD' });
      await save(mapped());
      const numbers = new Set<string>();
      for (const currency of ['NGN', 'USD']) {
        const outcome = await files(software, currency);
        if (outcome.kind !== 'files') throw new Error(outcome.kind);
        const [, row = ''] = outcome.files
          .map(({ content }) => content)
          .join('')
          .split('\r\n');
        const [number = ''] = /SW20261005[A-Z]{3}-[0-9a-f]{7}/.exec(row) ?? [];
        expect(number).toContain(currency);
        expect(number).toHaveLength(21);
        numbers.add(number);
      }
      expect(numbers.size).toBe(2);
    },
  );

  test('of Xero posts to a clearing account in place of the bank, and says so in its lines', async () => {
    await trade();
    await save(mapped());
    const code = (name: (typeof BOOK_ACCOUNTS)[number]) => mapped().postings[name].code;
    const own = (await rows('xero')).map((row) => [row['*AccountCode'], row['*Amount'], row.Description]);
    expect(own.filter(([account]) => account === code('bank'))).toEqual([]);
    expect(own.filter(([account]) => account === code('bank_clearing'))).toEqual([
      [code('bank_clearing'), '2462.50', 'Payouts (1), bank clearing'],
      [code('bank_clearing'), '-50.00', 'Difference at the bank (1), bank clearing'],
    ]);
    const sage = (await rows('sage')).map((row) => row['Nominal A/C Ref']);
    expect([sage.includes(code('bank')), sage.includes(code('bank_clearing'))]).toEqual([true, false]);
    const none = { code: '', name: '', trackingClass: '' };
    await save(mapped({ postings: { ...mapped().postings, bank_clearing: none } }));
    expect(await files('xero')).toMatchObject({
      kind: 'refused',
      missing: ['Bank clearing'],
      why: expect.stringContaining('Xero takes no journal on a bank account'),
    });
    await save(mapped({ postings: { ...mapped().postings, bank: none } }));
    expect(await files('xero')).toMatchObject({ kind: 'files' });
  });

  test('of Xero has one narration for each journal, signed amounts that add up to nothing, and tracking where there is a class', async () => {
    await trade();
    const sales = { ...mapped().postings.sales, trackingClass: 'Online' };
    await save(mapped({ trackingCategory: 'Channel', postings: { ...mapped().postings, sales } }));
    const own = await rows('xero');
    const byJournal = Map.groupBy(own, (row) => `${row['*Narration']} ${row['*Date']}`);
    expect(byJournal.size).toBe(3);
    for (const lines of byJournal.values()) {
      expect(lines.reduce((sum, row) => sum + Math.round(Number(row['*Amount']) * 100), 0)).toBe(0);
    }
    expect(own[1]).toMatchObject({
      '*AccountCode': '4000',
      '*TaxRate': 'Tax Exempt',
      '*Amount': '-3300.00',
      TrackingName1: 'Channel',
      TrackingOption1: 'Online',
    });
    expect(own[0]).toMatchObject({ TrackingName1: '', TrackingOption1: '' });
  });

  test('of Sage 50 has a debit or a credit in each line, within its lengths', async () => {
    await trade();
    await save(mapped());
    const own = await rows('sage');
    expect(own[0]).toEqual({
      Type: 'JD',
      'Account Reference': '',
      'Nominal A/C Ref': '1200',
      'Department Code': '',
      Date: '05/10/2026',
      Reference: `SW20261005NGN-${books.paystack.slice(-7)}`,
      Details: 'paystack-main: Received and charged',
      'Net Amount': '3250.25',
      'Tax Code': 'T9',
      'Tax Amount': '0.00',
    });
    const cents = (type: string) =>
      own.filter((row) => row.Type === type).reduce((sum, row) => sum + Math.round(Number(row['Net Amount']) * 100), 0);
    expect(cents('JD')).toBe(cents('JC'));
    for (const row of own)
      expect([row.Reference?.length, row.Details?.length].every((length) => (length ?? 99) <= 60)).toBe(true);
  });

  test.each(SOFTWARE)('of %s is refused as long as an account is missing, and names all that are', async (software) => {
    await trade();
    const { postings, clearing } = mapped();
    const none = { code: '', name: '', trackingClass: '' };
    const { [books.paystack]: _, ...others } = clearing;
    await save(mapped({ postings: { ...postings, fees: none, stamp_duty: none }, clearing: others }));
    const part = software === 'quickbooks' ? 'name' : 'code';
    expect(await files(software)).toMatchObject({
      kind: 'refused',
      missing: ['Gateway fees', 'Clearing of paystack-main'],
      why: expect.stringContaining(
        `needs the account ${part} of Gateway fees and Clearing of paystack-main: enter that in the account mapping.`,
      ),
    });
    await save(mapped({ postings: { ...postings, stamp_duty: none } }));
    expect(await files(software)).toMatchObject({ kind: 'files' });
  });

  test('of Xero is refused without a tax rate, or a class without a tracking category', async () => {
    await trade();
    const sales = { ...mapped().postings.sales, trackingClass: 'Online' };
    await save(mapped({ taxRate: '', postings: { ...mapped().postings, sales } }));
    expect(await files('xero')).toMatchObject({
      kind: 'refused',
      missing: ['a tax rate', 'the tracking category of the classes'],
    });
  });

  test('is split between entries where the software takes no more lines', async () => {
    for (let day = 1; day <= 31; day += 1) {
      const date = `2026-10-${String(day).padStart(2, '0')}`;
      const paymentId = await recordPaid(context, books, `${date}T10:00:00Z`);
      await recordRefund(context, books, paymentId, { amount: 100n, at: `${date}T11:00:00Z` });
      await recordPayout(context, books, date, [
        { kind: 'PAYMENT', amount: '2500', paymentId },
        { kind: 'FEE', amount: '-37.5', paymentId },
        { kind: 'FEE', amount: '-1' },
        { kind: 'OTHER', amount: '-50', paymentId },
        { kind: 'RESIDUE', amount: '-3' },
      ]);
      await recordDayCredit(date);
    }
    await save(mapped());
    const outcome = await files('xero');
    if (outcome.kind !== 'files') throw new Error(outcome.kind);
    expect(outcome.files.map(({ lines }) => lines)).toEqual([300, 10]);
    expect(outcome.files.map(({ name }) => name.slice(-11))).toEqual(['-1-of-2.csv', '-2-of-2.csv']);
    const narrations = outcome.files.map(
      ({ content }) =>
        new Set(
          content
            .split('\r\n')
            .slice(1, -1)
            .map((line) => line.split(',')[0]),
        ),
    );
    expect([...(narrations[0] ?? [])].filter((narration) => narrations[1]?.has(narration))).toEqual([]);
  });

  async function recordDayCredit(date: string): Promise<void> {
    const payout = await context.database.prisma.settlement.findFirstOrThrow({
      where: { merchantId: books.merchantId, settledOn: new Date(`${date}T00:00:00Z`) },
    });
    await recordCredit(context, books, date, '2400', [payout.id]);
  }

  test('has nothing of another currency or period', async () => {
    await trade();
    await save(mapped());
    expect(await files('xero', 'USD')).toEqual({ kind: 'empty' });
    const september = { from: '2026-09-01', to: '2026-09-30', software: 'xero', currency: 'NGN' } as const;
    expect(await makeJournalFiles(context, books, september)).toEqual({ kind: 'empty' });
  });

  test('is summed up by account before it is made', async () => {
    await trade();
    const [summary] = await summariseJournal(context.database, books, OCTOBER);
    expect(summary).toMatchObject({ currency: 'NGN', entries: 3, debit: '6112.50', credit: '6112.50' });
    expect(summary?.accounts).toContainEqual({ to: { posting: 'bank' }, debit: '2462.50', credit: '50.00' });
  });
});

describe('the account mapping', () => {
  test('is kept as it was entered, and each change is audited', async () => {
    expect((await readAccountingSetting(context.database, books)).mapping).toEqual(NO_MAPPING);
    expect(await save(mapped())).toEqual({ kind: 'changed' });
    expect(await save(mapped())).toEqual({ kind: 'unchanged' });
    expect((await readAccountingSetting(context.database, books)).mapping).toEqual(mapped());
    const entries = await context.database.prisma.auditEntry.findMany({ where: { tenantId: books.merchantId } });
    expect(entries).toMatchObject([{ action: 'accounting.setting_changed', actor: ACTOR }]);
  });

  test('of another merchant’s account is refused', async () => {
    const clearing = { [context.newId()]: { code: '1', name: '', trackingClass: '' } };
    expect(await save(mapped({ clearing }))).toMatchObject({ kind: 'refused', field: 'mapping' });
  });

  test.each(['=SUM(A1)', '+1', '-1', '@x', 'a\nb'])('takes no text that a spreadsheet would compute: %j', (name) => {
    const sales = { code: '', name, trackingClass: '' };
    expect(accountMappingSchema.safeParse({ ...NO_MAPPING, postings: { ...NO_MAPPING.postings, sales } }).success).toBe(false);
  });
});
