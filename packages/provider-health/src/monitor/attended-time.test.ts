import { expect, test } from 'vitest';
import { ATTEND_EVERY_MS, createAttendedTime } from './attended-time.ts';

test('attended time passes as the clock does while ticks come about in time', () => {
  let now = 1_000;
  const attended = createAttendedTime(() => now);
  for (let n = 0; n < 100; n++) {
    now += ATTEND_EVERY_MS + (n % 5) * 10;
    attended.tick();
  }
  expect([attended.now(), attended.missedMs()]).toEqual([now, 0]);
});

test('it stands still while the process is held up, before and after the next tick', () => {
  let now = 0;
  const attended = createAttendedTime(() => now);
  now += 5_000;
  expect([attended.now(), attended.missedMs()]).toEqual([100, 4_900]);
  attended.tick();
  now += 10;
  expect([attended.now(), attended.missedMs()]).toEqual([110, 4_900]);
});
