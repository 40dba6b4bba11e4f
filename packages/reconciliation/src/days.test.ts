import { calendarDay } from '@switchyard/runtime/calendar-days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOf, finishedDays } from './days.ts';

const day = dayOf('2026-11-20', 'Africa/Lagos');

describe('days', () => {
  test('begin at midnight in Lagos', () => {
    expect(day).toEqual({ day: '2026-11-20', from: new Date('2026-11-19T23:00:00Z'), to: new Date('2026-11-20T23:00:00Z') });
  });

  test('follow one another without gap or overlap, in any zone', () => {
    const zones = [
      'Africa/Lagos',
      'Europe/London',
      'America/New_York',
      'Pacific/Auckland',
      'Pacific/Kiritimati',
      'Asia/Kolkata',
      'UTC',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 1000 }), (zone, after) => {
        const text = new Date(Date.UTC(2025, 0, 1 + after)).toISOString().slice(0, 10);
        const next = new Date(Date.UTC(2025, 0, 2 + after)).toISOString().slice(0, 10);
        expect(dayOf(text, zone).to).toEqual(dayOf(next, zone).from);
        expect(calendarDay(dayOf(text, zone).from, zone)).toBe(text);
        expect(calendarDay(new Date(dayOf(text, zone).to.getTime() - 1), zone)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test('are finished the moment the next begins', () => {
    expect(finishedDays(day.to, 'Africa/Lagos', 2).map((each) => each.day)).toEqual(['2026-11-20', '2026-11-19']);
    expect(finishedDays(new Date(day.to.getTime() - 1), 'Africa/Lagos', 1).map((each) => each.day)).toEqual(['2026-11-19']);
  });
});
