// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { SearchField } from './search-field.tsx';

const { show } = openPage();

function showField({ value = '', isInstant = false }: { value?: string; isInstant?: boolean } = {}) {
  const onSearch = vi.fn<(text: string) => void>();
  const user = show(
    <Controlled initial={value}>
      {(text, search) => (
        <SearchField
          label="Search payments"
          placeholder="ID, order, e-mail"
          value={text}
          isInstant={isInstant}
          onSearch={(next) => {
            search(next);
            onSearch(next);
          }}
        />
      )}
    </Controlled>,
  );
  return { user, onSearch, field: screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search payments' }) };
}

test('it searches once typing pauses, with the text trimmed', async () => {
  const { user, onSearch, field } = showField();
  await user.type(field, '  ORD-1 ');
  await waitFor(() => expect(onSearch).toHaveBeenCalledWith('ORD-1'));
  expect(field.value).toBe('  ORD-1 ');
});

test('Enter searches at once', async () => {
  const { user, onSearch, field } = showField();
  await user.click(field);
  await user.paste(' ORD-1 ');
  await user.keyboard('{Enter}');
  expect(onSearch.mock.calls).toEqual([['ORD-1']]);
});

test('an instant one searches with every key', async () => {
  const { user, onSearch, field } = showField({ isInstant: true });
  await user.type(field, 'ab');
  expect(onSearch.mock.calls).toEqual([['a'], ['ab']]);
});

test('the text is cleared by a button, which is there only while there is text', async () => {
  const { user, onSearch, field } = showField({ value: 'ORD-1' });
  expect(field.value).toBe('ORD-1');
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(onSearch.mock.calls).toEqual([['']]);
  expect(field.value).toBe('');
  expect(screen.queryByRole('button')).toBeNull();
});
