// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { button, checkbox, openDashboard, textsOf } from '#/testing/dashboard.tsx';
import { Controlled } from '#/testing/page.tsx';
import type { ListSort } from '../list/list-parsers.ts';
import type { DataColumn } from './columns.tsx';
import { DataTable, isBlank } from './data-table.tsx';

describe('data table', () => {
  const page = openDashboard('?mode=test', '/payments');
  const { show } = page;

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
    show(<DataTable label="Payments" name="payments" columns={COLUMNS} rows={PAYMENTS} rowKey={rowKey} />);
    screen.getByRole('table', { name: 'Payments' });
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Order', 'Amount', 'Actions']);
    expect(orders()).toEqual(['ORD-2', 'ORD-10', 'ORD-1']);
  });

  test('a header sorts rows that are all here by their values, first in its own direction, then in the other', async () => {
    const user = show(<DataTable label="Payments" name="payments" columns={SORTED_HERE} rows={PAYMENTS} rowKey={rowKey} />);
    expect(header('Amount').getAttribute('aria-sort')).toBe('none');
    await user.click(screen.getByRole('button', { name: 'Amount' }));
    expect(header('Amount').getAttribute('aria-sort')).toBe('descending');
    expect(orders()).toEqual(['ORD-10', 'ORD-2', 'ORD-1']);
    await user.keyboard('{Enter}');
    expect(header('Amount').getAttribute('aria-sort')).toBe('ascending');
    expect(orders()).toEqual(['ORD-1', 'ORD-2', 'ORD-10']);
  });

  test('a column that does not sort has no button', () => {
    show(<DataTable label="Payments" name="payments" columns={SORTED_HERE} rows={PAYMENTS} rowKey={rowKey} />);
    expect(within(header('Order')).queryByRole('button')).toBeNull();
    expect(header('Order').hasAttribute('aria-sort')).toBe(false);
  });

  test('rows that the server sorts keep their order, and the header asks for another', async () => {
    const onSort = vi.fn<(sort: ListSort) => void>();
    const user = show(
      <DataTable
        label="Payments"
        name="payments"
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
      <Controlled<ReadonlySet<string>> initial={new Set()}>
        {(selected, select) => (
          <DataTable
            label="Payments"
            name="payments"
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
      </Controlled>,
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
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      id: `id-${index}`,
      order: `ORD-${index}`,
      amount: BigInt(index),
    }));
    const onNearEnd = vi.fn();
    // Nothing is laid out here: every row would be of no height.
    const height = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
    onTestFinished(() => height.mockRestore());
    const table = (rows: readonly Payment[]) => (
      <DataTable<Payment>
        key={rows.length}
        label="Payments"
        name="payments"
        columns={COLUMNS}
        rows={rows}
        rowKey={rowKey}
        onNearEnd={onNearEnd}
      />
    );
    show(table(many));
    expect(orders()[0]).toBe('ORD-0');
    expect(orders().length).toBeLessThan(100);
    expect(onNearEnd).not.toHaveBeenCalled();
    show(table(PAYMENTS));
    expect(onNearEnd).toHaveBeenCalled();
  });

  describe('the columns', () => {
    const CHOOSABLE: readonly DataColumn<Payment>[] = [
      { id: 'order', header: 'Order', fixed: true, cell: ({ order }) => <a href={`/${order}`}>{order}</a> },
      { id: 'amount', header: 'Amount', cell: ({ amount }) => amount.toString() },
      { id: 'reason', header: 'Reason', cell: ({ id }) => (id === 'never' ? 'Declined' : <span>–</span>) },
      { id: 'rule', header: 'Rule', optional: true, cell: () => 'rule-1' },
    ];
    const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    async function open(columns = CHOOSABLE, choices: unknown = {}) {
      page.on('account.tables', () => choices);
      page.on('account.setTable', (input) => input);
      const user = show(<DataTable label="Payments" name="payments" columns={columns} rows={PAYMENTS} rowKey={rowKey} />);
      await user.click(button('Columns'));
      await screen.findByRole('list', { name: 'Columns shown, in their order' });
      return user;
    }
    const kept = () => page.calls('account.setTable').at(-1);

    test('in which no row has anything fold away, and the choice says so', async () => {
      await open();
      expect(headers()).toEqual(['Order', 'Amount']);
      expect(checkbox('Reason (empty here)').checked).toBe(true);
    });

    test('that are always shown stay', () => {
      const fixed = CHOOSABLE.map((column) => ({ ...column, optional: false, fixed: true }));
      show(<DataTable label="Payments" name="payments" columns={fixed} rows={PAYMENTS} rowKey={rowKey} />);
      expect(headers()).toEqual(['Order', 'Amount', 'Reason', 'Rule']);
    });

    test('are added, taken away and moved by buttons, and each change is kept on the server', async () => {
      const user = await open();
      await user.click(checkbox('Rule'));
      expect(headers()).toEqual(['Order', 'Amount', 'Rule']);
      await waitFor(() =>
        expect(kept()).toEqual({ table: 'payments', choice: { columns: ['order', 'amount', 'reason', 'rule'], pinned: [] } }),
      );
      await user.click(button('Move Amount up'));
      expect(headers()).toEqual(['Amount', 'Order', 'Rule']);
      await user.click(checkbox('Rule'));
      expect(headers()).toEqual(['Amount', 'Order']);
      expect(checkbox('Order').disabled).toBe(true);
      await waitFor(() => expect(kept()).toMatchObject({ choice: { columns: ['amount', 'order', 'reason'] } }));
    });

    test('keep the focus when they are added and taken away', async () => {
      const user = await open();
      for (const isShown of [true, false]) {
        checkbox('Rule').focus();
        await user.keyboard(' ');
        await waitFor(() => expect(checkbox('Rule').checked).toBe(isShown));
        await waitFor(() => expect(document.activeElement).toBe(checkbox('Rule')));
      }
    });

    test('are moved with the keyboard alone', async () => {
      const user = await open();
      button('Move Amount').focus();
      await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
      expect(headers()).toEqual(['Amount', 'Order']);
    });

    test('that are pinned come first, and go back to their place', async () => {
      const user = await open();
      await user.click(button('Pin Amount'));
      expect(headers()).toEqual(['Amount', 'Order']);
      expect(header('Amount').dataset.pinned).toBe('true');
      expect(header('Order').dataset.pinned).toBeUndefined();
      expect(button('Pin Amount').getAttribute('aria-pressed')).toBe('true');
      // A column that is not pinned cannot be moved before one that is.
      expect(screen.queryByRole('button', { name: 'Move Order up' })).toBeNull();
      await waitFor(() => expect(kept()).toEqual({ table: 'payments', choice: { columns: null, pinned: ['amount'] } }));
      await user.click(button('Pin Amount'));
      expect(headers()).toEqual(['Order', 'Amount']);
      await waitFor(() => expect(kept()).toEqual({ table: 'payments', choice: null }));
    });

    test('are those that the person chose before, until they go back to the default ones', async () => {
      const choices = { payments: { columns: ['rule', 'order'], pinned: ['order'] }, keys: { columns: ['name'], pinned: [] } };
      const user = await open(CHOOSABLE, choices);
      await waitFor(() => expect(headers()).toEqual(['Order', 'Rule']));
      await user.click(button('Reset to default'));
      expect(headers()).toEqual(['Order', 'Amount']);
      expect(screen.queryByRole('button', { name: 'Reset to default' })).toBeNull();
      await waitFor(() => expect(kept()).toEqual({ table: 'payments', choice: null }));
    });

    test('of a table of two cannot be chosen', () => {
      show(<DataTable label="Payments" name="payments" columns={CHOOSABLE.slice(0, 2)} rows={PAYMENTS} rowKey={rowKey} />);
      expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull();
    });

    test('that could not be kept are shown all the same, with a word about it', async () => {
      const user = await open();
      page.on('account.setTable', () => {
        throw new Error('The database is unavailable.');
      });
      await user.click(checkbox('Rule'));
      await waitFor(() => expect(page.toasts()).toEqual(['Your columns could not be kept. They last until you leave the page.']));
      expect(headers()).toEqual(['Order', 'Amount', 'Rule']);
    });

    describe('of a saved view', () => {
      const viewed = openDashboard('?mode=test&columns=rule,order', '/payments');

      test('come before those of the person, until they are changed', async () => {
        viewed.on('account.tables', () => ({ payments: { columns: ['amount', 'order'], pinned: [] } }));
        viewed.on('account.setTable', (input) => input);
        const user = viewed.show(
          <DataTable label="Payments" name="payments" columns={CHOOSABLE} rows={PAYMENTS} rowKey={rowKey} />,
        );
        expect(headers()).toEqual(['Rule', 'Order']);
        await user.click(button('Columns'));
        await user.click(await screen.findByRole('checkbox', { name: 'Amount' }));
        expect(headers()).toEqual(['Rule', 'Order', 'Amount']);
        await waitFor(() => expect(viewed.search()).toBe('?mode=test'));
        expect(viewed.calls('account.setTable')).toEqual([
          { table: 'payments', choice: { columns: ['rule', 'order', 'amount'], pinned: [] } },
        ]);
      });
    });
  });

  test('a click beside the controls of a row opens it, once', async () => {
    const onOpen = vi.fn();
    const columns: readonly DataColumn<Payment>[] = [
      {
        id: 'order',
        header: 'Order',
        cell: ({ id, order }) => (
          <button type="button" className="row-link" onClick={() => onOpen(id)}>
            {order}
          </button>
        ),
      },
      { id: 'amount', header: 'Amount', cell: ({ amount }) => amount.toString() },
      { id: 'actions', header: 'Actions', unseen: true, cell: () => <button type="button">Refund</button> },
    ];
    const user = show(<DataTable label="Payments" name="payments" columns={columns} rows={PAYMENTS} rowKey={rowKey} />);
    await user.click(screen.getByRole('cell', { name: '900' }));
    await user.click(button('ORD-10'));
    await user.click(screen.getAllByRole('button', { name: 'Refund' })[0] as HTMLElement);
    expect(onOpen.mock.calls).toEqual([['b'], ['a']]);
    expect(textsOf(screen.getAllByRole('row')[1] as HTMLElement)).toEqual(['ORD-2', '900', 'Refund']);
  });
});

