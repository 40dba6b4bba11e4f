// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  button,
  expectCalls,
  expectProblem,
  expectRefusal,
  field,
  openDashboard,
  tableOf,
  textOf,
} from '#/testing/dashboard.tsx';
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
  difference: null,
  correction: null,
};
const DIFFERING = {
  ...SETTLEMENT,
  state: 'differs',
  difference: {
    parts: ['net', 'lines'],
    stored: { net: '2400', currency: 'NGN', settledOn: '2026-11-25', lines: 1 },
    replace: { added: { count: 2, amount: '2462.5' }, removed: { count: 1, amount: '2400' } },
    add: { added: { count: 1, amount: '62.5' }, repeated: 1 },
  },
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
  undecided: 0,
  replaced: 0,
  extended: 0,
  ledger: [{ kind: 'references', known: 1, of: 1, isSerious: false }],
  hash: 'h-1',
};
const DIFFERS = { ...PREVIEW, settlements: [DIFFERING], counts: { new: 0, known: 0, differs: 1 }, undecided: 1, hash: 'd-1' };
const EFFECT = {
  kind: 'effect',
  opened: [{ kind: 'UNDER', currency: 'NGN', count: 1, amount: '62.5' }],
  closed: [{ kind: 'MISSING', currency: 'NGN', count: 2, amount: '5000' }],
  books: [
    {
      month: '2026-10',
      state: 'signed',
      kind: 'payout',
      currency: 'NGN',
      before: { count: 1, amount: '-2400' },
      after: { count: 1, amount: '-2462.5' },
      difference: '-62.5',
    },
  ],
};
const TAKEN = { kind: 'taken', fileId: 'f-1', settlements: 1, lines: 2, replaced: 0, extended: 0 };
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
const mapped = {
  ...file,
  name: 'kora.csv',
  mapping: MAPPING,
  entered: { reference: null, settledOn: null },
  corrections: {},
};

test('a file is inspected, previewed by its mapping, and taken in exactly as that preview said', async () => {
  page.on('settlements.files.take', () => [{ kind: 'done', outcome: TAKEN }]);
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
  expect(page.calls('settlements.files.take')).toEqual([{ ...mapped, hash: 'h-1', reason: '' }]);
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
  page.on('settlements.files.take', () => [{ kind: 'done', outcome: { kind: 'changed', preview: { ...PREVIEW, hash: 'h-2' } } }]);
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  await user.click(await screen.findByRole('button', { name: 'Import 1 settlement' }));
  await expectRefusal('Nothing was imported: something has changed since the preview. Review the new preview below.');
  await user.click(button('Import 1 settlement'));
  await waitFor(() => expect(page.calls('settlements.files.take')).toMatchObject([{ hash: 'h-1' }, { hash: 'h-2' }]));
});

