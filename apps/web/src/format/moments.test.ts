import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from './calendar.ts';
import { dayOf, describeLength, describeMoment, formatTimestamp, startOfDay } from './moments.ts';

const now = Date.parse('2026-11-21T13:00:00Z');

describe('a moment in words', () => {
  test.each([
    [0, 'just now'],
    [12_000, '12 s ago'],
    [-240_000, 'in 4 min'],
    [3 * 3_600_000 + 59_000, '3 h ago'],
  ])('%d ms ago is %j', (ago, words) => {
    expect(describeMoment(new Date(now - ago), now)).toBe(words);
  });

  test('from a day on is the day and the hour, in the zone of Lagos', () => {
    expect(describeMoment(new Date('2026-11-19T23:30:00Z'), now)).toBe('20 Nov, 00:30');
    expect(describeMoment(new Date('2025-11-19T12:00:00Z'), now)).toBe('19 Nov 2025, 13:00');
  });

  test('is exact to the millisecond on demand, and names its zone', () => {
    expect(formatTimestamp(new Date('2026-11-21T13:02:11.123Z'))).toMatch(/Sat, 21 Nov 2026(,| at) 14:02:11\.123 (WAT|GMT\+1)/);
  });

  test('a length never claims more than has passed', () => {
    expect(describeLength(59_999)).toBe('59 s');
    expect(describeLength(3_599_999)).toBe('59 min');
  });
});

describe('days', () => {
  test('begin at midnight in Lagos', () => {
    expect(startOfDay('2026-11-21')?.toISOString()).toBe('2026-11-20T23:00:00.000Z');
  });

  test.each(['2026-02-30', '2026-13-01', 'today', ''])('%j is no day', (day) => {
    expect(startOfDay(day)).toBeNull();
  });

  test('every moment falls on the day whose beginning is the last one before it', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }), (moment) => {
        const day = dayOf(moment);
        const begun = startOfDay(day);
        const next = startOfDay(addDays(day, 1));
        expect(begun && begun <= moment).toBe(true);
        expect(next && next > moment).toBe(true);
      }),
    );
  });
});
