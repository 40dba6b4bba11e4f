import { expect, test } from 'vitest';
import { dayNamed, describePeriod, PERIODS, periodBounds } from './period.ts';

test.each([
  ['2026-11-21', '2026-11-21', '21 Nov'],
  ['2026-11-15', '2026-11-21', '15 Nov to 21 Nov'],
  ['2026-11-15', '', 'since 15 Nov'],
  ['', '2026-11-21', 'until 21 Nov'],
  ['', '', ''],
  ['2026-02-30', 'soon', ''],
  ['2026-11-21T13:00:00Z', '2026-11-21T14:30:00Z', '21 Nov 2026, 14:00 to 21 Nov 2026, 15:30'],
  ['today-6', 'today', 'Last 7 days'],
  ['today-1', 'today-1', 'Yesterday'],
])('from %j to %j is shown as %j', (from, to, text) => {
  expect(describePeriod(from, to)).toBe(text);
});

// 00:30 of the 22nd in Lagos.
const NOW = Date.parse('2026-11-21T23:30:00Z');

test.each([
  ['today', '2026-11-22'],
  ['today-1', '2026-11-21'],
  ['today-29', '2026-10-24'],
  ['2026-11-03', '2026-11-03'],
  ['2026-02-30', null],
  ['today+1', null],
  ['today-', null],
  ['', null],
])('%j names the day %j', (text, day) => {
  expect(dayNamed(text, NOW)).toBe(day);
});

test('a relative period moves on with the calendar; fixed days and moments stay', () => {
  const days = (from: string, to: string, now: number) => {
    const { first, end } = periodBounds({ from, to }, now);
    return [first?.toISOString() ?? null, end?.toISOString() ?? null];
  };
  const tomorrow = NOW + 86_400_000;
  expect(days('today-6', 'today', NOW)).toEqual(['2026-11-15T23:00:00.000Z', '2026-11-22T23:00:00.000Z']);
  expect(days('today-6', 'today', tomorrow)).toEqual(['2026-11-16T23:00:00.000Z', '2026-11-23T23:00:00.000Z']);
  for (const now of [NOW, tomorrow]) {
    expect(days('2026-11-20', '2026-11-20', now)).toEqual(['2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z']);
    expect(days('2026-11-21T14:00:00Z', '', now)).toEqual(['2026-11-21T14:00:00.000Z', null]);
    expect(days('2026-02-30', 'soon', now)).toEqual([null, null]);
  }
  expect(new Set(PERIODS.map(({ label }) => label)).size).toBe(PERIODS.length);
});
