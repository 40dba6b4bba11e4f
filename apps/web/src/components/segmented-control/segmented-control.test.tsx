// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { SegmentedControl } from './segmented-control.tsx';

const { show } = openPage();

const CHOICES = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const;
type Period = (typeof CHOICES)[number]['value'];

test('it is one stop of the tab key, and the arrow keys go through it', async () => {
  const onChange = vi.fn<(period: Period) => void>();
  const user = show(
    <Controlled<Period> initial="week">
      {(value, change) => (
        <>
          <SegmentedControl
            label="Period"
            choices={CHOICES}
            value={value}
            onChange={(next) => {
              change(next);
              onChange(next);
            }}
          />
          <button type="button">Next</button>
        </>
      )}
    </Controlled>,
  );
  const group = within(screen.getByRole('group', { name: 'Period' }));
  await user.tab();
  expect(document.activeElement).toBe(group.getByRole('radio', { name: 'Week' }));
  await user.keyboard('{ArrowRight}');
  expect(group.getByRole('radio', { checked: true })).toBe(group.getByRole('radio', { name: 'Month' }));
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(onChange.mock.calls.flat()).toEqual(['month', 'week', 'day']);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next' }));
});

test('a click selects', async () => {
  const onChange = vi.fn<(period: Period) => void>();
  const user = show(<SegmentedControl label="Period" choices={CHOICES} value="week" onChange={onChange} />);
  await user.click(screen.getByText('Month'));
  expect(onChange.mock.calls).toEqual([['month']]);
});
