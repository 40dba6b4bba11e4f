import { expect, test } from 'vitest';
import { type ListSort, readSort, writeSort } from './list-parsers.ts';

const ORDERS: readonly [ListSort, ListSort] = [
  { by: 'created', descending: true },
  { by: 'amount', descending: true },
];

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
