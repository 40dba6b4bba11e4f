// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { button, openDashboard, textOf } from '#/testing/dashboard.tsx';
import { ListEnd } from './list-end.tsx';
import { ListTools } from './list-tools.tsx';
import { StatusTabs } from './status-tabs.tsx';
import { type ListDefinition, useList } from './use-list.ts';

const page = openDashboard('?mode=test', '/payments');
const DEFINITION: ListDefinition = {
  page: 'payments',
  orders: [
    { by: 'created', descending: true },
    { by: 'amount', descending: true },
  ],
};
const CARDS: ListDefinition = {
  page: 'gateway-webhooks',
  isCards: true,
  orders: [{ by: 'received', descending: true, title: 'Received' }],
};

function List({ definition }: { definition: ListDefinition }) {
  const list = useList(definition);
  return (
    <>
      <ListTools list={list}>
        <button type="button">Export</button>
      </ListTools>
      <button type="button" onClick={list.reset}>
        Reset all
      </button>
    </>
  );
}
async function openSort(definition: ListDefinition) {
  page.on('savedViews.list', () => []);
  const user = page.show(<List definition={definition} />);
  await user.click(button('Sort'));
  await screen.findByRole('combobox', { name: /^Sort by/ });
  return user;
}

describe('the order of a list', () => {
  test('is chosen by the names of columns, in both directions; the first is not in the address', async () => {
    const user = await openSort(DEFINITION);
    await user.click(screen.getByRole('combobox', { name: /^Sort by/ }));
    expect((await screen.findAllByRole('option')).map(textOf)).toEqual([
      'Created, descending',
      'Created, ascending',
      'Amount, descending',
      'Amount, ascending',
    ]);
    await user.click(screen.getByRole('option', { name: 'Amount, ascending' }));
    await waitFor(() => expect(page.search()).toBe('?mode=test&sort=amount'));
    await user.click(button('Reset all'));
    await waitFor(() => expect(page.search()).toBe('?mode=test'));
  });

  test('has its own title where the id is not the word', async () => {
    await openSort(CARDS);
    expect(textOf(screen.getByRole('combobox', { name: /^Sort by/ }))).toBe('Received, descending');
  });
});

describe('the end of a list', () => {
  const show = (props: Partial<Parameters<typeof ListEnd>[0]>) => {
    page.show(<ListEnd loaded={1_234} noun={['refund', 'refunds']} {...props} />);
    return textOf(screen.getByRole('paragraph'));
  };

  test.each<[Partial<Parameters<typeof ListEnd>[0]>, string]>([
    [{}, '1,234 refunds'],
    [{ loaded: 1 }, '1 refund'],
    [{ loaded: 0 }, '0 refunds'],
    [{ hasMore: true }, 'Load more'],
    [{ hasMore: true, total: { count: 5_000, more: false } }, 'Load more1,234 of 5,000 refunds'],
    [{ hasMore: true, total: { count: 10_000, more: true } }, 'Load more1,234 of 10,000+ refunds'],
    [{ note: 'The newest are listed.' }, '1,234 refundsThe newest are listed.'],
  ])('with %j says %s', (props, words) => {
    expect(show(props)).toBe(words);
  });

  test('loads more once at a time', async () => {
    const onMore = vi.fn();
    const user = page.show(<ListEnd loaded={60} noun={['refund', 'refunds']} hasMore loadingMore onMore={onMore} />);
    await user.click(button('Load more'));
    expect(onMore).not.toHaveBeenCalled();
  });
});

test('statuses are pressed one, some or all, and say why a number is not exact', async () => {
  const onChange = vi.fn();
  const user = page.show(
    <StatusTabs
      label="Status"
      tabs={[
        { value: 'open', label: 'Open', count: { count: 10_000, more: true } },
        { value: 'closed', label: 'Closed', count: undefined },
      ]}
      all={{ count: 12, more: false }}
      chosen={['open', 'closed']}
      onChange={onChange}
    />,
  );
  const pressed = screen.getAllByRole('button').map((tab) => [textOf(tab), tab.getAttribute('aria-pressed')]);
  expect(pressed).toEqual([
    ['All12', 'false'],
    ['Open10,000+', 'true'],
    ['Closed', 'true'],
  ]);
  screen.getByTitle('There are more: lists are counted up to 10,000');
  await user.click(button(/^Open/));
  await user.click(button(/^All/));
  expect(onChange.mock.calls).toEqual([['open'], [null]]);
});
