// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Held, openPage } from '#/testing/page.tsx';
import type { ListSort } from '../list/list-parsers.ts';
import { type DataColumn, DataTable } from './data-table.tsx';

const { show } = openPage();

interface Payment {
  readonly id: string;
  readonly order: string;
  readonly amount: bigint;
}
const PAYMENTS: readonly Payment[] = [
  { id: 'b', order: 'ORD-2', amount: 900n },
  { id: 'a', order: 'ORD-10', amount: 12_000n },
  { id: 'c', order: 'ORD-1', amount: 30n },
];
const COLUMNS: readonly DataColumn<Payment>[] = [
  { id: 'order', header: 'Order', cell: ({ order }) => order },
  { id: 'amount', header: 'Amount', sortable: 'descending', cell: ({ amount }) => amount.toString() },
  { id: 'actions', header: 'Actions', unseen: true, cell: ({ order }) => <button type="button">Open {order}</button> },
];
const SORTED_HERE = COLUMNS.map((column) =>
  column.id === 'amount' ? { ...column, sortValue: ({ amount }: Payment) => amount } : column,
);
const rowKey = ({ id }: Payment) => id;

const header = (name: string) => screen.getByRole('columnheader', { name });
const orders = () =>
  screen.getAllByRole('row').flatMap((row) => /ORD-\d+/.exec(within(row).queryAllByRole('cell')[0]?.textContent ?? '') ?? []);

test('it is a named table of rows and cells, whose headers are read out', () => {
  show(<DataTable label="Payments" columns={COLUMNS} rows={PAYMENTS} rowKey={rowKey} />);
  screen.getByRole('table', { name: 'Payments' });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Order', 'Amount', 'Actions']);
  expect(orders()).toEqual(['ORD-2', 'ORD-10', 'ORD-1']);
});

test('a header sorts rows that are all here by their values, first in its own direction, then in the other', async () => {
  const user = show(<DataTable label="Payments" columns={SORTED_HERE} rows={PAYMENTS} rowKey={rowKey} />);
  expect(header('Amount').getAttribute('aria-sort')).toBe('none');
  await user.click(screen.getByRole('button', { name: 'Amount' }));
  expect(header('Amount').getAttribute('aria-sort')).toBe('descending');
  expect(orders()).toEqual(['ORD-10', 'ORD-2', 'ORD-1']);
  await user.keyboard('{Enter}');
  expect(header('Amount').getAttribute('aria-sort')).toBe('ascending');
  expect(orders()).toEqual(['ORD-1', 'ORD-2', 'ORD-10']);
});

test('a column that does not sort has no button', () => {
  show(<DataTable label="Payments" columns={SORTED_HERE} rows={PAYMENTS} rowKey={rowKey} />);
  expect(within(header('Order')).queryByRole('button')).toBeNull();
  expect(header('Order').hasAttribute('aria-sort')).toBe(false);
});

test('rows that the server sorts keep their order, and the header asks for another', async () => {
  const onSort = vi.fn<(sort: ListSort) => void>();
  const user = show(
    <DataTable
      label="Payments"
      columns={COLUMNS}
      rows={PAYMENTS}
      rowKey={rowKey}
      sort={{ by: 'amount', descending: true }}
      onSort={onSort}
    />,
  );
  expect(header('Amount').getAttribute('aria-sort')).toBe('descending');
  await user.click(screen.getByRole('button', { name: 'Amount' }));
  expect(onSort.mock.calls).toEqual([[{ by: 'amount', descending: false }]]);
  expect(orders()).toEqual(['ORD-2', 'ORD-10', 'ORD-1']);
});

function showSelection(isSelectable: (payment: Payment) => boolean) {
  const onChange = vi.fn<(selected: readonly string[]) => void>();
  const user = show(
    <Held<ReadonlySet<string>> initial={new Set()}>
      {(selected, select) => (
        <DataTable
          label="Payments"
          columns={COLUMNS}
          rows={PAYMENTS}
          rowKey={rowKey}
          selection={{
            selected,
            onChange: (next) => {
              select(next);
              onChange([...next].toSorted());
            },
            nameOf: ({ order }) => `order ${order}`,
            isSelectable,
          }}
        />
      )}
    </Held>,
  );
  return { user, onChange };
}
const all = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all loaded rows' });

test('rows are selected one by one, and the box in the header says how many are', async () => {
  const { user, onChange } = showSelection(() => true);
  expect([all().checked, all().indeterminate]).toEqual([false, false]);
  await user.click(screen.getByRole('checkbox', { name: 'Select order ORD-10' }));
  expect([all().checked, all().indeterminate]).toEqual([false, true]);
  await user.click(screen.getByRole('checkbox', { name: 'Select order ORD-2' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select order ORD-1' }));
  expect([all().checked, all().indeterminate]).toEqual([true, false]);
  await user.click(screen.getByRole('checkbox', { name: 'Select order ORD-10' }));
  expect(onChange.mock.calls.flat()).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c'], ['b', 'c']]);
});

test('the box in the header selects every row that can be, and none', async () => {
  const { user, onChange } = showSelection(({ id }) => id !== 'b');
  expect(screen.queryByRole('checkbox', { name: 'Select order ORD-2' })).toBeNull();
  await user.click(all());
  await user.click(all());
  expect(onChange.mock.calls.flat()).toEqual([['a', 'c'], []]);
});

test('of many rows only those near the window exist, and the end is told when it is near', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => ({ id: `id-${index}`, order: `ORD-${index}`, amount: BigInt(index) }));
  const onNearEnd = vi.fn();
  // Nothing is laid out here: every row would be of no height.
  const height = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  onTestFinished(() => height.mockRestore());
  const table = (rows: readonly Payment[]) => (
    <DataTable key={rows.length} label="Payments" columns={COLUMNS} rows={rows} rowKey={rowKey} onNearEnd={onNearEnd} />
  );
  show(table(many));
  expect(orders()[0]).toBe('ORD-0');
  expect(orders().length).toBeLessThan(100);
  expect(onNearEnd).not.toHaveBeenCalled();
  show(table(PAYMENTS));
  expect(onNearEnd).toHaveBeenCalled();
});
