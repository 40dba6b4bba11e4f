import { expect, test } from 'vitest';
import { ATTEND_EVERY_MS, createAttendedTime } from './attended-time.ts';

test('attended time passes as the clock does while ticks come about in time', () => {
  let now = 1_000;
  const attended = createAttendedTime(() => now);
  for (let n = 0; n < 100; n++) {
    now += ATTEND_EVERY_MS + (n % 5) * 10;
    attended.tick();
  }
  expect([attended.now(), attended.missedWithin(60_000)]).toEqual([now, 0]);
});

test('it stands still while the process is held up, before and after the next tick', () => {
  let now = 0;
  const attended = createAttendedTime(() => now);
  now += 5_000;
  expect([attended.now(), attended.missedWithin(60_000)]).toEqual([100, 4_900]);
  attended.tick();
  now += 10;
  expect([attended.now(), attended.missedWithin(60_000)]).toEqual([110, 4_900]);
});

test('what was missed is known of any time up to now, so that a call is told from the stall before it', () => {
  let now = 0;
  const attended = createAttendedTime(() => now);
  now += 5_000;
  attended.tick();
  now += 60;
  attended.tick();
  expect([60, 1_060, 4_000, 60_000].map(attended.missedWithin)).toEqual([0, 1_000, 3_940, 4_900]);
  now += 1_100;
  expect(attended.missedWithin(500)).toBe(500);
});
