import { expect, test } from 'vitest';
import { hasDiscrepancyFilter, isFiltered, loadSettlementsPage, toDiscrepanciesInput, toSettlementFilter } from './filters.ts';

const SCOPE = { mode: 'test', merchantId: 'm-1' } as const;
const ACCOUNT = 'a1d0f7a2-0000-7000-8000-000000000001';
const NOON = Date.parse('2026-11-26T11:00:00.000Z');

test('days of payouts are sent as days, relative ones counted from today', async () => {
  const filters = await loadSettlementsPage({ from: 'today-6', to: '2026-11-25' });
  expect(toSettlementFilter(SCOPE, filters, NOON)).toMatchObject({ from: '2026-11-20', to: '2026-11-25', merchantIds: ['m-1'] });
});

test('what cannot be read filters nothing, and is a filter that can be cleared', async () => {
  const filters = await loadSettlementsPage({ from: 'soon', account: `${ACCOUNT},paystack`, settlement: 'x' });
  expect(toSettlementFilter(SCOPE, filters, NOON)).toMatchObject({ from: null, accountIds: [ACCOUNT] });
  expect(toDiscrepanciesInput(SCOPE, filters)).toMatchObject({ settlementId: null, states: ['OPEN'] });
  expect([isFiltered(filters), hasDiscrepancyFilter(filters)]).toEqual([true, true]);
  expect(isFiltered(await loadSettlementsPage({ view: 'accounts' }))).toBe(false);
});

test('discrepancies are sorted as the address says, the newest first without one', async () => {
  const sortOf = async (sort: string) => toDiscrepanciesInput(SCOPE, await loadSettlementsPage({ sort })).sort;
  expect(await sortOf('')).toEqual({ by: 'created', order: 'desc' });
  expect(await sortOf('-amount')).toEqual({ by: 'amount', order: 'desc' });
  expect(await sortOf('state')).toEqual({ by: 'created', order: 'desc' });
});
