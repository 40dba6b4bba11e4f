// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { SortableList } from './sortable-list.tsx';

const { show } = openPage();

// The environment has no list of animations.
beforeAll(() => void Object.assign(document, { getAnimations: () => [] }));
afterAll(() => void Reflect.deleteProperty(document, 'getAnimations'));
// Loaded before, so that no test ends while it is being loaded.
beforeAll(() => import('./dragging.tsx'));

function showList() {
  const onMove = vi.fn<(from: number, to: number) => void>();
  const user = show(
    <Controlled<readonly string[]> initial={['one', 'two', 'three']}>
      {(keys, setKeys) => (
        <SortableList
          label="Rules"
          keys={keys}
          nameOf={(key) => `rule ${key}`}
          onMove={(from, to) => {
            onMove(from, to);
            const moved = keys.filter((_, index) => index === from);
            setKeys(keys.filter((_, index) => index !== from).toSpliced(to, 0, ...moved));
          }}
        >
          {(key, index) => `${index + 1}. ${key}`}
        </SortableList>
      )}
    </Controlled>,
  );
  return { user, onMove };
}
const grip = (key: string) => screen.getByRole('button', { name: `Move rule ${key}` });
const entries = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('Alt with an arrow moves an entry by one, which keeps the focus, and stops at the ends', async () => {
  const { user, onMove } = showList();
  screen.getByRole('list', { name: 'Rules' });
  await user.tab();
  expect(document.activeElement).toBe(grip('one'));
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(onMove).not.toHaveBeenCalled();
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(entries()).toEqual(['1. two', '2. one', '3. three']);
  expect(document.activeElement).toBe(grip('one'));
  await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}');
  expect(entries()).toEqual(['1. two', '2. three', '3. one']);
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(onMove.mock.calls).toEqual([
    [0, 1],
    [1, 2],
    [2, 1],
  ]);
});

test('a move is announced by the name of the entry and its new place, not by its key', async () => {
  const { user } = showList();
  await user.tab();
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  screen.getByText('Rule one: 2 of 3.');
  await waitFor(() => expect(grip('one').getAttribute('aria-roledescription')).toBe('draggable'));
  grip('one').focus();
  await user.keyboard(' ');
  await screen.findByText('Taken up. Rule one: 2 of 3.');
  await user.keyboard('{Escape}');
  await screen.findByText('Taken back. Rule one: 2 of 3.');
});

test('an arrow alone moves nothing', async () => {
  const { user, onMove } = showList();
  await user.tab();
  await user.keyboard('{ArrowDown}');
  expect(onMove).not.toHaveBeenCalled();
});

test('once dragging is loaded, Space takes an entry up and Escape takes it back', async () => {
  const { user, onMove } = showList();
  await waitFor(() => expect(grip('one').getAttribute('aria-roledescription')).toBe('draggable'));
  grip('one').focus();
  await user.keyboard(' ');
  const entry = () => grip('one').closest('li');
  await waitFor(() => expect(entry()?.getAttribute('data-dragging')).toBe('true'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(entry()?.getAttribute('data-dragging')).toBe('false'));
  expect(onMove).not.toHaveBeenCalled();
});