const Word = () => null;

test.each([
  ['nothing', null],
  ['a condition that does not hold', false],
  ['a dash', '–'],
  ['a dash in an element', <span key="a">–</span>],
  [
    'a fragment without content',
    <>
      {null} {false}
    </>,
  ],
  ['elements without content', [<div key="a" />, <span key="b"> </span>]],
])('%s says nothing', (_, node) => expect(isBlank(node)).toBe(true));

test.each([
  ['a number of none', 0],
  ['a text', 'paystack'],
  ['a minus before a number', '−5'],
  ['a text deep in elements', <span key="a">{[null, <div key="b">–{'x'}</div>]}</span>],
  ['a control', <input key="a" />],
  ['a component, whatever it shows', <Word key="a" />],
])('%s says something', (_, node) => expect(isBlank(node)).toBe(false));

describe('keys', () => {
  const { show } = openDashboard('?mode=test', '/payments');
  const focused = () => document.activeElement?.textContent;

  test('j and k walk the rows from anywhere, the arrows from a row, and stop at either end', async () => {
    const user = show(<Walked />);
    for (const [key, order] of [
      ['j', 'A-1'],
      ['j', 'A-2'],
      ['{ArrowDown}', 'A-3'],
      ['j', 'A-3'],
      ['{ArrowUp}', 'A-2'],
      ['k', 'A-1'],
      ['k', 'A-1'],
    ] as const) {
      await user.keyboard(key);
      expect([key, focused()]).toEqual([key, order]);
    }
  });

  test('x chooses the row that has the focus', async () => {
    const onChange = vi.fn();
    const user = show(<Walked onChange={onChange} />);
    await user.keyboard('jj');
    await user.keyboard('x');
    expect([...(onChange.mock.lastCall?.[0] ?? [])]).toEqual(['2']);
    expect(focused()).toBe('A-2');
  });

  test('what is typed into a field, and an arrow outside of the table, is left alone', async () => {
    const user = show(
      <>
        <input aria-label="Search" />
        <Walked />
      </>,
    );
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(document.body);
    await user.type(screen.getByRole('textbox', { name: 'Search' }), 'jx');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' }).value).toBe('jx');
  });
});

/** A list of three rows, of which some can be selected. */
function Walked({ onChange }: { onChange?: (selected: ReadonlySet<string>) => void }) {
  const rows = ['1', '2', '3'].map((id) => ({ id, order: `A-${id}` }));
  const columns: readonly DataColumn<(typeof rows)[number]>[] = [
    { id: 'order', header: 'Order', fixed: true, link: ({ id, order }) => ({ href: `/payments/${id}`, text: order }) },
  ];
  const selection = onChange && { selected: new Set<string>(), onChange, nameOf: ({ order }: { order: string }) => order };
  return (
    <DataTable
      label="Walked"
      name="walked"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      {...(selection !== undefined && { selection })}
    />
  );
}
