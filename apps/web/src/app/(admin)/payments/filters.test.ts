import { expect, test } from 'vitest';
import type { Scope } from '#/scope/scope.ts';
import { isFiltered, loadPaymentsPage, NO_FILTERS, toListInput, toPaymentFilter } from './filters.ts';

const SCOPE: Scope = { mode: 'live', merchantId: null };
const ACCOUNT = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11';

test('a period is days of the zone with the last included, or moments with the last excluded', () => {
  const days = toListInput(SCOPE, { ...NO_FILTERS, from: '2026-11-20', to: '2026-11-21' }, '');
  expect([days.createdFrom?.toISOString(), days.createdTo?.toISOString()]).toEqual([
    '2026-11-19T23:00:00.000Z',
    '2026-11-21T23:00:00.000Z',
  ]);
  const moments = toListInput(SCOPE, { ...NO_FILTERS, from: '2026-11-21T14:00:00Z', to: '2026-11-21T15:00Z' }, '');
  expect([moments.createdFrom?.toISOString(), moments.createdTo?.toISOString()]).toEqual([
    '2026-11-21T14:00:00.000Z',
    '2026-11-21T15:00:00.000Z',
  ]);
});

test('text that is no day, moment, account or amount filters nothing', () => {
  const filters = { ...NO_FILTERS, from: '2026-02-30', to: '2026-11-21T25:00Z', account: 'a1', rule: ' ', customer: ' ', q: ' ' };
  expect(toListInput(SCOPE, filters, '')).toMatchObject({
    createdFrom: null,
    createdTo: null,
    accountIds: [],
    ruleIds: [],
    customer: null,
    search: null,
  });
});

test('amounts stay within the limits of the server', () => {
  expect(toListInput(SCOPE, { ...NO_FILTERS, min: -5, max: 10 ** 15 }, '')).toMatchObject({ amountFrom: 0, amountTo: 10 ** 12 });
});

test('the export has the filters of the list without the size of a page, by the names of GraphQL', () => {
  const filters = { ...NO_FILTERS, account: ACCOUNT, rule: 'large', min: 100, review: true };
  const scope: Scope = { mode: 'test', merchantId: 'm1' };
  const exported = toPaymentFilter(scope, filters);
  expect(exported).toMatchObject({
    mode: 'test',
    merchantIds: ['m1'],
    accountIds: [ACCOUNT],
    ruleIds: ['large'],
    amountFrom: 100,
    amountTo: null,
    underReview: true,
  });
  expect(toListInput(scope, filters, '')).toEqual({ ...exported, sort: { by: 'created', descending: true }, limit: 60 });
  expect(toPaymentFilter(SCOPE, NO_FILTERS)).toMatchObject({ merchantIds: [], accountIds: [], ruleIds: [], underReview: null });
});

test.each([[{ gateway: ['NONE'] }], [{ q: 'ada' }], [{ max: 0 }], [{ review: true }]])('%j is a filter', (change) => {
  expect([isFiltered(NO_FILTERS), isFiltered({ ...NO_FILTERS, ...change })]).toEqual([false, true]);
});

test('the order of the address is one that the list has, else the newest first', () => {
  expect(toListInput(SCOPE, NO_FILTERS, '-amount').sort).toEqual({ by: 'amount', descending: true });
  expect(toListInput(SCOPE, NO_FILTERS, 'created').sort).toEqual({ by: 'created', descending: false });
  expect(toListInput(SCOPE, NO_FILTERS, '-customer').sort).toEqual({ by: 'created', descending: true });
});

test('why payments failed is one of the known reasons', async () => {
  const { payment: _, sort: __, ...filters } = await loadPaymentsPage({ reason: 'declined,nonsense,session_expired' });
  expect(filters.reason).toEqual(['declined', 'session_expired']);
  expect(isFiltered({ ...NO_FILTERS, reason: ['declined'] })).toBe(true);
});
