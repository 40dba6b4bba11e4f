// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { AmountFilter } from './amount-filter.tsx';

const page = openDashboard('?mode=live');

test('amounts are applied as the exact digits that were entered, an empty one takes the filter away', async () => {
  const onChange = vi.fn();
  const user = page.show(<AmountFilter filters={{ least: '5', most: '' }} onChange={onChange} />);
  await user.clear(field('At least'));
  await user.type(field('At most'), '999999999999{Enter}');
  await waitFor(() => expect(onChange.mock.lastCall?.[0]).toEqual({ least: null, most: '999999999999' }));
});

test('what is no amount is not applied', async () => {
  const onChange = vi.fn();
  const user = page.show(<AmountFilter filters={{ least: '', most: '' }} onChange={onChange} />);
  await user.type(field('At least'), '-5{Enter}');
  await expectProblem('textbox', 'At least', 'Must be a whole amount.');
  expect(onChange).not.toHaveBeenCalled();
});
