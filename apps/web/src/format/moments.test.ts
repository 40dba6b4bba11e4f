import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from './calendar.ts';
import {
  dayOf,
  describeDuration,
  describeLength,
  describeMoment,
  describePast,
  describeUpcoming,
  formatTimestamp,
  startOfDay,
} from './moments.ts';

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

  test.each([
    [999, '999 ms'],
    [999.6, '1 s'],
    [59_400, '59 s'],
    [59_500, '1 min'],
    [3_569_000, '59 min'],
    [3_570_000, '1 h'],
    [2 * 3_600_000 - 2_000, '2 h'],
    [2.9 * 3_600_000, '3 h'],
    [23.4 * 3_600_000, '23 h'],
    [23.5 * 3_600_000, '1 d'],
    [40 * 3_600_000, '2 d'],
  ])('a length of %d ms is %j, the nearest', (ms, words) => {
    expect(describeLength(ms)).toBe(words);
  });

  test.each([
    [59_000, '59 s'],
    [89 * 60_000, '1 h 29 min'],
    [2 * 3_600_000 - 2_000, '2 h'],
    [26 * 3_600_000, '1 d 2 h'],
    [48 * 3_600_000 - 60_000, '2 d'],
  ])('%d ms lasted %j', (ms, words) => {
    expect(describeDuration(ms)).toBe(words);
  });

  test('a length differs from what it says by half of its unit at most', () => {
    const units = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 * units.d }), (ms) => {
        const [count, unit] = describeLength(ms).split(' ');
        const unitMs = Object.entries(units).find(([name]) => name === unit)?.[1] ?? 0;
        expect(Math.abs(Number(count) * unitMs - ms)).toBeLessThanOrEqual(unitMs / 2);
      }),
    );
  });
});

describe('what happened', () => {
  test.each([
    [-60_000, 'just now'],
    [-6_000, 'just now'],
    [4_999, 'just now'],
    [5_000, '5 s ago'],
    [90_000, '2 min ago'],
  ])('%d ms ago is %j', (ago, words) => {
    expect(describePast(new Date(now - ago), now)).toBe(words);
  });

  test('is never in the future, whatever the clocks say', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000_000_000, max: 4_000_000_000 }), (ago) => {
        expect(describePast(new Date(now - ago), now)).not.toMatch(/^in /);
      }),
    );
  });
});

describe('what is to happen', () => {
  test.each([
    [2 * 3_600_000 - 1_500, 'in 2 h'],
    [5_000, 'in 5 s'],
    [4_999, 'now'],
    [-59_999, 'now'],
    [-60_000, '1 min overdue'],
    [-2 * 3_600_000, '2 h overdue'],
    [-50 * 3_600_000, '19 Nov, 12:00'],
  ])('in %d ms is %j', (left, words) => {
    expect(describeUpcoming(new Date(now + left), now)).toBe(words);
  });

  test('is never said to have happened', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000_000_000, max: 4_000_000_000 }), (left) => {
        expect(describeUpcoming(new Date(now + left), now)).not.toMatch(/ago$|^just now$/);
      }),
    );
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
