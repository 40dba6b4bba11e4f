import { expect, test } from 'vitest';
import { dayIn, stepsSince } from './zone-calendar.ts';

test.each([
  ['day', '2026-10-23', '2026-10-23', 0],
  ['day', '2026-09-23', '2026-10-18', 25],
  // Friday 23 October lies in the week of Monday the 19th.
  ['week', '2026-10-23', '2026-10-19', 0],
  ['week', '2026-10-23', '2026-10-26', 1],
  ['week', '2026-10-26', '2026-10-26', 0],
  ['month', '2026-10-23', '2026-10-01', 0],
  ['month', '2026-11-15', '2027-01-01', 2],
] as const)('of a period by %s that begins on %s, %s is step %d, whatever happened before it', (step, first, day, steps) => {
  expect(stepsSince(first, day, step)).toBe(steps);
});

test('a day is the calendar day of the zone', () => {
  expect(dayIn('Africa/Lagos', new Date('2026-10-22T23:00:00Z'))).toBe('2026-10-23');
});
