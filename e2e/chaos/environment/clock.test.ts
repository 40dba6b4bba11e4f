import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followClock, RunClock } from './clock.ts';

const BEGIN = Date.parse('2026-11-20T10:00:00Z');
const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: BEGIN, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the clock of a run', () => {
  test('steps ahead, and processes follow the state that they get at their start and later', () => {
    const clock = new RunClock();
    clock.step(HOUR_MS);
    const messages = new EventEmitter();
    const follow = followClock({ CHAOS_CLOCK: JSON.stringify(clock.state) }, messages);
    vi.advanceTimersByTime(50);
    expect([clock.now(), follow().getTime()]).toEqual([BEGIN + HOUR_MS + 50, BEGIN + HOUR_MS + 50]);
    messages.emit('message', clock.step(HOUR_MS));
    expect([clock.now(), follow().getTime()]).toEqual([BEGIN + 2 * HOUR_MS + 50, BEGIN + 2 * HOUR_MS + 50]);
  });

  test('has the time of the run for a time of the machine, before and after steps', () => {
    const clock = new RunClock();
    const seen = [];
    for (const step of [0, HOUR_MS, 2 * HOUR_MS]) {
      clock.step(step);
      vi.advanceTimersByTime(1_000);
      seen.push({ time: clock.now(), machine: Date.now() });
      vi.advanceTimersByTime(1_000);
    }
    for (const { time, machine } of seen) expect(clock.at(machine)).toBe(time);
  });
});
