// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { AreaField, Checkbox, CheckboxGroup, TextField } from './field.tsx';

const { show } = openPage();

test.each([
  ['a line', TextField],
  ['an area', AreaField],
])('%s of text takes what is typed, under its label', async (_, Field) => {
  const onChange = vi.fn<(text: string) => void>();
  const user = show(
    <Controlled initial="">
      {(value, keep) => (
        <Field
          label="Reason"
          value={value}
          onChange={({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
            keep(currentTarget.value);
            onChange(currentTarget.value);
          }}
        />
      )}
    </Controlled>,
  );
  await user.click(screen.getByText('Reason'));
  await user.keyboard('Late');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Reason' }).value).toBe('Late');
  expect(onChange).toHaveBeenLastCalledWith('Late');
});

test.each([
  ['a line', TextField],
  ['an area', AreaField],
])('%s of text says what is wrong in place of its description, as it appears', (_, Field) => {
  show(
    <>
      <Field label="Reason" description="For the customer" />
      <Field label="Note" description="For colleagues" error="must not be empty" />
      <Field label="Name" error={<>It is taken. See the other one.</>} />
    </>,
  );
  const right = screen.getByRole('textbox', { name: 'Reason', description: 'For the customer' });
  const wrong = screen.getByRole('textbox', { name: 'Note', description: 'Must not be empty.' });
  const whole = screen.getByRole('textbox', { name: 'Name', description: 'It is taken. See the other one.' });
  expect([right, wrong, whole].map((field) => field.getAttribute('aria-invalid'))).toEqual(['false', 'true', 'true']);
  expect(screen.queryByText('For colleagues')).toBeNull();
  expect(screen.getByText('Must not be empty.').getAttribute('aria-live')).toBe('polite');
});

test('a line of text shows its unit', () => {
  show(<TextField label="Share" unit="%" />);
  screen.getByText('%');
});

const EVENTS = [
  { value: 'paid', label: 'Paid', description: 'The money was received' },
  { value: 'failed', label: 'Failed' },
  { value: 'refunded', label: 'Refunded' },
] as const;
type Event = (typeof EVENTS)[number]['value'];

test('any number of a few are ticked, and given in the order of the choices', async () => {
  const onChange = vi.fn<(values: Event[]) => void>();
  const user = show(
    <Controlled<readonly Event[]> initial={['refunded']}>
      {(values, keep) => (
        <CheckboxGroup<Event>
          label="Events"
          choices={EVENTS}
          values={values}
          onChange={(next) => {
            keep(next);
            onChange(next);
          }}
        />
      )}
    </Controlled>,
  );
  const ticked = () => screen.queryAllByRole('checkbox', { checked: true });
  expect(ticked()).toEqual([screen.getByRole('checkbox', { name: 'Refunded' })]);
  await user.click(screen.getByText('The money was received'));
  await user.tab();
  await user.keyboard(' ');
  expect(ticked()).toHaveLength(3);
  await user.click(screen.getByRole('checkbox', { name: 'Refunded' }));
  expect(onChange.mock.calls).toEqual([[['paid', 'refunded']], [['paid', 'failed', 'refunded']], [['paid', 'failed']]]);
});

test.each(['form', 'menu'] as const)('an error describes the group of checkboxes, in a %s', (variant) => {
  const noChange = () => undefined;
  show(
    <CheckboxGroup
      label="Events"
      choices={EVENTS}
      values={[]}
      onChange={noChange}
      error="must have at least one"
      variant={variant}
    />,
  );
  screen.getByRole('group', { name: 'Events', description: 'Must have at least one.' });
});

test('a checkbox is on or off, by its label and by Space; not while it is disabled', async () => {
  const onChange = vi.fn<(on: boolean) => void>();
  const refused = vi.fn<(on: boolean) => void>();
  const user = show(
    <>
      <Controlled initial={false}>
        {(on, keep) => (
          <Checkbox
            label="Test mode"
            checked={on}
            onChange={(next) => {
              keep(next);
              onChange(next);
            }}
          />
        )}
      </Controlled>
      <Checkbox label="Live mode" checked disabled onChange={refused} />
    </>,
  );
  await user.click(screen.getByText('Test mode'));
  await user.keyboard(' ');
  expect(onChange.mock.calls.flat()).toEqual([true, false]);
  await user.click(screen.getByRole('checkbox', { name: 'Live mode' }));
  expect(refused).not.toHaveBeenCalled();
});
