// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { hrefOf, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { MonthsPage } from './months-page.tsx';

const page = openDashboard('?mode=test', '/month-close');
const OPEN = {
  merchantId: 'm-1',
  mode: 'test',
  merchantName: 'Balogun Books',
  month: '2026-11',
  state: 'open',
  closedAt: null,
  signedAt: null,
  signedName: null,
  hash: null,
  totals: [],
};
const FIGURE = { count: 0, amount: '0' };
const TOTAL = { currency: 'NGN', opening: '0', previousClosing: null, closing: '1250.5', bank: FIGURE };

beforeEach(() => {
  page.allow('report:read');
  page.on('monthClose.reviewRule', () => ({ required: false, people: [], waiver: null }));
  page.on('monthClose.list', () => [
    OPEN,
    { ...OPEN, month: '2026-10', state: 'ended' },
    {
      ...OPEN,
      month: '2026-09',
      state: 'signed',
      closedAt: new Date(Date.now() - 3_600_000),
      signedAt: new Date(Date.now() - 60_000),
      signedName: 'Ada',
      totals: [TOTAL],
    },
  ]);
});

test('each month shows its state, who signed it, and what gateways held; it leads to the month of its merchant', async () => {
  page.show(<MonthsPage />);
  const rows = await tableOf('Months');
  expect(rows.map(([month, merchant, state]) => [month, merchant, state])).toEqual([
    ['Month', 'Merchant', 'Status'],
    ['Nov 2026', 'Balogun Books', 'Open'],
    ['Oct 2026', 'Balogun Books', 'To close'],
    ['Sept 2026', 'Balogun Books', 'Signed off'],
  ]);
  expect(rows[3]?.[4]).toMatch(/^Ada, /);
  expect(rows[3]?.[5]).toBe('NGN 1,250.50');
  expect(hrefOf('Oct 2026')).toBe('/month-close/2026-10?mode=test&merchant=m-1');
});
