// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { RadioGroup } from './radio-group.tsx';

const { show } = openPage();

type Mode = 'now' | 'later' | 'never';
const CHOICES = [
  { value: 'now', label: 'Now', description: 'As soon as it is approved' },
  { value: 'later', label: 'Later' },
  { value: 'never', label: 'Never' },
] as const;

function showGroup(initial: Mode | null, error: string | null = null) {
  const onChange = vi.fn<(value: Mode) => void>();
  const user = show(
    <Controlled<Mode | null> initial={initial}>
      {(value, change) => (
        <RadioGroup<Mode>
          label="Publish"
          choices={CHOICES}
          value={value}
          error={error}
          onChange={(next) => {
            change(next);
            onChange(next);
          }}
        />
      )}
    </Controlled>,
  );
  return { user, onChange };
}
const checked = () => screen.queryAllByRole('radio', { checked: true }).map((radio) => radio.closest('label')?.textContent);

test('the arrow keys go through the options', async () => {
  const { user, onChange } = showGroup('later');
  await user.tab();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(onChange.mock.calls.flat()).toEqual(['never', 'now']);
  expect(checked()).toEqual(['NowAs soon as it is approved']);
});

test('a click on an option or its hint chooses it', async () => {
  const { user } = showGroup(null);
  expect(checked()).toEqual([]);
  await user.click(screen.getByText('As soon as it is approved'));
  expect(checked()).toEqual(['NowAs soon as it is approved']);
  await user.click(screen.getByRole('radio', { name: 'Never' }));
  expect(checked()).toEqual(['Never']);
});

test('an error describes the group', () => {
  showGroup(null, 'must be chosen');
  screen.getByRole('group', { name: 'Publish', description: 'Must be chosen.' });
});

test('two groups on a page do not take the choice from each other', async () => {
  const user = show(
    <>
      <RadioGroup<Mode> label="One" choices={CHOICES} value="now" onChange={() => undefined} />
      <RadioGroup<Mode> label="Other" choices={CHOICES} value="never" onChange={() => undefined} />
    </>,
  );
  expect(checked()).toEqual(['NowAs soon as it is approved', 'Never']);
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(screen.getAllByRole('radio', { name: 'Never' })[1]);
});
