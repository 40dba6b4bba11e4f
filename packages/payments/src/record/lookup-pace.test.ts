import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLookupPace, type LookupPace } from './lookup-pace.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

const POLL_MS = 200;

/** Milliseconds until all due payments of an account are looked up, by a worker that claims what is due five times a second. */
function workOff(backlog: number, { pace, lookupMs }: { pace: LookupPace; lookupMs: number }): number {
  let waiting = Array.from({ length: backlog }, () => 0);
  let running: number[] = [];
  let now = 0;
  for (; waiting.length > 0 && now < 100 * 3_600_000; now += POLL_MS) {
    for (const end of running) if (end <= now) pace.done('account');
    running = running.filter((end) => end > now);
    const due = waiting.filter((at) => at <= now);
    waiting = waiting.filter((at) => at > now);
    for (const _ of due) {
      const turn = pace.take('account', now);
      if (turn.kind === 'go') running.push(now + lookupMs);
      else waiting.push(now + turn.ms);
    }
  }
  return now;
}

describe('lookups of one account', () => {
  test('begin no faster than the rate allows, apart from a burst of two seconds, whenever they are requested and however long they take', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 }),
        (perSecond, gaps) => {
          const pace = createLookupPace({ perSecond, atOnce: 1_000 });
          const begun: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            if (pace.take('account', now).kind === 'go') begun.push(now);
          }
          for (const from of begun) {
            const within = begun.filter((time) => time >= from && time < from + 10_000).length;
            expect(within).toBeLessThanOrEqual(perSecond * 12 + 1);
          }
        },
      ),
    );
  });

  test('beyond the burst wait, and come back one by one at the configured rate', () => {
    const pace = createLookupPace({ perSecond: 10, atOnce: 1_000 });
    const waits = Array.from({ length: 100 }, () => pace.take('account', 0)).flatMap((turn) =>
      turn.kind === 'wait' ? [turn.ms] : [],
    );
    expect(waits).toHaveLength(80);
    expect(waits).toEqual(waits.map((_, index) => (index + 1) * 100));
  });

  test('are not made while as many as allowed run, and again once one has ended', () => {
    const pace = createLookupPace({ perSecond: 1_000, atOnce: 2 });
    const kinds = () => pace.take('account', 0).kind;
    expect([kinds(), kinds(), kinds()]).toEqual(['go', 'go', 'wait']);
    pace.done('account');
    expect(pace.take('account', 2_000).kind).toBe('go');
    expect(pace.take('account', 2_000).kind).toBe('wait');
  });

  test('of a backlog are all made, however many there are', () => {
    fc.assert(
      fc.property(
        fc.record({
          perSecond: fc.integer({ min: 1, max: 100 }),
          atOnce: fc.integer({ min: 1, max: 50 }),
          backlog: fc.integer({ min: 1, max: 2_000 }),
          lookupMs: fc.integer({ min: 1, max: 200 }),
        }),
        ({ backlog, lookupMs, ...limits }) => {
          const took = workOff(backlog, { pace: createLookupPace(limits), lookupMs });
          const perSecond = Math.min(limits.perSecond, (limits.atOnce * 1_000) / (lookupMs + POLL_MS));
          expect(took).toBeLessThan(10_000 + (3 * 1_000 * backlog) / perSecond);
        },
      ),
      { numRuns: 12 * TIMES },
    );
  });

  test('of a backlog are made at the rate that is set', () => {
    const took = workOff(1_000, { pace: createLookupPace({ perSecond: 20, atOnce: 10 }), lookupMs: 150 });
    expect(took).toBeGreaterThan(45_000);
    expect(took).toBeLessThan(60_000);
  });

  test('wait half an hour at the most, whatever the backlog', () => {
    const pace = createLookupPace({ perSecond: 1, atOnce: 100 });
    const waits = Array.from({ length: 5_000 }, () => pace.take('account', 0));
    expect(Math.max(...waits.map((turn) => (turn.kind === 'wait' ? turn.ms : 0)))).toBe(30 * 60_000);
  });

  test('do not slow those of another account', () => {
    const pace = createLookupPace({ perSecond: 1, atOnce: 1 });
    for (let count = 0; count < 10; count++) pace.take('busy', 0);
    expect(pace.take('quiet', 0)).toEqual({ kind: 'go' });
  });
});
