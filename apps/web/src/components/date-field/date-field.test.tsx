// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { type ComponentProps, createElement } from 'react';
import { expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { DateField, DateRangeField, DateTimeField, TimeField } from './date-field.tsx';

const { show } = openPage();

const onChange = vi.fn<(value: string) => void>();
type Field = typeof DateField | typeof DateTimeField | typeof TimeField;

/** Shows a field of a date or time that keeps what is entered, and a button after it. */
function showField<Shown extends Field>(field: Shown, props: ComponentProps<Shown>) {
  onChange.mockClear();
  const change = (next: string, keep: (value: string) => void) => {
    keep(next);
    onChange(next);
  };
  return show(
    <>
      <Controlled initial={props.value}>
        {(value, keep) =>
          createElement<ComponentProps<Field>>(field, { ...props, value, onChange: (next) => change(next, keep) })
        }
      </Controlled>
      <button type="button">Next</button>
    </>,
  );
}

const noChange = () => undefined;
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const opener = (name: string) => screen.getByRole('button', { name: `Choose ${name} from a calendar` });
const calendar = (name: string) => screen.findByRole('dialog', { name: `Calendar: ${name}` });
const dayOf = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });

test('a day reads the same in every country, with its zone', () => {
  showField(DateField, { label: 'First day', value: '2026-04-05', onChange: noChange });
  expect(box('First day').value).toBe('5 Apr 2026');
  screen.getByRole('textbox', { name: 'First day', description: 'Time zone: Africa/Lagos' });
});

test('a day that is typed is given as soon as it can be read, and written out when the field is left', async () => {
  const user = showField(DateField, { label: 'First day', value: '', onChange: noChange });
  await user.type(box('First day'), '2026-11-23');
  expect(onChange.mock.calls).toEqual([['2026-11-23']]);
  expect(box('First day').value).toBe('2026-11-23');
  await user.tab();
  expect(box('First day').value).toBe('23 Nov 2026');
});

test('a day that means two is refused when the field is left, stays as typed, and changes nothing', async () => {
  const user = showField(DateField, { label: 'First day', value: '', onChange: noChange });
  await user.type(box('First day'), '04/05/2026');
  expect(box('First day').getAttribute('aria-invalid')).toBe('false');
  await user.tab();
  expect(box('First day').value).toBe('04/05/2026');
  expect(box('First day').getAttribute('aria-invalid')).toBe('true');
  screen.getByRole('textbox', { description: 'Is not a date that can be read: write it as 23 Nov 2026.' });
  expect(onChange).not.toHaveBeenCalled();
  await user.clear(box('First day'));
  expect(box('First day').getAttribute('aria-invalid')).toBe('false');
});

test('the calendar opens at the day, with the focus on it, and a click chooses another', async () => {
  const user = showField(DateField, { label: 'First day', value: '2026-11-23', onChange: noChange });
  await user.click(opener('First day'));
  const opened = await calendar('First day');
  await waitFor(() => expect(document.activeElement).toBe(dayOf(/November 23rd, 2026/)));
  within(opened).getByRole('grid', { name: 'November 2026' });
  await user.click(dayOf(/November 26th, 2026/));
  await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
  expect(onChange.mock.calls).toEqual([['2026-11-26']]);
  expect(box('First day').value).toBe('26 Nov 2026');
  await waitFor(() => expect(document.activeElement).toBe(opener('First day')));
});

test('the arrow keys go through the calendar, beyond the month, and Enter chooses', async () => {
  const user = showField(DateField, { label: 'First day', value: '2026-11-29', onChange: noChange });
  await user.click(opener('First day'));
  await waitFor(() => expect(document.activeElement).toBe(dayOf(/November 29th, 2026/)));
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(document.activeElement).toBe(dayOf(/November 30th, 2026/)));
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(document.activeElement).toBe(dayOf(/December 7th, 2026/)));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
  expect(onChange.mock.calls).toEqual([['2026-12-07']]);
});

test('weeks begin on Monday, and the months are turned by buttons', async () => {
  const user = showField(DateField, { label: 'First day', value: '2026-11-23', onChange: noChange });
  await user.click(opener('First day'));
  const opened = within(await calendar('First day'));
  expect(opened.getByRole('grid').querySelector('th')?.textContent).toBe('Mo');
  await user.click(opened.getByRole('button', { name: 'Previous month' }));
  opened.getByRole('grid', { name: 'October 2026' });
  await user.click(opened.getByRole('button', { name: 'Next month' }));
  opened.getByRole('grid', { name: 'November 2026' });
});

