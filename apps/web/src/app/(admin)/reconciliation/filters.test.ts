import { describe, expect, test } from 'vitest';
import {
  DAYS_SHOWN,
  loadReconciliationPage,
  shownDays,
  toAgeInput,
  toDiscrepanciesInput,
  toDiscrepancyFilter,
  toRunsInput,
} from './filters.ts';

const NOON = Date.parse('2026-11-21T11:00:00Z');
const SCOPE = { mode: 'live', merchantId: 'm-1' } as const;
const ACCOUNT = 'a1d0f7a2-0000-7000-8000-000000000001';
const DAYS = ['2026-11-20', '2026-11-19', '2026-11-18'];
const filterOf = async (query: Record<string, string>) => toDiscrepancyFilter(SCOPE, await loadReconciliationPage(query), NOON);

describe('the grid shows finished days, the latest first', () => {
  test.each([
    ['', '2026-11-20'],
    ['2026-11-10', '2026-11-10'],
    ['2026-11-21', '2026-11-20'],
    ['2027-01-01', '2026-11-20'],
    ['2026-02-30', '2026-11-20'],
    ['yesterday', '2026-11-20'],
  ])('until %j: %s', (until, last) => {
    const days = shownDays({ until }, NOON);
    expect([days[0], days.length]).toEqual([last, DAYS_SHOWN]);
  });

  test('yesterday is the day before in Lagos, also in the hour in which UTC is a day behind', () => {
    expect(shownDays({ until: '' }, Date.parse('2026-11-20T23:30:00Z'))[0]).toBe('2026-11-20');
  });
});

test('runs are read for exactly the days of the grid', () => {
  expect(toRunsInput(SCOPE, DAYS)).toEqual({ ...SCOPE, from: '2026-11-18', to: '2026-11-20', limit: 500 });
});

test('discrepancies are of any day, and open, unless the address says otherwise', async () => {
  expect(await filterOf({})).toEqual({
    mode: 'live',
    merchantIds: ['m-1'],
    accountIds: [],
    dayFrom: null,
    dayTo: null,
    states: ['OPEN'],
    kinds: [],
    amountFrom: null,
    amountTo: null,
    withinTolerance: null,
  });
  expect(await filterOf({ account: ACCOUNT, day: '2026-11-19', state: 'closed', kind: 'AMOUNT' })).toMatchObject({
    accountIds: [ACCOUNT],
    dayFrom: '2026-11-19',
    dayTo: '2026-11-19',
    states: ['EXPLAINED', 'RESOLVED'],
    kinds: ['AMOUNT'],
  });
});

test.each([
  ['0-2', '2026-11-19', '2026-11-21'],
  ['3-7', '2026-11-14', '2026-11-18'],
  ['31-', null, '2026-10-21'],
])('an age of %s days is counted up to today', async (age, dayFrom, dayTo) => {
  expect(await filterOf({ age })).toMatchObject({ dayFrom, dayTo });
});

test('the day chosen in the grid goes before an age', async () => {
  expect(await filterOf({ account: ACCOUNT, day: '2026-11-19', age: '31-' })).toMatchObject({ dayFrom: '2026-11-19' });
});

test('the summary by age counts every age, with the other filters', async () => {
  const filters = await loadReconciliationPage({ age: '31-', kind: 'AMOUNT' });
  const { filter, today } = toAgeInput(SCOPE, filters, NOON);
  expect([filter, today]).toEqual([await filterOf({ kind: 'AMOUNT' }), '2026-11-21']);
});

test('the list is filtered by owner, amount and tolerance, the oldest first unless sorted otherwise', async () => {
  expect(await filterOf({ owner: ACCOUNT, least: '10', most: '2500', tolerated: 'true' })).toMatchObject({
    ownerId: ACCOUNT,
    amountFrom: 10,
    amountTo: 2_500,
    withinTolerance: true,
  });
  expect(await filterOf({ owner: 'NONE' })).toMatchObject({ unowned: true });
  const sortOf = async (query: Record<string, string>) =>
    toDiscrepanciesInput(SCOPE, await loadReconciliationPage(query), NOON).sort;
  expect(await sortOf({})).toEqual({ by: 'day', order: 'asc' });
  expect(await sortOf({ sort: '-difference' })).toEqual({ by: 'amount', order: 'desc' });
  expect(await sortOf({ sort: 'age' })).toEqual({ by: 'day', order: 'desc' });
});

test('what cannot be read in the address filters nothing', async () => {
  const filter = await filterOf({
    account: "x' OR 1",
    day: '2026-02-30',
    state: 'odd',
    kind: 'ODD',
    age: '9',
    owner: 'x',
    least: '-1',
  });
  expect(filter).toEqual(await filterOf({}));
});
