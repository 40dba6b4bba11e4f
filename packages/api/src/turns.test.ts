import { setImmediate as settled } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Clock, createTurns } from './turns.ts';

/** Time goes on only while all that is under way waits for it. */
class SteppedClock implements Clock {
  private time = 0;
  private readonly sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((wake) => {
      this.sleepers.push({ until: this.time + ms, wake });
      signal?.addEventListener('abort', () => wake());
    });
  }

  async run(work: Promise<unknown>): Promise<void> {
    let done = false;
    const end = work.finally(() => (done = true));
    for (await settled(); !done; await settled()) {
      this.sleepers.sort((a, b) => a.until - b.until);
      const next = this.sleepers.shift();
      if (next === undefined) throw new Error('nothing goes on');
      this.time = next.until;
      next.wake();
    }
    await end;
  }
}

interface Question {
  /** How long the program leaves before it asks. */
  readonly idleMs: number;
  readonly tookMs: number;
}

interface Course {
  readonly lastedMs: number;
  readonly workedMs: number;
  readonly waits: readonly number[];
}

/** Programs that ask one question after the other each, all at the same time. `called` tells how long ago a merchant called. */
async function follow(programs: readonly (readonly Question[])[], called: number | null): Promise<Course> {
  const clock = new SteppedClock();
  const turns = createTurns(() => (called === null ? null : clock.now() - called), clock);
  const waits: number[] = [];
  let workedMs = 0;
  const asking = programs.map(async (questions) => {
    for (const { idleMs, tookMs } of questions) {
      await clock.sleep(idleMs);
      const askedAt = clock.now();
      await turns.take(async () => {
        waits.push(clock.now() - askedAt);
        await clock.sleep(tookMs);
        workedMs += tookMs;
      }, new AbortController().signal);
    }
  });
  await clock.run(Promise.all(asking));
  return { lastedMs: clock.now(), workedMs, waits };
}

const programs = (idleMs: fc.Arbitrary<number>, most: number, longestMs = 200) =>
  fc.array(fc.array(fc.record({ idleMs, tookMs: fc.integer({ min: 1, max: longestMs }) }), { minLength: 1, maxLength: 100 }), {
    minLength: 1,
    maxLength: most,
  });
const RUNS = { numRuns: 60 };

test('while no merchant calls nobody waits', async () => {
  const ago = fc.option(fc.integer({ min: 1_001, max: 1_000_000 }));
  await fc.assert(
    fc.asyncProperty(programs(fc.constant(0), 4), ago, async (asked, called) => {
      expect(Math.max(...(await follow(asked, called)).waits)).toBe(0);
    }),
    RUNS,
  );
});

test('while merchants call, whoever asks on and on has three tenths of the time, beside what was unused at first', async () => {
  await fc.assert(
    fc.asyncProperty(programs(fc.constant(0), 1), fc.integer({ min: 0, max: 1_000 }), async (asked, called) => {
      const { lastedMs, workedMs } = await follow(asked, called);
      expect(workedMs).toBeLessThanOrEqual(0.3 * (lastedMs + 2_000) + 200);
      // Nor is anybody held up for longer than that takes.
      expect(lastedMs).toBeLessThanOrEqual(Math.max(workedMs, workedMs / 0.3) + 1);
    }),
    RUNS,
  );
});

test('of many who ask on and on all together have three tenths of the time, where nobody needs to wait longer than a second', async () => {
  await fc.assert(
    fc.asyncProperty(programs(fc.constant(0), 5, 40), async (asked) => {
      const { lastedMs, workedMs } = await follow(asked, 0);
      expect(workedMs).toBeLessThanOrEqual(0.3 * (lastedMs + 2_000) + 5 * 40);
    }),
    RUNS,
  );
});

test('nobody waits longer than a second, however much was taken before', async () => {
  await fc.assert(
    fc.asyncProperty(programs(fc.constant(0), 5, 10_000), async (asked) => {
      expect(Math.max(...(await follow(asked, 0)).waits)).toBeLessThan(1_000.01);
    }),
    RUNS,
  );
});

test('questions that are quickly answered are not held up for more than they take', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 100, max: 500 }), async (count) => {
      const quick = Array.from({ length: count }, () => ({ idleMs: 0, tookMs: 1 }));
      expect((await follow([quick], 0)).lastedMs).toBeLessThanOrEqual(count / 0.3 + 1);
    }),
    { numRuns: 10 },
  );
});

test('a person who looks at a page now and then waits for nothing', async () => {
  await fc.assert(
    fc.asyncProperty(programs(fc.integer({ min: 700, max: 5_000 }), 1), async (asked) => {
      expect(Math.max(...(await follow(asked, 0)).waits)).toBe(0);
    }),
    RUNS,
  );
});

test('whoever leaves waits no longer', async () => {
  const clock = new SteppedClock();
  const turns = createTurns(() => clock.now(), clock);
  const leaving = new AbortController();
  const begun: number[] = [];
  const take = (ms: number) =>
    turns.take(async () => {
      begun.push(clock.now());
      await clock.sleep(ms);
    }, leaving.signal);
  const asking = take(5_000).then(() => take(0));
  const left = clock.sleep(5_001).then(() => leaving.abort());
  await clock.run(Promise.all([asking, left]));
  expect(begun).toEqual([0, 5_001]);
});

test('a turn ends with its work, whether that succeeds or fails', async () => {
  const clock = new SteppedClock();
  const turns = createTurns(() => clock.now(), clock);
  const { signal } = new AbortController();
  await expect(turns.take(() => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  await expect(turns.take(async () => 'read', signal)).resolves.toBe('read');
});
