import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWatched, lateCheckAt, nextCheckAt, retryAt } from './next-check.ts';

const createdAt = new Date('2026-11-20T12:00:00Z');
const expiresAt = new Date('2026-11-20T13:00:00Z');
const after = (ms: number, from = createdAt) => new Date(from.getTime() + ms);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const HOUR = 3_600_000;

/** The times of all checks of a payment that stays unpaid. */
function checkTimes(webhooksArrive: boolean, randoms: () => number): Date[] {
  const checks: Date[] = [];
  for (let now = createdAt; isWatched(now, expiresAt); ) {
    now = nextCheckAt({ now, createdAt, expiresAt, webhooksArrive, random: randoms() });
    checks.push(now);
  }
  return checks;
}

describe.each([true, false])('the checks of a payment, where webhooks arrive: %s,', (webhooksArrive) => {
  test('are always later than now', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 * HOUR }), random, (age, r) => {
        const now = after(age);
        const next = nextCheckAt({ now, createdAt, expiresAt, webhooksArrive, random: r });
        expect(next.getTime()).toBeGreaterThan(now.getTime());
      }),
    );
  });

  test('never skip the end of the session: one falls within ten seconds after it', () => {
    fc.assert(
      fc.property(fc.array(random, { minLength: 40, maxLength: 40 }), (randoms) => {
        let index = 0;
        const checks = checkTimes(webhooksArrive, () => randoms[index++ % randoms.length] ?? 0.5);
        const first = checks.find((at) => at >= expiresAt);
        expect((first?.getTime() ?? Number.POSITIVE_INFINITY) - expiresAt.getTime()).toBeLessThanOrEqual(10_000);
      }),
    );
  });

  test('grow apart: at most forty during the session and the three days after it', () => {
    expect(checkTimes(webhooksArrive, () => 0.5).length).toBeLessThanOrEqual(40);
    expect(checkTimes(webhooksArrive, () => 0).length).toBeLessThanOrEqual(50);
  });
});

describe('during a session of an hour', () => {
  const minutes = (webhooksArrive: boolean, r: number) =>
    checkTimes(webhooksArrive, () => r)
      .filter((at) => at < expiresAt)
      .map((at) => Math.round((at.getTime() - createdAt.getTime()) / 60_000));

  test('a payment whose webhooks arrive is first checked after three minutes, and six times in all', () => {
    expect(minutes(true, 0.5)).toEqual([3, 13, 23, 33, 43, 53]);
    expect(minutes(true, 0).length).toBeLessThanOrEqual(7);
  });

  test('a payment whose webhooks do not arrive is first checked within about a minute, and more often while it is young', () => {
    expect(minutes(false, 0.999)[0]).toBeLessThanOrEqual(2);
    expect(minutes(false, 0.5).filter((minute) => minute < 10).length).toBeGreaterThanOrEqual(5);
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
