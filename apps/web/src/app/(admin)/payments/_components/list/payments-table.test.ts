import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { loadPaymentsPage } from '#/app/(admin)/payments/filters.ts';
import { columnsShown } from '#/components/data-table/use-table-columns.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { columnsInFile, PAYMENT_COLUMNS, paymentColumns, usePayments } from './payments-table.tsx';

test('the default columns name the merchant only where there may be several', () => {
  expect(columnsShown(paymentColumns({ merchantId: null }), [])).toContain('merchant');
  expect(columnsShown(paymentColumns({ merchantId: 'one' }), [])).not.toContain('merchant');
});

test('a file has a column for everything that can be shown, in the order it is shown', () => {
  const [status, amount] = PAYMENT_COLUMNS;
  expect(status && amount && columnsInFile([amount, status])).toEqual([
    'amount',
    'currency',
    'status',
    'display_status',
    'review',
  ]);
  for (const column of PAYMENT_COLUMNS) expect(columnsInFile([column])).not.toEqual([]);
});

const page = openHookPage('?mode=live&merchant=m-1');
const PAGES = 4;
const inputSchema = z.object({ cursor: z.number().optional() });
const calls = () => page.server().calls('payments.list');

async function open() {
  const filters = await loadPaymentsPage({});
  return page.render(() => usePayments(filters, ''));
}

beforeEach(() => {
  page.server().on('payments.list', (input) => {
    const number = inputSchema.parse(input).cursor ?? 1;
    return { items: [{ paymentId: `on page ${number}` }], next: number < PAGES ? number + 1 : null };
  });
});

test('payments of the page’s merchant and mode are listed page after page, until there is none', async () => {
  const { result, act } = await open();
  expect(calls()).toMatchObject([{ mode: 'live', merchantIds: ['m-1'] }]);
  for (let pages = 1; pages < PAGES + 2; pages++) {
    await act(() => result.current.more());
    await page.wait();
  }
  expect(result.current.rows.map(({ paymentId }) => paymentId)).toEqual(['on page 1', 'on page 2', 'on page 3', 'on page 4']);
  expect([result.current.hasMore, calls().length]).toEqual([false, PAGES]);
});

test('asking twice for more while a page loads requests it once', async () => {
  const { result, act } = await open();
  page.server().on('payments.list', () => new Promise(() => undefined));
  await act(() => result.current.more());
  await page.wait();
  expect(result.current.loadingMore).toBe(true);
  await act(() => result.current.more());
  expect(calls()).toHaveLength(2);
});

test('the list is refreshed while it is short, and not once it is long', async () => {
  const { result, act } = await open();
  await page.wait(15_000);
  expect(calls()).toHaveLength(2);
  for (let pages = 1; pages < 3; pages++) {
    await act(() => result.current.more());
    await page.wait();
  }
  const before = calls().length;
  await page.wait(60_000);
  expect(calls()).toHaveLength(before);
});

test('a failure is shown with its message, and goes once the list is read again', async () => {
  page.server().on('payments.list', () => {
    throw new Error('The database is unavailable.');
  });
  const { result, act } = await open();
  expect([result.current.state, result.current.error?.message]).toEqual(['failed', 'The database is unavailable.']);
  page.server().on('payments.list', () => ({ items: [], next: null }));
  await act(() => result.current.refetch());
  await page.wait();
  expect(result.current).toMatchObject({ state: 'ready', rows: [] });
});
