// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { button, expectRefusal, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { NothingListed } from './nothing-listed.tsx';
import { NounTable } from './noun-table.tsx';
import type { Pages } from './use-noun-list.ts';

interface Payout {
  readonly id: string;
  readonly net: { readonly currency: string; readonly amount: string } | null;
  readonly paidAt: Date | null;
  readonly accountLabel: string;
  readonly merchantName: string;
  readonly lines: number;
}

const page = openDashboard('?mode=test');
const refetch = vi.fn();
const more = vi.fn();
beforeEach(() => {
  refetch.mockReset();
  more.mockReset();
});

const AT = new Date();
const payout = (id: string, of: Partial<Payout> = {}): Payout => ({
  id,
  net: { currency: 'NGN', amount: '1500' },
  paidAt: AT,
  accountLabel: 'paystack-main',
  merchantName: 'Balogun',
  lines: 1_200,
  ...of,
});
const COLUMNS: readonly DataColumn<Payout>[] = [
  { id: 'id', header: 'Payout', fixed: true, link: ({ id: text }) => ({ href: `/settlements/${text}`, text }) },
  { id: 'state', header: 'Status', badge: ({ paidAt }) => (paidAt === null ? null : { word: 'Paid', tone: 'good' }) },
  { id: 'account', header: 'Account', priority: 2, account: (row) => row },
  { id: 'net', header: 'Net', money: ({ net }) => net },
  { id: 'lines', header: 'Lines', count: ({ lines }) => lines },
  { id: 'paid', header: 'Paid out', moment: ({ paidAt }) => paidAt },
];
const listOf = (rows: readonly Payout[], of: Partial<Pages<Payout>> = {}): Pages<Payout> => ({
  state: 'ready',
  error: null,
  rows,
  hasMore: false,
  loadingMore: false,
  more,
  updatedAt: 0,
  isFetching: false,
  refetch,
  ...of,
});
function show(list: Pages<Payout>, onClear: (() => void) | null = null) {
  return page.show(
    <NounTable
      label="Payouts"
      name="payouts"
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      noun={['payout', 'payouts']}
      empty={
        <NothingListed nouns="payouts" onClear={onClear}>
          Each payout is listed here.
        </NothingListed>
      }
    />,
  );
}

test('cells are written by their type, and the one currency of all rows is in the header', async () => {
  show(listOf([payout('s-1'), payout('s-2', { net: null, paidAt: null })]));
  expect(await tableOf('Payouts')).toEqual([
    ['Payout', 'Status', 'Account', 'Net, NGN', 'Lines', 'Paid out'],
    ['s-1', 'Paid', 'paystack-main · Balogun', 'NGN 1,500.00', '1,200', expect.stringContaining('now')],
    ['s-2', '', 'paystack-main · Balogun', '–', '1,200', '–'],
  ]);
  screen.getByText('2 payouts');
});

test('amounts in several currencies each name their own', async () => {
  show(listOf([payout('s-1'), payout('s-2', { net: { currency: 'GHS', amount: '2' } })]));
  const [head, ...rows] = await tableOf('Payouts');
  expect([head?.[3], ...rows.map((row) => row[3])]).toEqual(['Net', 'NGN 1,500.00', 'GHS 2.00']);
});

test('a list that loads has a placeholder, and one that failed says why and tries again', async () => {
  show(listOf([], { state: 'loading' }));
  screen.getByRole('status', { name: 'Loading payouts' });
  const user = show(listOf([], { state: 'failed', error: { message: 'The server did not answer.' } }));
  await expectRefusal('The server did not answer.');
  await user.click(button('Try again'));
  expect(refetch).toHaveBeenCalledOnce();
});

test('an empty list says what it is for; a filtered one how to see more', async () => {
  show(listOf([]));
  screen.getByRole('heading', { name: 'No payouts yet' });
  screen.getByText('Each payout is listed here.');
  const clear = vi.fn();
  const user = show(listOf([]), clear);
  screen.getByRole('heading', { name: 'No payouts match these filters' });
  await user.click(button('Clear the filters'));
  expect(clear).toHaveBeenCalledOnce();
});
