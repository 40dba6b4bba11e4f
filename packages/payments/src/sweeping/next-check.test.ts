import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWatched, lateCheckAt, nextCheckAt, retryAt } from './next-check.ts';

const createdAt = new Date('2026-11-20T12:00:00Z');
const expiresAt = new Date('2026-11-20T13:00:00Z');
const after = (ms: number, from = createdAt) => new Date(from.getTime() + ms);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const HOUR = 3_600_000;

/** The times of all checks of a payment that stays unpaid. */
function checkTimes(randoms: () => number): Date[] {
  const checks: Date[] = [];
  for (let now = createdAt; isWatched(now, expiresAt); ) {
    now = nextCheckAt({ now, createdAt, expiresAt, random: randoms() });
    checks.push(now);
  }
  return checks;
}

describe('the checks of a payment', () => {
  test('are always later than now', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 * HOUR }), random, (age, r) => {
        const now = after(age);
        expect(nextCheckAt({ now, createdAt, expiresAt, random: r }).getTime()).toBeGreaterThan(now.getTime());
      }),
    );
  });

  test('never skip the end of the session: one falls within ten seconds after it', () => {
    fc.assert(
      fc.property(fc.array(random, { minLength: 40, maxLength: 40 }), (randoms) => {
        let index = 0;
        const checks = checkTimes(() => randoms[index++ % randoms.length] ?? 0.5);
        const first = checks.find((at) => at >= expiresAt);
        expect((first?.getTime() ?? Number.POSITIVE_INFINITY) - expiresAt.getTime()).toBeLessThanOrEqual(10_000);
      }),
    );
  });

  test('grow apart: at most forty during the session and the three days after it', () => {
    expect(checkTimes(() => 0.5).length).toBeLessThanOrEqual(40);
    expect(checkTimes(() => 0).length).toBeLessThanOrEqual(50);
  });

  test('start within about a minute', () => {
    const first = nextCheckAt({ now: createdAt, createdAt, expiresAt, random: 0.999 });
    expect(first.getTime() - createdAt.getTime()).toBeLessThanOrEqual(70_000);
  });
});

describe('late money', () => {
  test('is watched for until 72 hours after the session', () => {
    expect(isWatched(after(72 * HOUR - 1, expiresAt), expiresAt)).toBe(true);
    expect(isWatched(after(72 * HOUR, expiresAt), expiresAt)).toBe(false);
    expect(lateCheckAt(after(72 * HOUR, expiresAt), expiresAt)).toBeNull();
  });
});

describe('a gateway without an answer', () => {
  test('is retried after ten seconds, and then at least every twelve minutes without end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), random, (unanswered, r) => {
        const wait = retryAt({ now: createdAt, unanswered, random: r }).getTime() - createdAt.getTime();
        expect(wait).toBeGreaterThanOrEqual(8_000);
        expect(wait).toBeLessThanOrEqual(12 * 60_000);
      }),
    );
  });
});
