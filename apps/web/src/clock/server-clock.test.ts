import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';

let clock: typeof import('./server-clock.ts');
beforeEach(async () => {
  vi.resetModules();
  clock = await import('./server-clock.ts');
});

const HOUR_MS = 3_600_000;
const AT = Date.parse('2026-11-21T13:00:00Z');

describe("the server's clock", () => {
  test('is left alone while the two agree as far as an answer can show', () => {
    clock.noteServerTime({ serverMs: AT, precisionMs: 999, sentAt: AT - 100, receivedAt: AT + 300 });
    expect(clock.toServerTime(AT)).toBe(AT);
  });

  test.each([
    ['a minute behind', -60_000],
    ['a minute ahead', 60_000],
    ['in another zone by mistake', 5 * HOUR_MS],
  ])('is known from one answer to a browser that is %s', (_, browserAheadMs) => {
    const browser = (serverMs: number) => serverMs + browserAheadMs;
    clock.noteServerTime({ serverMs: AT + 50, sentAt: browser(AT), receivedAt: browser(AT + 100) });
    expect(Math.abs(clock.toServerTime(browser(AT + 200)) - (AT + 200))).toBeLessThanOrEqual(100);
  });

  test('is never before what an answer has said, and never after what was possible', () => {
    const answer = fc.record({ afterMs: fc.nat(60_000), thereMs: fc.nat(5_000), backMs: fc.nat(5_000), roundedMs: fc.nat(999) });
    fc.assert(
      fc.property(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), fc.array(answer, { minLength: 1 }), (aheadMs, answers) => {
        let now = AT;
        for (const { afterMs, thereMs, backMs, roundedMs } of answers) {
          now += afterMs;
          const written = now + thereMs;
          const serverMs = written - roundedMs;
          const receivedAt = written + backMs + aheadMs;
          clock.noteServerTime({ serverMs, precisionMs: 999, sentAt: now + aheadMs, receivedAt });
          now = written + backMs;
          expect(clock.toServerTime(receivedAt)).toBeGreaterThanOrEqual(serverMs);
          expect(clock.toServerTime(receivedAt)).toBeLessThanOrEqual(now + 999 + thereMs);
        }
      }),
    );
  });

  test('and the browser’s are read from each other', () => {
    clock.noteServerTime({ serverMs: AT, sentAt: AT + 60_000, receivedAt: AT + 60_000 });
    expect(clock.toBrowserTime(clock.toServerTime(AT))).toBe(AT);
    expect(clock.toServerTime(AT + 60_000)).toBe(AT);
  });

  test('is not changed by a browser whose own was set during the call, or by a date that is none', () => {
    clock.noteServerTime({ serverMs: AT + HOUR_MS, sentAt: AT, receivedAt: AT - 1 });
    clock.noteServerTime({ serverMs: Number.NaN, sentAt: AT, receivedAt: AT });
    expect(clock.toServerTime(AT)).toBe(AT);
  });
});

/** Programs that look at how long something takes in the browser, not at what time it is. */
const MEASURES = ['clock/server-clock.ts', 'liveness/watch-beats.ts', 'components/time/now.tsx'];

test('the dashboard has one clock: no other file asks the browser for the time', () => {
  const source = join(import.meta.dirname, '..');
  const asking = globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !/\.test\.tsx?$|(^|\/)testing\/|^server\//.test(file) && !MEASURES.includes(file))
    .filter((file) => /\bDate\.now\(\)|new Date\(\)/.test(readFileSync(join(source, file), 'utf8')));
  expect(asking).toEqual([]);
});
