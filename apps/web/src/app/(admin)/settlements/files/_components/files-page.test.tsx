// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { button, expectRefusal, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { FilesPage } from './files-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const ACCOUNT = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  accountLabel: 'kora-main',
  gateway: 'kora',
  gatewayTitle: 'Kora',
  road: 'FILE',
};
const MAPPING = {
  sheet: null,
  titlesLine: null,
  columns: {
    settlement: 'Payout',
    settledOn: 'Day',
    reference: 'Ref',
    transactionId: null,
    kind: null,
    amount: 'Amount',
    direction: null,
    fee: 'Fee',
    net: null,
    currency: null,
    occurredAt: null,
    description: null,
  },
  kinds: {},
  directions: {},
  signs: 'as_written',
  currency: 'NGN',
  unit: 'main',
  decimalMark: '.',
  dates: 'day_first',
  zone: 'Africa/Lagos',
};
const COLUMNS = {
  kind: 'columns',
  sheets: [],
  sheet: null,
  titlesLine: 1,
  titleRows: [
    { line: 1, text: 'Payout · Day · Ref' },
    { line: 2, text: 'S-1 · 25/11/2026 · sw-1' },
  ],
  titles: ['Payout', 'Day', 'Ref', 'Amount', 'Fee', 'Type'],
  samples: [['S-1', '25/11/2026', 'sw-1', '2500', '37.5', 'Sale']],
  words: { Type: ['sale'] },
  mapping: MAPPING,
  isProfile: false,
};
const SETTLEMENT = {
  reference: 'S-1',
  settledOn: '2026-11-25',
  currency: 'NGN',
  gross: '2500',
  fees: '37.5',
  deductions: '0',
  net: '2462.5',
  lines: 2,
  residue: '0',
  state: 'new',
};
const PREVIEW = {
  kind: 'preview',
  rows: 1,
  settlements: [SETTLEMENT],
  counts: { new: 1, known: 0, differs: 0 },
  skipped: [{ line: 3, text: 'TOTALS', reason: 'total', amount: '2500', currency: 'NGN' }],
  skippedCount: 1,
  skippedSums: [{ currency: 'NGN', amount: '2500' }],
  warnings: [],
  problems: [],
  problemCount: 0,
  takenBefore: null,
  hash: 'h-1',
};
const CONTENT = btoa('Payout,Day\n');

beforeEach(() => {
  page.allow('report:read', 'reconciliation:resolve');
  page.on('settlements.accounts', () => [ACCOUNT]);
  page.on('settlements.files.list', () => []);
  page.on('settlements.files.inspect', () => COLUMNS);
  page.on('settlements.files.preview', () => PREVIEW);
});

async function choose() {
  const user = page.show(<FilesPage scope={{ mode: 'test', merchantId: 'm-1' }} accountId="acc-1" />);
  const input = await screen.findByLabelText<HTMLInputElement>(/^Choose a/);
  await user.upload(input, new File(['Payout,Day\n'], 'kora.csv', { type: 'text/csv' }));
  return user;
}

const file = { merchantId: 'm-1', accountId: 'acc-1', content: CONTENT };
const mapped = { ...file, name: 'kora.csv', mapping: MAPPING, entered: { reference: null, settledOn: null } };