test('days outside the limits cannot be chosen from the calendar', async () => {
  const limits = { min: '2026-11-10', max: '2026-11-24' };
  const user = showField(DateField, { label: 'First day', value: '2026-11-23', onChange: noChange, ...limits });
  await user.click(opener('First day'));
  await calendar('First day');
  const isOpen = (name: RegExp) => !dayOf(name).disabled;
  const days = [/November 9th, 2026/, /November 10th, 2026/, /November 24th, 2026/, /November 25th, 2026/];
  expect(days.map(isOpen)).toEqual([false, true, true, false]);
});

test('Escape closes the calendar, not the dialog around it, and changes nothing', async () => {
  const onClose = vi.fn();
  const choose = vi.fn();
  const user = show(
    <Dialog title="Export" onClose={onClose}>
      <DateField label="First day" value="2026-11-23" onChange={choose} />
    </Dialog>,
  );
  await user.click(opener('First day'));
  await waitFor(() => expect(document.activeElement).toBe(dayOf(/November 23rd, 2026/)));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
  expect(onClose).not.toHaveBeenCalled();
  expect(choose).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(opener('First day')));
});

test('a field that is disabled opens no calendar', () => {
  show(<DateField label="First day" value="2026-11-23" onChange={noChange} disabled />);
  expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true);
  expect(box('First day').disabled).toBe(true);
});

test('a period whose ends are reversed is an error of its end', () => {
  show(<DateRangeField from="2026-11-23" to="2026-11-22" onChange={noChange} />);
  screen.getByRole('textbox', { name: 'To', description: 'Is before the first day.' });
  expect(box('From').getAttribute('aria-invalid')).toBe('false');
});

test('each end of a period is changed by itself', async () => {
  const change = vi.fn();
  const user = show(<DateRangeField from="2026-11-01" to="2026-11-22" onChange={change} />);
  await user.click(opener('To'));
  await calendar('To');
  await user.click(dayOf(/November 30th, 2026/));
  expect(change.mock.calls).toEqual([[{ from: '2026-11-01', to: '2026-11-30' }]]);
});

test.each([
  ['14:30', '14:30'],
  ['9', '09:00'],
  ['1430', '14:30'],
])('a time typed as %s is %s when the field is left', async (typed, time) => {
  const user = showField(TimeField, { label: 'Time', value: '', onChange: noChange });
  await user.type(box('Time'), typed);
  await user.tab();
  expect(box('Time').value).toBe(time);
  expect(onChange.mock.calls).toEqual([[time]]);
});

test('a text that is no time is refused when the field is left, and stays as typed', async () => {
  const user = showField(TimeField, { label: 'Time', value: '14:30', onChange: noChange });
  await user.clear(box('Time'));
  await user.type(box('Time'), '2 pm');
  await user.tab();
  expect(box('Time').value).toBe('2 pm');
  expect(box('Time').getAttribute('aria-invalid')).toBe('true');
  screen.getByRole('textbox', { description: 'Is not a time: write it as 14:30.' });
  expect(onChange).not.toHaveBeenCalled();
});

test('a moment is a day and a time in the zone that is named; midnight while no time is given', async () => {
  const user = showField(DateTimeField, { label: 'Starts', value: '', onChange: noChange, zone: 'Europe/Berlin' });
  screen.getByRole('group', { name: 'Starts', description: 'Time zone: Europe/Berlin' });
  await user.type(box('Date'), '23 Nov 2026');
  expect(onChange).toHaveBeenLastCalledWith('2026-11-23T00:00');
  await user.clear(box('Time'));
  await user.type(box('Time'), '14:30');
  await user.tab();
  expect(onChange).toHaveBeenLastCalledWith('2026-11-23T14:30');
  expect(box('Time').value).toBe('14:30');
  await user.clear(box('Date'));
  expect(onChange).toHaveBeenLastCalledWith('');
});

test('choosing another day of a moment from the calendar keeps its time', async () => {
  const user = showField(DateTimeField, { label: 'Starts', value: '2026-11-23T14:30', onChange: noChange });
  await user.click(opener('Date'));
  await calendar('Date');
  await user.click(dayOf(/November 26th, 2026/));
  expect(onChange.mock.calls).toEqual([['2026-11-26T14:30']]);
});

test('an error of a moment describes the group', () => {
  show(<DateTimeField label="Starts" value="" onChange={noChange} error="must be in the future" />);
  screen.getByRole('group', { name: 'Starts', description: 'Must be in the future.' });
});
