// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, expectRefusal, factsIn, hrefOf, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { BankPage } from './bank-page.tsx';

type BankPayout = RouterOutputs['settlements']['bank']['read']['payouts'][number];

const page = openDashboard('?mode=test&merchant=m-1', '/settlements/bank');
const PAYOUT: BankPayout = {
  settlementId: 's-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  reference: '300001',
  currency: 'NGN',
  net: '1000',
  settledOn: '2026-11-23',
  state: 'arrived',
  arrived: '1000',
  arrivedOn: '2026-11-23',
  expectedOn: '2026-11-25',
};
const PAYOUTS: readonly BankPayout[] = [
  PAYOUT,
  { ...PAYOUT, settlementId: 's-2', reference: '300002', net: '2000', state: 'short', arrived: '1950' },
  {
    ...PAYOUT,
    settlementId: 's-3',
    reference: '300003',
    net: '500',
    settledOn: '2026-11-24',
    state: 'missing',
    arrived: null,
    arrivedOn: null,
  },
];
const NOTHING = {
  currency: 'NGN',
  payouts: 0,
  paidOut: '0',
  arrived: '0',
  onTheWay: '0',
  missing: '0',
  notCovered: '0',
  difference: '0',
};
const DAY = { merchantId: 'm-1', accountId: 'acc-1', gateway: 'paystack', settledOn: '2026-11-23' };
const LINE = {
  bankLineId: 'b-1',
  merchantId: 'm-1',
  bankAccount: 'GTB 0123',
  amount: '77',
  currency: 'NGN',
  bookedOn: '2026-11-25',
  text: 'PAYSTACK 77',
};
const PREVIEW = {
  kind: 'preview',
  format: 'mt940',
  accounts: [
    {
      bankAccount: '0123',
      currency: 'NGN',
      days: [{ from: '2026-11-24', to: '2026-11-25' }],
      credits: '1000',
      debits: '-50',
      fresh: 2,
      known: 1,
    },
  ],
  lines: [],
  skipped: [],
  skippedCount: 0,
  skippedSums: [],
  warnings: [],
  problems: [],
  problemCount: 0,
  takenBefore: null,
  readOtherwise: false,
  hash: 'h-1',
};
const STATEMENT = {
  statementId: 'st-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  format: 'csv',
  name: 'nov.csv',
  hash: 'abc',
  bytes: 3,
  lines: 2,
  known: 1,
  takenByName: 'Ada',
  takenAt: new Date('2026-11-26T08:00:00Z'),
  withdrawnAt: null,
};

beforeEach(() => {
  page.allow('report:read', 'reconciliation:resolve');
  page.on('settlements.bank.read', () => ({
    payouts: PAYOUTS,
    sums: [{ ...NOTHING, payouts: 3, paidOut: '3500', arrived: '2950', missing: '500', difference: '-50' }],
    days: [
      { ...NOTHING, ...DAY, payouts: 2, paidOut: '3000', arrived: '2950', difference: '-50' },
      { ...NOTHING, ...DAY, settledOn: '2026-11-24', payouts: 1, paidOut: '500', missing: '500' },
    ],
    unmatched: [LINE],
    coverage: [
      {
        merchantId: 'm-1',
        bankAccount: 'GTB 0123',
        days: [
          { from: '2026-11-02', to: '2026-11-06' },
          { from: '2026-11-23', to: '2026-11-30' },
        ],
      },
    ],
  }));
  page.on('settlements.bank.statements', () => []);
  page.on('settlements.bank.preview', () => PREVIEW);
});

test('each account and day shows what was paid out, what reached the bank and what is missing', async () => {
  page.show(<BankPage />);
  const rows = await tableOf('Payouts by day');
  expect(rows).toEqual([
    ['Paid out on', 'Account', 'Payouts', 'Paid out, NGN', 'Reached the bank, NGN', 'Difference, NGN', 'Status'],
    ['Mon 23 Nov', 'paystack-main · Balogun Books', '300001300002', 'NGN 3,000.00', 'NGN 2,950.00', 'NGN −50.00', 'ArrivedShort'],
    ['Tue 24 Nov', 'paystack-main · Balogun Books', '300003', 'NGN 500.00', '–', '–', 'Missing'],
  ]);
  expect(await tableOf('Without a payout')).toEqual([
    ['Booked', 'Bank account', 'Text', 'Amount, NGN', 'Match'],
    ['Wed 25 Nov', 'GTB 0123', 'PAYSTACK 77', '77.00', 'Match…'],
  ]);
});

