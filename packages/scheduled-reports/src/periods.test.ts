import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duePeriods, FREQUENCIES, lastFinished, MISSED_MAX, nextPeriod, periodAfter, periodOf, type Timing } from './periods.ts';

const ZONES = ['Africa/Lagos', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'];
const timings = fc.record({
  frequency: fc.constantFrom(...FREQUENCIES),
  hour: fc.integer({ min: 0, max: 23 }),
  timeZone: fc.constantFrom(...ZONES),
});
const moments = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });

test.each([
  ['daily', '2026-11-26', '2026-11-26', '2026-11-26', '2026-11-27T05:00:00.000Z'],
  ['weekly', '2026-11-26', '2026-11-23', '2026-11-29', '2026-11-30T05:00:00.000Z'],
  ['weekly', '2026-11-29', '2026-11-23', '2026-11-29', '2026-11-30T05:00:00.000Z'],
  ['monthly', '2026-11-26', '2026-11-01', '2026-11-30', '2026-12-01T05:00:00.000Z'],
  ['monthly', '2028-02-29', '2028-02-01', '2028-02-29', '2028-03-01T05:00:00.000Z'],
] as const)('the %s period of %s is from %s to %s, due at %s', (frequency, day, firstDay, lastDay, dueAt) => {
  const period = periodOf(day, { frequency, hour: 6, timeZone: 'Africa/Lagos' });
  expect(period).toMatchObject({ firstDay, lastDay, dueAt: new Date(dueAt) });
});

test.each([
  // Clocks go from 2:00 to 3:00, and from 2:00 back to 1:00.
  ['2026-03-07', 2, '2026-03-08T07:00:00.000Z'],
  ['2026-10-31', 1, '2026-11-01T05:00:00.000Z'],
  ['2026-10-31', 0, '2026-11-01T04:00:00.000Z'],
])('after %s at hour %i, where clocks change, it is due once at %s', (day, hour, dueAt) => {
  expect(periodOf(day, { frequency: 'daily', hour, timeZone: 'America/New_York' }).dueAt.toISOString()).toBe(dueAt);
});

describe('periods of any timing', () => {
  test('follow each other without a gap, each whole before it is due', () => {
    fc.assert(
      fc.property(timings, moments, (timing, now) => {
        const period = nextPeriod(now, timing);
        const after = periodAfter(period, timing);
        expect(after.from).toEqual(period.to);
        expect(period.to.getTime()).toBeGreaterThan(period.from.getTime());
        expect(period.dueAt.getTime()).toBeGreaterThanOrEqual(period.to.getTime());
        expect(period.dueAt.getTime()).toBeGreaterThan(now.getTime());
        expect(after.dueAt.getTime()).toBeGreaterThan(period.dueAt.getTime());
        expect(periodOf(period.lastDay, timing)).toEqual(period);
        expect(lastFinished(now, timing).to.getTime()).toBeLessThanOrEqual(now.getTime());
      }),
    );
  });

  test('are due once each however often one looks, the latest seven of those that were missed', () => {
    fc.assert(
      fc.property(
        timings,
        moments,
        fc.array(fc.integer({ min: 0, max: 20 * 86_400_000 }), { maxLength: 6 }),
        (timing, begin, waits) => {
          let next = nextPeriod(begin, timing);
          let now = begin;
          const made: string[] = [];
          let skipped = 0;
          for (const wait of waits) {
            now = new Date(now.getTime() + wait);
            const found = duePeriods(next.firstDay, now, timing);
            expect(found.due.length).toBeLessThanOrEqual(MISSED_MAX);
            made.push(...found.due.map(({ firstDay }) => firstDay));
            skipped += found.skipped;
            next = found.next;
          }
          expect(new Set(made).size).toBe(made.length);
          expect(made.toSorted()).toEqual(made);
          const all = expected(begin, now, timing);
          expect(made.length + skipped).toBe(all.length);
          expect(all.filter((day) => made.includes(day))).toEqual(made);
        },
      ),
    );
  });
});

function expected(begin: Date, now: Date, timing: Timing): string[] {
  const days: string[] = [];
  for (let period = nextPeriod(begin, timing); period.dueAt <= now; period = periodAfter(period, timing))
    days.push(period.firstDay);
  return days;
}
