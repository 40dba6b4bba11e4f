import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from './deliver.ts';

const HOUR_MS = 3_600_000;

function delays(random: () => number): number[] {
  const all: number[] = [];
  for (let delay = retryDelayMs(1, random()); delay !== null; delay = retryDelayMs(all.length + 1, random())) all.push(delay);
  return all;
}

test('retries continue for more than two days and end within three, for any random value', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (chance) => {
      const all = delays(() => chance.next().value ?? 0);
      const sum = all.reduce((total, delay) => total + delay, 0);
      expect(sum).toBeGreaterThan(48 * HOUR_MS);
      expect(sum).toBeLessThanOrEqual(72 * HOUR_MS);
      expect(all.every((delay) => delay >= 1_000)).toBe(true);
      // Gaps longer than a day would make a failing endpoint look newly failing.
      expect(Math.max(...all)).toBeLessThan(24 * HOUR_MS);
    }),
  );
});

test('two deliveries that failed together are not retried together', () => {
  expect(retryDelayMs(6, 0.1)).not.toBe(retryDelayMs(6, 0.9));
});

test('each delay is longer than the previous one, except the last ones', () => {
  const all = delays(() => 0);
  for (const [index, delay] of all.entries()) expect(delay).toBeGreaterThanOrEqual(all[index - 1] ?? 0);
});

test('a delivery is tried fourteen times, after the waits that the documentation for merchants has', () => {
  const [second, minute, hour] = [1_000, 60_000, HOUR_MS];
  const waits = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour];
  expect(delays(() => 0)).toEqual([...waits, 14 * hour, 14 * hour, 14 * hour]);
});

test('a wait is shortened by a fifth at most, and never lengthened', () => {
  expect(retryDelayMs(1, 0.5)).toBe(4_500);
  expect(retryDelayMs(13, 0.999_999)).toBeGreaterThanOrEqual(0.8 * 14 * HOUR_MS);
});