test('a file that is stored just so says so, and there is no button that takes it in', async () => {
  const counts = { new: 0, known: 1, differs: 0 };
  page.on('settlements.files.preview', () => ({ ...PREVIEW, counts, takenBefore: new Date('2026-11-25T08:00:00Z') }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  await screen.findByText('This file was already imported');
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('how far a file is shows while it is taken in', async () => {
  const ended = Promise.withResolvers<void>();
  page.on('settlements.files.take', async function* () {
    yield { kind: 'progress', progress: { stage: 'storing', done: 40_000, of: 100_000 } };
    await ended.promise;
    yield { kind: 'done', outcome: TAKEN };
  });
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  await user.click(await screen.findByRole('button', { name: 'Import 1 settlement' }));
  await screen.findByText('40,000 of 100,000 lines stored');
  const bar = screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Importing' });
  expect([bar.value, bar.max]).toEqual([40_000, 100_000]);
  ended.resolve();
  await waitFor(() => expect(page.toasts()).toEqual(['1 settlement with 2 lines imported.']));
});

test('what the ledger says of a file is shown, and a file that is likely the wrong one is taken in only as such', async () => {
  page.on('settlements.files.preview', () => ({
    ...PREVIEW,
    ledger: [
      { kind: 'references', known: 0, of: 24, isSerious: true },
      {
        kind: 'other_account',
        accountId: 'acc-2',
        accountLabel: 'kora-second',
        gatewayTitle: 'Kora',
        mode: 'test',
        count: 24,
        isSerious: true,
      },
    ],
  }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  const said = await screen.findByRole('region', { name: 'Compared with the ledger' });
  expect(within(said).getAllByRole('listitem').map(textOf)).toEqual([
    '0 of 24 references are known in this account.',
    '24 are payments of another account: kora-second, Kora in test mode.',
  ]);
  expect(button(/^Import/).textContent).toBe('Import 1 settlement anyway');
});

test('a payout that is stored otherwise is corrected as a person says, for a reason, after its effect is shown', async () => {
  page.on('settlements.files.preview', (input) =>
    'S-1' in correctionsOf(input)
      ? { ...DIFFERS, settlements: [{ ...DIFFERING, correction: 'replace' }], undecided: 0, replaced: 1, hash: 'd-2' }
      : DIFFERS,
  );
  page.on('settlements.files.effect', () => EFFECT);
  page.on('settlements.files.take', () => [{ kind: 'done', outcome: { ...TAKEN, settlements: 0, lines: 0, replaced: 1 } }]);
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  await screen.findByText(/1 payout is stored otherwise/);
  expect(screen.queryByRole('button', { name: /^(Import|Replace)/ })).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Replace' }));
  expect((await tableOf('Payouts stored otherwise'))[1]?.slice(0, 3)).toEqual([
    'S-1',
    'net amount, lines',
    'NGN 2,400.00, 2026-11-25, 1 line',
  ]);
  await screen.findByText('2 lines come, NGN 2,462.50; 1 line goes, NGN 2,400.00');
  expect((await tableOf('Effect on discrepancies')).slice(1)).toEqual([
    ['Closes', 'Missing', '2', 'NGN 5,000.00'],
    ['Opens', 'Less than expected', '1', 'NGN 62.50'],
  ]);
  expect((await tableOf('Effect on the books'))[1]).toEqual([
    'Oct 2026 Signed off',
    'Paid out',
    'NGN −62.50',
    '1 → 1',
    'NGN −2,400.00',
    'NGN −2,462.50',
  ]);
  const confirm = button('Replace 1 settlement');
  await user.click(confirm);
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  await user.type(field('Reason'), 'The first export was not complete');
  await user.click(confirm);
  await waitFor(() => expect(page.toasts()).toEqual(['1 settlement replaced.']));
  const corrected = { ...mapped, corrections: { 'S-1': 'replace' } };
  expect(page.calls('settlements.files.effect')).toEqual([corrected]);
  expect(page.calls('settlements.files.take')).toEqual([
    { ...corrected, hash: 'd-2', reason: 'The first export was not complete' },
  ]);
});

test('of several that are stored otherwise it can be said at once', async () => {
  const second = { ...DIFFERING, reference: 'S-2', difference: { ...DIFFERING.difference, add: null } };
  page.on('settlements.files.preview', () => ({
    ...DIFFERS,
    settlements: [DIFFERING, second],
    counts: { new: 0, known: 0, differs: 2 },
    undecided: 2,
  }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  const all = await screen.findByRole('group', { name: 'All that differ' });
  await user.click(within(all).getByRole('radio', { name: 'Add' }));
  await waitFor(() => expect(page.calls('settlements.files.preview').at(-1)).toEqual({ ...mapped, otherwise: 'add' }));
  const choices = screen.getByRole('group', { name: 'Correction of S-2' });
  expect(within(choices).getAllByRole('radio')).toHaveLength(2);
});

test('a file is withdrawn for a reason, after a look at what goes; no one without the right is offered it', async () => {
  const row = { ...ACCOUNT, ...TAKEN, name: 'kora.csv', hash: 'abc', rows: 1 };
  const files = [{ ...row, takenByName: 'Ada', takenAt: new Date('2026-11-26T08:00:00Z'), withdrawnAt: null }];
  page.on('settlements.files.list', () => files);
  const figures = { currency: 'NGN', net: '2462.5', lines: 2, settledOn: '2026-11-25' };
  page.on('settlements.withdrawals.preview', () => ({
    kind: 'preview',
    payouts: [{ settlementId: 's-1', reference: 'S-1', before: figures, after: null }],
    count: 1,
    lines: 2,
    sums: [],
    hash: 'w-1',
  }));
  page.on('settlements.withdrawals.effect', () => EFFECT);
  page.on('settlements.withdrawals.withdraw', () => ({ kind: 'withdrawn', payouts: 1 }));
  const user = page.show(<FilesPage scope={{ mode: 'test', merchantId: 'm-1' }} accountId={null} />);
  await user.click(await screen.findByRole('button', { name: 'Withdraw…' }));
  expect((await tableOf('Payouts that are withdrawn'))[1]).toEqual(['S-1', '2', 'NGN 2,462.50', 'Nothing']);
  await tableOf('Effect on the books');
  await user.type(field('Reason'), 'Of another month');
  await user.click(button('Withdraw file'));
  const target = { merchantId: 'm-1', what: 'file', id: 'f-1' };
  await expectCalls(page, 'settlements.withdrawals.withdraw', [{ ...target, hash: 'w-1', reason: 'Of another month' }]);
  expect(page.toasts()).toEqual(['The file kora.csv is withdrawn.']);
});

function correctionsOf(input: unknown): object {
  return typeof input === 'object' && input !== null && 'corrections' in input && typeof input.corrections === 'object'
    ? (input.corrections ?? {})
    : {};
}

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
    'Day: no date says whether the day or the month is first. 03/11/2026 is read as 3 Nov 2026. Line 2.',
    '2 rows are later than the payout: paid on 26 Nov 2026, paid out on 25 Nov 2026. Lines 4, 5.',
    '120 rows that the spreadsheet hides are imported. Lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 100 more.',
  ]);
  expect(button('Import 1 settlement')).toHaveProperty('disabled', false);
});
