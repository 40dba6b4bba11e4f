import { expect, test } from 'vitest';
import { startOfDay } from './calendar-days.ts';

test.each([
  ['Africa/Lagos', '2026-11-20T14:00:00Z', '2026-11-19T23:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-20T14:00:00Z', '2026-11-19T18:15:00.000Z'],
  ['America/New_York', '2026-11-01T20:00:00Z', '2026-11-01T04:00:00.000Z'], // the clock goes back this day
  ['UTC', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00.000Z'],
])('a day begins at midnight in %s', (zone, moment, midnight) => {
  expect(startOfDay(new Date(moment), zone).toISOString()).toBe(midnight);
});
