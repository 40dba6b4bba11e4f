import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeScale } from './time-axis.tsx';

const TO = new Date('2026-11-21T13:00:00Z');
const before = (minutes: number) => new Date(TO.getTime() - minutes * 60_000);

test.each([
  [90, true, 15, 0.5],
  [90, true, 2, 1 - 0.5 * (2 / 15)],
  [90, true, 90, 0],
  [90, false, 45, 0.5],
  [1_440, true, 720, 0.5],
])('of %d minutes that end now: %s, %d minutes ago lie at %d', (minutes, endsNow, ago, place) => {
  expect(timeScale(before(minutes), TO, endsNow)(before(ago).getTime())).toBeCloseTo(place, 10);
});

test('two minutes of an outage now are as wide as eleven of an hour ago', () => {
  const scale = timeScale(before(90), TO, true);
  const width = (from: number, to: number) => scale(before(to).getTime()) - scale(before(from).getTime());
  expect(width(2, 0) / width(71, 60)).toBeGreaterThan(0.9);
});

test('later is further right, from one end to the other', () => {
  const minutes = fc.integer({ min: 1, max: 50_000 });
  fc.assert(
    fc.property(minutes, fc.boolean(), fc.nat(60_000), fc.nat(60_000), (length, endsNow, left, right) => {
      const scale = timeScale(before(length), TO, endsNow);
      const [earlier = 0, later = 0] = [
        scale(before(Math.max(left, right)).getTime()),
        scale(before(Math.min(left, right)).getTime()),
      ];
      expect(earlier).toBeLessThanOrEqual(later);
      expect([scale(before(length).getTime()), scale(TO.getTime())]).toEqual([0, 1]);
    }),
  );
});
