// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { EmptyState } from './empty-state.tsx';

const { show } = openPage();

test('it says what the list will hold, with an example and the first step', () => {
  show(
    <EmptyState title="No keys" example="sk_live_…" action={<button type="button">Create a key</button>}>
      Keys let your server in.
    </EmptyState>,
  );
  screen.getByRole('heading', { level: 2, name: 'No keys' });
  screen.getByText('Keys let your server in.');
  screen.getByText('sk_live_…');
  screen.getByRole('button', { name: 'Create a key' });
});

test('what is not given leaves no empty line', () => {
  show(<EmptyState title="No keys" />);
  expect(screen.queryAllByRole('paragraph')).toEqual([]);
});
