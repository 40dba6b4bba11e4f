import { expect, test } from 'vitest';
import { columnsShown, type ListColumn, pickColumns } from './list-columns.ts';
import { type ListSort, readSort, writeSort } from './list-parsers.ts';

const COLUMNS: readonly ListColumn[] = [
  { id: 'status', title: 'Status' },
  { id: 'order', title: 'Order', fixed: true },
  { id: 'rule', title: 'Rule', optional: true },
  { id: 'actions', title: 'Actions', fixed: true },
];
const ORDERS: readonly [ListSort, ListSort] = [
  { by: 'created', descending: true },
  { by: 'amount', descending: true },
];

test.each([
  [[], ['status', 'order', 'actions']],
  [
    ['rule', 'status'],
    ['order', 'rule', 'status', 'actions'],
  ],
  [
    ['actions', 'order', 'rule'],
    ['actions', 'order', 'rule'],
  ],
  [['nonsense'], ['status', 'order', 'actions']],
  [
    ['rule', 'rule', 'nonsense'],
    ['order', 'rule', 'actions'],
  ],
])('of the wanted columns %j, %j are shown', (wanted, shown) => {
  expect(columnsShown(COLUMNS, wanted)).toEqual(shown);
  expect(pickColumns(COLUMNS, shown).map(({ id }) => id)).toEqual(shown);
});

test.each([
  ['', { by: 'created', descending: true }, null],
  ['-created', { by: 'created', descending: true }, null],
  ['created', { by: 'created', descending: false }, 'created'],
  ['-amount', { by: 'amount', descending: true }, '-amount'],
  ['amount', { by: 'amount', descending: false }, 'amount'],
  ['-customer', { by: 'created', descending: true }, null],
])('the order %j in an address is %j, written as %j', (text, sort, written) => {
  expect(readSort(text, ORDERS)).toEqual(sort);
  expect(writeSort(sort, ORDERS)).toBe(written);
});
