import { describe, expect, test } from 'vitest';
import { beginOfDay, clockIn, nextStart, startOf } from '#/format/calendar.ts';
import { daysOf } from './filters.ts';

describe('days of a zone', () => {
  test.each([
    ['Africa/Lagos', '2026-11-21', '2026-11-20T23:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    // Clocks jump from midnight to one: the day begins at one.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('in %s %s begins at its own midnight', (zone, day, moment) => {
    expect(beginOfDay(zone, day).toISOString()).toBe(moment);
  });

  test('are read from the zone’s clocks', () => {
    expect(clockIn('Africa/Lagos', Date.parse('2026-11-20T23:30:00Z'))).toBe('2026-11-21T00:30');
  });

  test('make weeks from Monday, and months, across years', () => {
    expect([startOf('2026-11-22', 'week'), nextStart('2026-12-28', 'week')]).toEqual(['2026-11-16', '2027-01-04']);
    expect([startOf('2026-11-22', 'month'), nextStart('2026-12-01', 'month'), nextStart('2026-01-01', 'month')]).toEqual([
      '2026-11-01',
      '2027-01-01',
      '2026-02-01',
    ]);
    expect(daysOf('last-month', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  });
});
