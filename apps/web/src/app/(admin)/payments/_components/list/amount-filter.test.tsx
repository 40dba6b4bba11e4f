// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { AmountFilter, MoreFilters } from './amount-filter.tsx';

const page = openDashboard('?mode=live');
const onChange = vi.fn();
beforeEach(() => onChange.mockReset());

test('amounts are applied by Enter; an empty end is open', async () => {
  const user = page.show(<AmountFilter min={null} max={5_000} onChange={onChange} />);
  expect(field('Up to').value).toBe('5,000');
  await user.clear(field('Up to'));
  await user.type(field('From'), '2500{Enter}');
  await waitFor(() => expect(onChange.mock.lastCall?.[0]).toEqual({ min: 2_500, max: null }));
});

test('a lower end above the upper one is not applied', async () => {
  const user = page.show(<AmountFilter min={10} max={5} onChange={onChange} />);
  await user.click(button('Apply'));
  await expectProblem('textbox', 'Up to', 'Must not be less than the other.');
  expect(onChange).not.toHaveBeenCalled();
});

test('a customer and a rule are applied without blanks, and taken away', async () => {
  const user = page.show(<MoreFilters customer="" rule="r-1" onChange={onChange} />);
  await user.clear(field('Rule'));
  await user.type(field('Customer'), ' ada@shop.example {Enter}');
  await waitFor(() => expect(onChange.mock.lastCall?.[0]).toEqual({ customer: 'ada@shop.example', rule: null }));
});
