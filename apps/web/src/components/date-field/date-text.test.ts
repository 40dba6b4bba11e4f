import { expect, test } from 'vitest';
import { readDay, readTime, showDay } from './date-text.ts';

test('a day is shown with the name of its month, and read back the same', () => {
  expect(showDay('2026-11-03')).toBe('3 Nov 2026');
  for (let month = 1; month <= 12; month += 1) {
    const day = `2028-${String(month).padStart(2, '0')}-29`;
    expect(readDay(showDay(day))).toBe(day);
  }
});

test.each(['23 Nov 2026', '23 november 2026', 'Nov 23, 2026', ' 2026-11-23 ', '23  Nov, 2026'])('%j is 23 November', (text) => {
  expect(readDay(text)).toBe('2026-11-23');
});

test.each(['04/05/2026', '23.11.2026', '30 Feb 2026', '23 Nov', '23 Nov 26', '', 'yesterday', '2026-13-01'])(
  '%j is no day, or could be two',
  (text) => {
    expect(readDay(text)).toBeNull();
  },
);

test.each([
  ['14:30', '14:30'],
  ['1430', '14:30'],
  ['9:05', '09:05'],
  ['9', '09:00'],
  ['24:00', null],
  ['12:60', null],
  ['2 pm', null],
])('%j is the time %j', (text, time) => {
  expect(readTime(text)).toBe(time);
});