test('a file is inspected, previewed by its mapping, and taken in exactly as that preview said', async () => {
  page.on('settlements.files.take', () => ({ kind: 'taken', fileId: 'f-1', settlements: 1, lines: 2 }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  expect(await tableOf('Preview by payout')).toEqual([
    ['Payout', 'Paid out on', 'Lines', 'Gross', 'Fees', 'Deductions', 'Net', 'Residue', 'Result'],
    ['S-1', '2026-11-25', '2', '2,500.00', '37.50', '0.00', 'NGN 2,462.50', '–', 'New'],
  ]);
  expect(screen.getByRole('region', { name: 'Preview' }).querySelector('p')?.textContent).toBe(
    '1 row. 1 row skipped, NGN 2,500.00.',
  );
  expect(await tableOf('Skipped rows')).toEqual([
    ['Line', 'Text', 'Reason', 'Amount'],
    ['3', 'TOTALS', 'The sum of other rows', '2,500.00'],
  ]);
  await user.click(button('Import 1 settlement'));
  await waitFor(() => expect(page.toasts()).toEqual(['1 settlement with 2 lines imported.']));
  expect(page.calls('settlements.files.inspect')).toEqual([{ ...file, sheet: null, titlesLine: null }]);
  expect(page.calls('settlements.files.preview')).toEqual([mapped]);
  expect(page.calls('settlements.files.take')).toEqual([{ ...mapped, hash: 'h-1' }]);
  expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull();
});

test('what cannot be read is named by line and column, and there is no button that takes the file in', async () => {
  const problems = [{ line: 4, column: 'Amount', message: 'is no amount: “much”' }];
  page.on('settlements.files.preview', () => ({ ...PREVIEW, settlements: [], problems, problemCount: 1 }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  expect(await tableOf('Cells that cannot be read')).toEqual([
    ['Line', 'Column', 'Reason'],
    ['4', 'Amount', 'is no amount: “much”'],
  ]);
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('where something has changed nothing is taken in, and the next click is of the new preview', async () => {
  page.on('settlements.files.take', () => ({ kind: 'changed', preview: { ...PREVIEW, hash: 'h-2' } }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  await user.click(await screen.findByRole('button', { name: 'Import 1 settlement' }));
  await expectRefusal('Nothing was imported: something has changed since the preview. Review the new preview below.');
  await user.click(button('Import 1 settlement'));
  await waitFor(() => expect(page.calls('settlements.files.take')).toMatchObject([{ hash: 'h-1' }, { hash: 'h-2' }]));
});

test('a file that was taken in before says so, and one that differs from what is stored is not taken in', async () => {
  page.on('settlements.files.preview', () => ({ ...PREVIEW, takenBefore: new Date('2026-11-25T08:00:00Z') }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  await screen.findByText('This file was already imported');
  page.on('settlements.files.preview', () => ({ ...PREVIEW, counts: { new: 1, known: 0, differs: 1 } }));
  await user.click(button('Preview'));
  await screen.findByText(/what is stored of a payout differs/);
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('a file without columns says where it cannot be read', async () => {
  const problem = { line: 2, column: 'Column 1', message: 'has a quote that does not end' };
  page.on('settlements.files.inspect', () => ({ kind: 'unreadable', problem }));
  await choose();
  await expectRefusal('kora.csv cannot be read. Line 2: Column 1 has a quote that does not end.');
});

test('the sheet and the row of titles can be chosen, and the columns are named from there', async () => {
  const sheets = [
    { name: 'Summary', isHidden: false },
    { name: 'Transactions', isHidden: true },
  ];
  const chosenSchema = z.object({ sheet: z.nullable(z.string()), titlesLine: z.nullable(z.number()) });
  page.on('settlements.files.inspect', (input) => {
    const { sheet, titlesLine } = chosenSchema.parse(input);
    const place = { sheet: sheet ?? 'Summary', titlesLine };
    return { ...COLUMNS, ...place, sheets, titlesLine: titlesLine ?? 1, mapping: { ...MAPPING, ...place } };
  });
  const user = await choose();
  await user.click(await screen.findByRole('combobox', { name: /^Sheet/ }));
  await user.click(await screen.findByRole('option', { name: /^Transactions/ }));
  await user.click(await screen.findByRole('combobox', { name: /^Row of titles/ }));
  await user.click(await screen.findByRole('option', { name: /^Row 2/ }));
  await waitFor(() => expect(page.calls('settlements.files.inspect')).toHaveLength(3));
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  await screen.findByRole('button', { name: 'Import 1 settlement' });
  expect(page.calls('settlements.files.inspect')).toMatchObject([
    { sheet: null, titlesLine: null },
    { sheet: 'Transactions', titlesLine: null },
    { sheet: 'Transactions', titlesLine: 2 },
  ]);
  expect(page.calls('settlements.files.preview')).toMatchObject([{ mapping: { sheet: 'Transactions', titlesLine: 2 } }]);
});

test('what words mean, and how refunds are written, is sent as it was selected', async () => {
  const typed = { ...MAPPING, columns: { ...MAPPING.columns, kind: 'Type' }, kinds: { sale: 'payment' } };
  page.on('settlements.files.inspect', () => ({ ...COLUMNS, mapping: typed, words: { Type: ['sale', 'fee reversal'] } }));
  const user = await choose();
  await user.click(await screen.findByRole('combobox', { name: /^fee reversal/ }));
  await user.click(await screen.findByRole('option', { name: 'Fee given back' }));
  await user.click(screen.getByRole('combobox', { name: /^Refunds, fees and chargebacks/ }));
  await user.click(await screen.findByRole('option', { name: 'Without a sign' }));
  await user.click(button('Preview'));
  await screen.findByRole('button', { name: 'Import 1 settlement' });
  expect(page.calls('settlements.files.preview')).toMatchObject([
    { mapping: { kinds: { sale: 'payment', 'fee reversal': 'fee_returned' }, signs: 'by_kind' } },
  ]);
});

test('what should be known is named above the button’s payouts, with its lines', async () => {
  const warnings = [
    { kind: 'days_either_way', column: 'Day', example: '03/11/2026', day: '2026-11-03', lines: [2], count: 1 },
    { kind: 'payouts_before_payments', settledOn: '2026-11-25', paidOn: '2026-11-26', lines: [4, 5], count: 2 },
    { kind: 'rows_hidden', lines: Array.from({ length: 20 }, (_, at) => at + 1), count: 120 },
  ];
  page.on('settlements.files.preview', () => ({ ...PREVIEW, warnings }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  const section = await screen.findByRole('region', { name: 'Check before importing' });
  expect([...section.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Day: no date says whether the day or the month is first. 03/11/2026 is read as 3 November 2026. Line 2.',
    '2 rows are later than the payout: paid on 26 November 2026, paid out on 25 November 2026. Lines 4, 5.',
    '120 rows that the spreadsheet hides are imported. Lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 100 more.',
  ]);
  expect(button('Import 1 settlement')).toHaveProperty('disabled', false);
});