test('what did not reach the bank is said first, and leads to its discrepancies', async () => {
  page.show(<BankPage />);
  const link = await screen.findByRole('link', { name: /did not reach the bank$/ });
  expect(link.getAttribute('href')).toContain('view=discrepancies&place=bank');
  const [first] = screen.getAllByText(/did not reach the bank|Import the statements/);
  expect(first).toBe(link);
});

test('the days that statements cover are shown by bank account, with those between them that none does', async () => {
  page.show(<BankPage />);
  expect(factsIn(await screen.findByRole('region', { name: 'Days with statements' }))).toEqual({
    'GTB 0123': 'Mon 2 Nov – Fri 6 Nov, Mon 23 Nov – Mon 30 NovWithout a statement: Sat 7 Nov – Sun 22 Nov',
  });
});

test('a line without a payout is matched with one that is proposed or searched for', async () => {
  const payout = { settlementId: 's-3', reference: '300003', accountLabel: 'paystack-main', gatewayTitle: 'Paystack' };
  const choice = { ...payout, settledOn: '2026-11-24', net: '500', currency: 'NGN', isMatched: false };
  page.on('settlements.bank.payoutsFor', () => [choice]);
  page.on('settlements.bank.link', () => ({ changed: true }));
  const user = page.show(<BankPage />);
  await user.click(await screen.findByRole('button', { name: 'Match…' }));
  await user.type(await screen.findByRole('textbox', { name: 'Payout' }), '3000');
  await user.click(await screen.findByRole('radio', { name: 'NGN 500.00 of Tue 24 Nov, 300003, paystack-main' }));
  await user.click(button('Match'));
  await expectCalls(page, 'settlements.bank.link', [{ merchantId: 'm-1', bankLineId: 'b-1', settlementId: 's-3' }]);
  expect(page.calls('settlements.bank.payoutsFor').at(-1)).toEqual({ bankLineId: 'b-1', text: '3000' });
});

async function choose(name: string) {
  const user = page.show(<BankPage />);
  const input = await screen.findByLabelText<HTMLInputElement>(/^Choose a/);
  await user.upload(input, new File([':20:'], name, { type: 'text/plain' }));
  return user;
}

test('a statement that names everything is previewed at once, and taken in exactly as that preview said', async () => {
  page.on('settlements.bank.inspect', () => ({ kind: 'complete' }));
  page.on('settlements.bank.take', () => [{ kind: 'done', outcome: { kind: 'taken', statementId: 'st-1', lines: 2, known: 1 } }]);
  const user = await choose('nov.sta');
  await user.click(await screen.findByRole('button', { name: 'Import 2 lines' }));
  await waitFor(() => expect(page.toasts()).toEqual(['2 lines imported. Payouts are matched within a minute.']));
  const file = { merchantId: 'm-1', mode: 'test', content: btoa(':20:') };
  expect(page.calls('settlements.bank.take')).toEqual([{ ...file, name: 'nov.sta', csv: null, hash: 'h-1' }]);
});

const CSV_MAPPING = {
  sheet: null,
  titlesLine: null,
  columns: { bookedOn: 'Day', amount: null, direction: null, credit: 'In', debit: 'Out', text: 'Text', reference: null },
  directions: {},
  currency: 'NGN',
  decimalMark: '.',
  dates: 'day_first',
  zone: 'Africa/Lagos',
  emptyDays: 'unreadable',
};
const CSV_COLUMNS = {
  kind: 'columns',
  sheets: [],
  sheet: null,
  titlesLine: 1,
  titleRows: [{ line: 1, text: 'Day · Text · In · Out' }],
  titles: ['Day', 'Text', 'In', 'Out'],
  samples: [],
  words: {},
  mapping: CSV_MAPPING,
  bankAccount: null,
};

test('of a CSV the account and columns are named first', async () => {
  page.on('settlements.bank.inspect', () => CSV_COLUMNS);
  const user = await choose('gtb.csv');
  await user.type(await screen.findByLabelText('Bank account'), 'GTB 0123');
  await user.click(button('Preview'));
  await screen.findByRole('button', { name: 'Import 2 lines' });
  expect(page.calls('settlements.bank.preview')).toMatchObject([{ csv: { bankAccount: 'GTB 0123', mapping: CSV_MAPPING } }]);
});

