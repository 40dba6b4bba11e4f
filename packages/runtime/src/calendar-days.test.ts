import { expect, test } from 'vitest';
import { addDays, addMonths, startOfDay } from './calendar-days.ts';

test.each([
  ['Africa/Lagos', '2026-11-20T14:00:00Z', '2026-11-19T23:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-20T14:00:00Z', '2026-11-19T18:15:00.000Z'],
  ['America/New_York', '2026-11-01T20:00:00Z', '2026-11-01T04:00:00.000Z'], // the clock goes back this day
  ['UTC', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00.000Z'],
])('a day begins at midnight in %s', (zone, moment, midnight) => {
  expect(startOfDay(new Date(moment), zone).toISOString()).toBe(midnight);
});

test('days and months are added over the ends of months and years, and back', () => {
  expect([addDays('2026-02-28', 1), addDays('2026-03-01', -1)]).toEqual(['2026-03-01', '2026-02-28']);
  expect([addMonths('2026-12', 1), addMonths('2026-01', -1), addMonths('2026-11', 3)]).toEqual(['2027-01', '2025-12', '2027-02']);
});
