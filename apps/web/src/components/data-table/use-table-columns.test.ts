import { expect, test } from 'vitest';
import { columnsShown, type TableColumn } from './use-table-columns.ts';

const COLUMNS: readonly TableColumn[] = [
  { id: 'status', header: 'Status' },
  { id: 'order', header: 'Order', fixed: true },
  { id: 'rule', header: 'Rule', optional: true },
  { id: 'actions', header: 'Actions', fixed: true },
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
});

test('pinned columns come first, in the order they are shown in; what is not shown is not pinned either', () => {
  const pinned = new Set(['actions', 'status', 'rule']);
  expect(columnsShown(COLUMNS, [], pinned)).toEqual(['status', 'actions', 'order']);
  expect(columnsShown(COLUMNS, ['rule', 'order', 'actions'], pinned)).toEqual(['rule', 'actions', 'order']);
});
