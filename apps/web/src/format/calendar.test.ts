import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, beginOfDay, clockIn, isDay, isMoment, isZone, momentIn, nextStart, startOf } from './calendar.ts';

const DAY_MS = 86_400_000;
const day = fc.date({ min: new Date('1970-01-05'), max: new Date('2089-12-31'), noInvalidDate: true }).map(iso);
const zone = fc.constantFrom('Africa/Lagos', 'UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia');
const step = fc.constantFrom('day', 'week', 'month');

function iso(date: Date): string {
  return date.toISOString().slice(0, 10);
}

describe('days', () => {
  test('are added and taken back, in order, over every month and leap year', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 4_000 }), (first, count) => {
        const last = addDays(first, count);
        expect(addDays(last, -count)).toBe(first);
        expect(isDay(last)).toBe(true);
        expect(last >= first).toBe(true);
      }),
    );
    expect([addDays('2024-02-28', 1), addDays('2026-02-28', 1), addDays('2026-01-01', -1)]).toEqual([
      '2024-02-29',
      '2026-03-01',
      '2025-12-31',
    ]);
  });

  test('every one is in exactly one day, week and month', () => {
    fc.assert(
      fc.property(day, step, (one, of) => {
        const start = startOf(one, of);
        const next = nextStart(start, of);
        expect([start <= one, one < next]).toEqual([true, true]);
        expect(startOf(start, of)).toBe(start);
        expect(startOf(addDays(next, -1), of)).toBe(start);
      }),
    );
  });

  test.each([
    ['week', '2026-11-22', '2026-11-16', '2026-11-23'],
    ['week', '2026-11-16', '2026-11-16', '2026-11-23'],
    ['month', '2026-12-31', '2026-12-01', '2027-01-01'],
    ['month', '2024-02-29', '2024-02-01', '2024-03-01'],
  ] as const)('a %s with %s begins at %s, and the next at %s', (of, one, start, next) => {
    expect([startOf(one, of), nextStart(startOf(one, of), of)]).toEqual([start, next]);
  });

  test.each(['2026-02-29', '2026-00-10', '2026-1-1', '20261121', ' 2026-11-21', '2026-11-21T00:00', ''])('%j is none', (text) => {
    expect(isDay(text)).toBe(false);
  });
});

describe('the clocks of a zone', () => {
  test('show at a moment what that moment is found by, unless they show it twice', () => {
    fc.assert(
      fc.property(zone, fc.integer({ min: 0, max: 3_700_000_000 }), (where, minutes) => {
        const at = (minutes - (minutes % 900)) * 1_000;
        const clock = clockIn(where, at);
        const found = momentIn(where, clock);
        expect(clockIn(where, found.getTime())).toBe(clock);
        expect(found.getTime()).toBeLessThanOrEqual(at);
      }),
    );
  });

  test('begin each day once, at most two hours apart from the last', () => {
    fc.assert(
      fc.property(zone, day, (where, one) => {
        fc.pre(!(where === 'Pacific/Apia' && one >= '2011-12-28' && one <= '2011-12-31'));
        const begun = beginOfDay(where, one).getTime();
        const next = beginOfDay(where, addDays(one, 1)).getTime();
        expect(clockIn(where, begun).slice(0, 10)).toBe(one);
        expect(clockIn(where, begun - 1).slice(0, 10) < one).toBe(true);
        expect(Math.abs(next - begun - DAY_MS)).toBeLessThanOrEqual(7_200_000);
      }),
    );
  });

  test.each([
    ['skip an hour in spring', 'America/New_York', '2026-03-08T02:30', '2026-03-08T07:00:00.000Z'],
    [
      'show an hour twice in autumn, of which the first is meant',
      'America/New_York',
      '2026-11-01T01:30',
      '2026-11-01T05:30:00.000Z',
    ],
    ['may differ by quarters of an hour', 'Asia/Kathmandu', '2026-11-21T14:30', '2026-11-21T08:45:00.000Z'],
    ['never change in Lagos', 'Africa/Lagos', '2026-07-01T00:00', '2026-06-30T23:00:00.000Z'],
  ])('%s', (_what, where, clock, moment) => {
    expect(momentIn(where, clock).toISOString()).toBe(moment);
  });

  test.each(['', 'soon', '2026-13-01T00:00', '2026-11-21T24:61'])('%j is no moment', (text) => {
    expect(isMoment(momentIn('UTC', text))).toBe(false);
  });

  test('are those of zones that exist', () => {
    expect(['Africa/Lagos', 'UTC', 'Mars/Olympus', ''].map(isZone)).toEqual([true, true, false, false]);
  });
});
