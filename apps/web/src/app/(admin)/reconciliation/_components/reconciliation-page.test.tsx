// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Discrepancy, Run } from '#/copy/discrepancies.ts';
import { addDays, formatDay } from '#/format/calendar.ts';
import { dayOf } from '#/format/moments.ts';
import { button, expectCalls, hrefOf, openDashboard, radio, tableOf, textOf } from '#/testing/dashboard.tsx';
import { partial } from '#/testing/partial.ts';
import { ReconciliationPage } from './reconciliation-page.tsx';

const page = openDashboard('?mode=live&merchant=m-1', '/reconciliation');

const AT = new Date('2024-11-21T13:02:00Z');
const yesterday = addDays(dayOf(Date.now()), -1);
const before = addDays(yesterday, -1);
const side = (fields: object) => fields as NonNullable<Discrepancy['ledger']>;
const DISCREPANCY: Discrepancy = {
  discrepancyId: 'd-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  day: before,
  about: 'payment',
  kind: 'AMOUNT',
  state: 'OPEN',
  amount: '500.5',
  paymentId: 'p-1',
  refundId: null,
  reference: null,
  transactionId: 't-1',
  ownerId: null,
  ownerName: null,
  note: null,
  resolution: null,
  resolvedBy: null,
  resolvedByName: null,
  resolvedAt: null,
  createdAt: AT,
  ledger: side({ status: 'SUCCESS', amount: '2500', currency: 'NGN', fee: null, createdAt: AT.toISOString() }),
  statement: side({ status: 'SUCCESS', amount: '1999.5', currency: 'NGN', fee: '37.5', method: 'MOBILE_MONEY' }),
};
const ACCOUNT = {
  accountId: 'acc-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  label: 'paystack-main',
  gateway: 'paystack',
};
const sums = (count: number, amount: string) => ({ count, amount });
const RUN = partial<Run>({
  runId: 'run-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  day: yesterday,
  state: 'DONE',
  rowsRead: 0,
  open: 1_200,
  closed: 0,
  failure: null,
  comparedAt: AT,
  totals: [
    {
      currency: 'NGN',
      ledger: sums(3, '2500'),
      statement: sums(2, '1999.5'),
      fees: '37.5',
      ledgerRefunded: sums(0, '0'),
      statementRefunded: sums(1, '100'),
    },
  ],
});
const AGES = [
  { minDays: 0, maxDays: 2, currency: 'NGN', count: 1_200, unowned: 3, amount: '500.5' },
  { minDays: 0, maxDays: 2, currency: 'KES', count: 1, unowned: 0, amount: '7' },
  { minDays: 31, maxDays: null, currency: null, count: 2, unowned: 0, amount: '9' },
];

beforeEach(() => {
  page.allow('report:read');
  page.on('reconciliation.accounts', () => [ACCOUNT]);
  page.on('reconciliation.runs', () => ({ items: [RUN], next: null }));
  page.on('reconciliation.byAge', () => AGES);
  page.on('reconciliation.discrepancies', () => ({ items: [DISCREPANCY], next: null }));
  page.on('reconciliation.owners', () => [{ staffId: 's-1', name: 'Ada Obi', merchantIds: ['m-1'] }]);
});
const showPage = () => page.show(<ReconciliationPage />);
async function showTab(name: string) {
  const user = showPage();
  await user.click(await screen.findByRole('tab', { name }));
  return user;
}
const lastInput = () => page.calls('reconciliation.discrepancies').at(-1);

