import { beforeEach, expect, test } from 'vitest';
import { createSeriesStore, emptyCounts, type SeriesStore } from './health-series.ts';
import type { HealthCounts } from './queries.ts';

const KEY = { merchantId: 'balogun', accountId: 'paystack', method: 'CARD' };
const BEGIN = Date.parse('2026-11-20T14:00:00Z');

let store: SeriesStore;
beforeEach(() => {
  store = createSeriesStore();
});

const counted = (at: number, succeeded: number): HealthCounts => ({ ...emptyCounts(KEY, new Date(at)), succeeded });
const buckets = () =>
  (store.find('paystack', 'CARD')?.buckets ?? [])
    .map(({ at, succeeded }) => [(at - BEGIN) / 1_000, succeeded])
    .sort(([one = 0], [other = 0]) => one - other);

test('counts that are read again replace those of the same time and after, and leave those before', () => {
  store.loadCounts([counted(BEGIN, 1), counted(BEGIN + 10_000, 2)], BEGIN, BEGIN + 15_000);
  store.loadCounts([counted(BEGIN + 10_000, 5), counted(BEGIN + 20_000, 3)], BEGIN + 10_000, BEGIN + 25_000);
  expect(buckets()).toEqual([
    [0, 1],
    [10, 5],
    [20, 3],
  ]);
  store.loadCounts([], BEGIN + 10_000, BEGIN + 25_000);
  expect(buckets()).toEqual([[0, 1]]);
});

test('counts of this process add to those of the same ten seconds', () => {
  store.addCounts([counted(BEGIN, 1)], BEGIN);
  store.addCounts([counted(BEGIN, 2), counted(BEGIN + 10_000, 4)], BEGIN + 10_000);
  expect(buckets()).toEqual([
    [0, 3],
    [10, 4],
  ]);
});

test('counts leave after five minutes, by either road', () => {
  store.addCounts([counted(BEGIN, 1)], BEGIN);
  store.loadCounts([], BEGIN + 300_000, BEGIN + 300_000);
  expect(buckets()).toEqual([[0, 1]]);
  store.loadCounts([], BEGIN + 300_001, BEGIN + 300_001);
  expect(buckets()).toEqual([]);
});

test('how payments ended is that of the last reading, of accounts that are known', () => {
  store.addCounts([counted(BEGIN, 1)], BEGIN);
  store.loadConversions([
    { accountId: 'paystack', method: 'CARD', paid: 3, unpaid: 1 },
    { accountId: 'paystack', method: '*', paid: 9, unpaid: 9 },
  ]);
  expect(store.find('paystack', 'CARD')).toMatchObject({ paid: 3, unpaid: 1 });
  expect(store.all()).toHaveLength(1);
});
