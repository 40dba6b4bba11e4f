import { expect, test } from 'vitest';
import { addWorkingDays, daysBetween } from './calendar.ts';

test.each([
  ['2026-11-20', 1, [], '2026-11-23'],
  ['2026-11-20', 2, ['2026-11-23'], '2026-11-25'],
  ['2026-11-21', 1, [], '2026-11-23'],
  ['2026-11-24', 0, [], '2026-11-24'],
  // Nothing is paid out on days off.
  ['2026-11-21', 0, [], '2026-11-23'],
  ['2026-11-22', 0, ['2026-11-23'], '2026-11-24'],
])('from %s on, %i working days with the holidays %j lead to %s', (day, count, holidays, expected) => {
  expect(addWorkingDays(day, count, holidays)).toBe(expected);
});

test('calendar days are counted over months, and back', () => {
  expect([daysBetween('2026-02-28', '2026-03-01'), daysBetween('2026-03-01', '2026-02-28')]).toEqual([1, -1]);
});
