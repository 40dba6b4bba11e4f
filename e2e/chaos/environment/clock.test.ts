import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readClock, runClock } from './clock.ts';

const BEGIN = Date.parse('2026-11-20T10:00:00Z');
const HOUR_MS = 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-clock-'));
  vi.useFakeTimers({ now: BEGIN, toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

describe('the clocks of a run', () => {
  test('step ahead together, and one can be off by itself until it is corrected', () => {
    const file = join(folder, 'clock.json');
    const clock = runClock(file);
    const one = readClock(file, 'web-1');
    const other = readClock(file, 'web-2');
    clock.step(HOUR_MS);
    clock.setOff('web-1', -60_000);
    vi.advanceTimersByTime(50);
    expect([clock.now(), one().getTime(), other().getTime()].map((time) => time - BEGIN - 50)).toEqual([
      HOUR_MS,
      HOUR_MS - 60_000,
      HOUR_MS,
    ]);
    clock.setOff('web-1', 0);
    vi.advanceTimersByTime(50);
    expect(one()).toEqual(other());
  });

  test('convert to the machine’s time, before and after steps', () => {
    const clock = runClock(join(folder, 'clock.json'));
    const seen = [];
    for (const step of [0, HOUR_MS, 2 * HOUR_MS]) {
      clock.step(step);
      vi.advanceTimersByTime(1_000);
      seen.push({ time: clock.now(), machine: Date.now() });
    }
    for (const { time, machine } of seen) expect(clock.onMachine(time)).toBe(machine);
  });

  test('accept a time from just before a step, and no other', () => {
    const clock = runClock(join(folder, 'clock.json'));
    const before = clock.now();
    clock.step(HOUR_MS);
    expect([clock.isAbout(before, 1_000), clock.isAbout(before + HOUR_MS / 2, 1_000)]).toEqual([true, false]);
    vi.advanceTimersByTime(60_000);
    expect([clock.isAbout(before + 60_000, 1_000), clock.isAbout(clock.now(), 1_000)]).toEqual([false, true]);
  });
});
