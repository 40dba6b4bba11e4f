import { expect, test } from 'vitest';
import { describePeriod } from './period.ts';

test.each([
  ['2026-11-21', '2026-11-21', '21 Nov'],
  ['2026-11-15', '2026-11-21', '15 Nov to 21 Nov'],
  ['2026-11-15', '', 'since 15 Nov'],
  ['', '2026-11-21', 'until 21 Nov'],
  ['', '', ''],
  ['2026-02-30', 'soon', ''],
  ['2026-11-21T13:00:00Z', '2026-11-21T14:30:00Z', '21 Nov 2026, 14:00 to 21 Nov 2026, 15:30'],
])('from %j to %j is shown as %j', (from, to, text) => {
  expect(describePeriod(from, to)).toBe(text);
});