describe('discrepancies', () => {
  test('have both sides, the amount in question, its account and its age', async () => {
    showPage();
    const [header, row] = await tableOf('Discrepancies');
    expect(header).toEqual(['Status', 'Difference', 'Ledger', 'Statement', 'Amount', 'Reference', 'Account', 'Age']);
    expect(row).toEqual([
      'Open',
      'Amount differs',
      'NGN 2,500.00',
      'NGN 1,999.50',
      // On a card the two sides, else the amount.
      'NGN 500.50NGN 2,500.00 → NGN 1,999.50',
      't-1',
      'paystack-main',
      '2 days',
    ]);
    screen.getByText('1 discrepancy');
    expect(hrefOf('Amount differs')).toBe('/reconciliation?mode=live&merchant=m-1&discrepancy=d-1');
  });

  test.each<[string, Partial<Discrepancy>, readonly string[]]>([
    [
      'of statuses show those',
      { kind: 'STATUS', statement: side({ status: 'NEEDS_ATTENTION', amount: '1' }) },
      ['Status differs', 'Success', 'Needs attention'],
    ],
    ['that one side lacks show a dash for it', { kind: 'MISSING_HERE', ledger: null }, ['Not in ledger', '–', 'NGN 1,999.50']],
    [
      'of a refund say so',
      { about: 'refund', kind: 'MISSING_THERE', statement: null },
      ['Refund: not in statement', 'NGN 2,500.00', '–'],
    ],
  ])('%s', async (_what, change, cells) => {
    page.on('reconciliation.discrepancies', () => ({
      items: [
        { ...DISCREPANCY, ...change },
        { ...DISCREPANCY, discrepancyId: 'd-2' },
      ],
      next: null,
    }));
    showPage();
    expect((await tableOf('Discrepancies'))[1]?.slice(1, 4)).toEqual(cells);
  });

  test('are counted by age, with their amounts by currency; an age filters the list and again does not', async () => {
    const user = showPage();
    const ages = await screen.findByRole('group', { name: 'Age' });
    expect(within(ages).getAllByRole('button').map(textOf)).toEqual([
      'Up to 2 days1,201NGN 500.50 · KES 7.003 without an owner',
      '3 to 7 days0',
      '8 to 30 days0',
      'Over 30 days29.00',
    ]);
    await user.click(within(ages).getByRole('button', { name: /^Over 30 days/ }));
    expect(page.search()).toContain('age=31-');
    await user.click(within(ages).getByRole('button', { name: /^Over 30 days/ }));
    expect(page.search()).not.toContain('age');
  });

  test('are sorted and filtered by the server', async () => {
    const user = showPage();
    await tableOf('Discrepancies');
    expect(lastInput()).toMatchObject({ mode: 'live', merchantIds: ['m-1'], states: ['OPEN'] });
    await user.click(radio('Closed'));
    await waitFor(() => expect(lastInput()).toMatchObject({ states: ['EXPLAINED', 'RESOLVED'] }));
    await user.click(within(screen.getByRole('table')).getByRole('button', { name: 'Amount' }));
    await waitFor(() => expect(lastInput()).toMatchObject({ sort: { by: 'amount', order: 'desc' } }));
    await user.click(button('Within tolerance'));
    await waitFor(() => expect(page.search()).toContain('tolerated=true'));
    await user.click(button('Clear'));
    await waitFor(() => expect(page.search()).toBe('?mode=live&merchant=m-1&state=closed&sort=-difference'));
  });

  test('are filtered by several types, all of them named', async () => {
    const user = showPage();
    await tableOf('Discrepancies');
    await user.click(button('Type'));
    await user.click(await screen.findByRole('checkbox', { name: 'Amount differs' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Status differs' }));
    await waitFor(() => expect(lastInput()).toMatchObject({ kinds: expect.arrayContaining(['AMOUNT', 'STATUS']) as string[] }));
    screen.getByRole('button', { name: /^Type.*(Amount differs, Status differs|Status differs, Amount differs)$/ });
  });

  test('are filtered by owner: by name, with oneself marked', async () => {
    page.on('me', () => ({ staffId: 's-1', access: [] }));
    const user = showPage();
    await tableOf('Discrepancies');
    await user.click(button('Owner'));
    await user.click(await screen.findByRole('radio', { name: 'Ada Obi (you)' }));
    await waitFor(() => expect(page.search()).toContain('owner=s-1'));
    button(/^Owner.*Ada Obi/);
  });

  test('that are none: the ledger and the statement agree', async () => {
    page.on('reconciliation.discrepancies', () => ({ items: [], next: null }));
    page.on('reconciliation.runs', () => ({ items: [{ ...RUN, open: 0, closed: 1 }], next: null }));
    showPage();
    await screen.findByRole('heading', { name: 'No open discrepancies' });
    screen.getByText('1 of the last days was compared. 1 closed one is under “Closed”.');
  });

  test('that are none: nothing was compared, or the filters match none', async () => {
    page.on('reconciliation.discrepancies', () => ({ items: [], next: null }));
    page.on('reconciliation.runs', () => ({ items: [{ ...RUN, comparedAt: null }], next: null }));
    const user = showPage();
    await screen.findByRole('heading', { name: 'No days compared yet in this period' });
    await user.click(button('Within tolerance'));
    await screen.findByRole('heading', { name: 'No open discrepancies match these filters' });
  });

  test('of a merchant without accounts lead to connecting one', async () => {
    page.on('reconciliation.accounts', () => []);
    showPage();
    await screen.findByRole('heading', { name: 'No account to compare with' });
    expect(hrefOf('Connect a gateway')).toBe('/gateways?mode=live&merchant=m-1');
    expect(screen.queryByRole('tab')).toBeNull();
  });

  test('that could not be read say why', async () => {
    page.on('reconciliation.runs', () => {
      throw new Error('The database is unavailable.');
    });
    showPage();
    await screen.findByText('The database is unavailable.');
  });

  test('that are selected say how many, and how much by currency', async () => {
    page.on('reconciliation.discrepancies', () => ({
      items: [
        DISCREPANCY,
        { ...DISCREPANCY, discrepancyId: 'd-2', amount: '0.5', transactionId: 't-2' },
        { ...DISCREPANCY, discrepancyId: 'd-3', amount: '3', statement: null, ledger: side({ currency: 'USD' }) },
      ],
      next: null,
    }));
    page.allow('reconciliation:resolve');
    const user = showPage();
    await user.click(await screen.findByRole('checkbox', { name: 'Select all loaded rows' }));
    const bar = await screen.findByRole('region', { name: 'Bulk actions' });
    expect(textOf(bar)).toContain('3 selected · NGN 501.00 · USD 3.00');
  });
});

describe('a discrepancy', () => {
  async function open(change: Partial<Discrepancy> = {}) {
    page.on('reconciliation.discrepancy', () => ({ ...DISCREPANCY, ...change }));
    const user = showPage();
    await user.click(await screen.findByRole('link', { name: 'Amount differs' }));
    const panel = await screen.findByRole('complementary', { name: 'Discrepancy' });
    await within(panel).findByText(/^First found/);
    return { user, panel };
  }
  const sides = (panel: HTMLElement) =>
    within(within(panel).getByRole('table'))
      .getAllByRole('row')
      .map((row) => [...row.querySelectorAll('th,td')].map(textOf));

  test('shows both sides field by field, and marks what differs', async () => {
    const { panel } = await open();
    expect(textOf(panel)).toContain(`Balogun Books · paystack-main · ${formatDay(before)}`);
    expect(sides(panel)).toEqual([
      ['Field', 'Our ledger', 'Paystack'],
      ['Status', 'Success', 'Success'],
      ['Amountdiffers', '2,500.00', '1,999.50'],
      ['Currency', 'NGN', 'NGN'],
      ['Fee', '–', '37.50'],
      ['Method', '–', 'Mobile money'],
      ['Created', '21 Nov 2024, 14:02', '–'],
    ]);
    expect(hrefOf('Open the payment')).toBe('/payments/p-1?mode=live&merchant=m-1');
  });

  test('of a status marks that, and not what both sides count differently', async () => {
    const { panel } = await open({
      kind: 'STATUS',
      ledger: side({ status: 'FAILED', amount: '1', currency: 'NGN', fee: '1' }),
      statement: side({ status: 'SUCCESS', amount: '1', currency: 'NGN', fee: '2' }),
    });
    expect(
      sides(panel)
        .slice(1)
        .map(([name]) => name),
    ).toEqual(['Statusdiffers', 'Amount', 'Currency', 'Fee']);
  });

  test('of which one side has nothing says so once', async () => {
    const { panel } = await open({ kind: 'MISSING_THERE', statement: null });
    expect(textOf(within(panel).getByRole('table'))).toContain('Not in Paystack');
    expect(textOf(within(panel).getByRole('table'))).not.toContain('differs');
  });

  test('that is closed says by whom, when and why, and is opened again by those who may', async () => {
    page.allow('reconciliation:resolve');
    page.on('reconciliation.reopen', () => ({ kind: 'changed' }));
    const { user, panel } = await open({
      state: 'EXPLAINED',
      resolution: 'A bank holiday.',
      resolvedBy: 'staff:s-1',
      resolvedByName: 'Ada Obi',
      resolvedAt: AT,
    });
    expect(textOf(panel)).toContain('Explained by Ada Obi 21 Nov 2024, 14:02: A bank holiday.');
    await user.click(await within(panel).findByRole('button', { name: 'Open again' }));
    await expectCalls(page, 'reconciliation.reopen', [{ merchantId: 'm-1', discrepancyId: 'd-1' }]);
  });

  test('that a later comparison closed says so; a viewer changes nothing', async () => {
    const { panel } = await open({
      state: 'RESOLVED',
      resolvedBy: 'system:reconciliation',
      resolvedAt: AT,
      resolution: 'It agrees.',
    });
    expect(textOf(panel)).toContain('Resolved by a later comparison');
    expect(within(panel).queryByRole('button', { name: /Open again|Save/ })).toBeNull();
  });
});

describe('days', () => {
  test('have a sign for each account, in words too; one that is chosen says what was compared', async () => {
    page.allow('reconciliation:resolve');
    page.on('reconciliation.runNow', () => ({}));
    const user = await showTab('Days');
    const cell = await screen.findByRole('button', { name: `paystack-main, ${formatDay(yesterday)}: 1,200 open discrepancies` });
    expect(cell.textContent).toBe('1,200');
    button(`paystack-main, ${formatDay(before)}: Not compared yet`);
    await user.click(cell);
    const day = await screen.findByRole('region', { name: `paystack-main, ${formatDay(yesterday)}` });
    expect(textOf(within(day).getByRole('status'))).toBe('1,200 open discrepancies · compared 21 Nov 2024, 14:02');
    expect(Array.from(day.querySelectorAll('dt,dd'), textOf)).toEqual([
      'Ledger, NGN',
      '2,500.003×',
      'Paystack',
      '1,999.502×',
      'Difference',
      '−500.50',
      'Fees',
      '37.50',
      'Refunded, ledger',
      '0.000×',
      'Refunded, statement',
      '100.001×',
    ]);
    await user.click(within(day).getByRole('button', { name: 'Compare again' }));
    await expectCalls(page, 'reconciliation.runNow', [{ merchantId: 'm-1', accountId: 'acc-1', day: yesterday }]);
    await user.click(within(day).getByRole('button', { name: 'Show all days' }));
    expect(page.search()).not.toContain('day=');
  });

  test.each<[string, Partial<Run>, string, string | null]>([
    ['is being compared', { state: 'RUNNING', rowsRead: 1_234 }, 'Comparing: 1,234 rows read', null],
    [
      'failed',
      { state: 'FAILED', failure: 'Paystack does not answer.', comparedAt: null, totals: [] },
      'Could not be compared',
      'Paystack does not answer. It is retried automatically.',
    ],
    ['had no money', { open: 0, totals: [] }, 'Both sides agree', 'No money moved on this day.'],
    ['has only closed ones', { open: 0, closed: 2 }, 'All discrepancies closed', null],
  ])('say of a day that it %s', async (_what, change, words, note) => {
    page.on('reconciliation.runs', () => ({ items: [{ ...RUN, ...change }], next: null }));
    const user = await showTab('Days');
    await user.click(await screen.findByRole('button', { name: `paystack-main, ${formatDay(yesterday)}: ${words}` }));
    const day = await screen.findByRole('region', { name: `paystack-main, ${formatDay(yesterday)}` });
    expect(textOf(within(day).getByRole('status'))).toMatch(new RegExp(`^${words}`));
    if (note !== null) expect(textOf(day)).toContain(note);
    expect(within(day).queryByRole('button', { name: /Compare/ })).toBeNull();
  });

  test('go back two weeks, and forward no further than yesterday', async () => {
    const user = await showTab('Days');
    const later = await screen.findByRole<HTMLButtonElement>('button', { name: 'Later days' });
    expect(later.disabled).toBe(true);
    await user.click(button('Earlier days'));
    await waitFor(() => expect(page.search()).toContain(`until=${addDays(yesterday, -14)}`));
    await waitFor(() => expect(later.disabled).toBe(false));
  });
});

describe('totals', () => {
  test('of one currency name it in the header, and add up every day', async () => {
    page.on('reconciliation.runs', () => ({ items: [RUN, { ...RUN, runId: 'run-2', day: before, open: 0 }], next: null }));
    await showTab('Totals');
    const [header, first, , together] = await tableOf('Totals by day');
    expect(header?.slice(2, 6)).toEqual(['Status', 'Ledger, NGN', 'Statement, NGN', 'Difference, NGN']);
    expect(first).toEqual([
      formatDay(yesterday),
      'paystack-main',
      '1,200 open discrepancies',
      '2,500.00',
      '1,999.50',
      '−500.50',
      '37.50',
      '0.00',
      '100.00',
    ]);
    expect(together).toEqual(['Total', '5,000.00', '3,999.00', '−1,001.00', '75.00', '0.00', '200.00']);
  });

  test('of several currencies are never added to each other', async () => {
    const kes = { ...RUN.totals[0], currency: 'KES' };
    page.on('reconciliation.runs', () => ({ items: [{ ...RUN, totals: [...RUN.totals, kes] }], next: null }));
    await showTab('Totals');
    const rows = await tableOf('Totals by day');
    expect(rows.slice(-2).map((row) => row.slice(0, 2))).toEqual([
      ['Total', 'KES 2,500.00'],
      ['Total', 'NGN 2,500.00'],
    ]);
  });

  test('that are none say so', async () => {
    page.on('reconciliation.runs', () => ({ items: [], next: null }));
    await showTab('Totals');
    await screen.findByText('No days compared yet in this period.');
  });

  test('are saved as a file with the days in its name, from a line of numbers that spreadsheets read', async () => {
    page.on('reconciliation.totals', () => [{ day: yesterday, account: '=1+1', ledger: '-500.5' }]);
    const files: Blob[] = [];
    const made = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob);
      return 'blob:1';
    });
    const clicked: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this.download);
    });
    onTestFinished(() => {
      made.mockRestore();
      click.mockRestore();
    });
    const user = showPage();
    await tableOf('Discrepancies');
    await user.click(button('Export totals'));
    await waitFor(() => expect(clicked).toEqual([`reconciliation-${addDays(yesterday, -13)}-${yesterday}.csv`]));
    expect(await files[0]?.text()).toContain(`day,account,ledger\r\n${yesterday},'=1+1,-500.5\r\n`);
  });

  test('that cannot be saved say why: nothing was compared, or the server refused', async () => {
    page.on('reconciliation.totals', () => []);
    const user = showPage();
    await tableOf('Discrepancies');
    await user.click(button('Export totals'));
    await waitFor(() => expect(page.toasts()).toEqual(['No days compared yet in this period.']));
  });
});