test('of a CSV with amounts without a sign, the words of a column say which way they went', async () => {
  const columns = { ...CSV_MAPPING.columns, amount: 'Sum', credit: null, debit: null, direction: 'DR/CR' };
  const mapping = { ...CSV_MAPPING, columns, directions: { cr: 'credit' } };
  const titles = ['Day', 'Text', 'Sum', 'DR/CR'];
  page.on('settlements.bank.inspect', () => ({ ...CSV_COLUMNS, titles, words: { 'DR/CR': ['cr', 'dr'] }, mapping }));
  page.on('settlements.bank.preview', () => ({
    ...PREVIEW,
    format: 'csv',
    skipped: [{ line: 9, text: 'Balance', reason: 'no_amount', amount: null, currency: 'NGN' }],
    skippedCount: 1,
    warnings: [{ kind: 'two_amounts', lines: [4], count: 1 }],
  }));
  const user = await choose('uba.csv');
  await user.type(await screen.findByLabelText('Bank account'), 'UBA');
  await user.click(screen.getByRole('combobox', { name: /^dr/ }));
  await user.click(await screen.findByRole('option', { name: /^Debit/ }));
  await user.click(screen.getByRole('combobox', { name: /^An amount without a day/ }));
  await user.click(await screen.findByRole('option', { name: 'The day of the row above' }));
  await user.click(button('Preview'));
  await screen.findByText('2 lines of CSV to import. 1 row skipped.');
  await screen.findByText(/1 row has a credit and a debit: both are imported\./);
  expect((await tableOf('Skipped rows'))[1]).toEqual(['9', 'Balance', 'No amount', '–']);
  expect(page.calls('settlements.bank.preview')).toMatchObject([
    { csv: { mapping: { columns, directions: { cr: 'credit', dr: 'debit' }, emptyDays: 'row_above' } } },
  ]);
});

test('a statement that cannot be read says where', async () => {
  page.on('settlements.bank.inspect', () => ({
    kind: 'unreadable',
    problem: { line: 3, column: 'Column 1', message: 'has a quote that does not end' },
  }));
  await choose('gtb.csv');
  await expectRefusal('gtb.csv cannot be read. Line 3: Column 1 has a quote that does not end.');
});

test('what is open at the bank is listed and exported', async () => {
  page.allow('report:export');
  const user = page.show(<BankPage />);
  await screen.findByRole('link', { name: 'Discrepancies' });
  expect(hrefOf('Discrepancies')).toContain('view=discrepancies&place=bank');
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await screen.findByRole('dialog', { name: 'Export' });
  const url = new URL(hrefOf(/^XLSX/) ?? '', 'https://x.example');
  expect(url.pathname).toBe('/api/export/settlement-discrepancies');
  expect(JSON.parse(url.searchParams.get('filter') ?? '')).toMatchObject({ abouts: ['payout', 'bank'], states: ['OPEN'] });
});

test('a statement that was imported otherwise is not imported again before that import is withdrawn', async () => {
  page.on('settlements.bank.inspect', () => ({ kind: 'complete' }));
  const takenBefore = new Date('2026-11-25T08:00:00Z');
  page.on('settlements.bank.preview', () => ({ ...PREVIEW, takenBefore, readOtherwise: true }));
  await choose('nov.sta');
  await screen.findByText('This statement was imported otherwise');
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('a statement is withdrawn for a reason, after a look at what goes and what follows from it', async () => {
  page.on('settlements.bank.statements', () => [STATEMENT]);
  page.on('settlements.withdrawals.preview', () => ({
    kind: 'preview',
    accounts: [{ bankAccount: 'GTB 0123', currency: 'NGN', lines: 2, credits: '1000', debits: '-50' }],
    kept: 1,
    payouts: 2,
    hash: 'w-1',
  }));
  page.on('settlements.withdrawals.effect', () => ({ kind: 'effect', opened: [], closed: [], books: [] }));
  page.on('settlements.withdrawals.withdraw', () => ({ kind: 'withdrawn', lines: 2 }));
  const user = page.show(<BankPage />);
  await user.click(await screen.findByRole('button', { name: 'Withdraw…' }));
  expect((await tableOf('Lines that are withdrawn'))[1]).toEqual(['GTB 0123', '2', 'NGN 1,000.00', 'NGN −50.00']);
  await screen.findByText('2 payouts lose money at the bank. 1 line stays: other statements have it too.');
  await screen.findByText('The books stay as they are.');
  await user.type(screen.getByRole('textbox', { name: 'Reason' }), 'Of another company');
  await user.click(button('Withdraw statement'));
  const target = { merchantId: 'm-1', what: 'statement', id: 'st-1' };
  await expectCalls(page, 'settlements.withdrawals.withdraw', [{ ...target, hash: 'w-1', reason: 'Of another company' }]);
});
