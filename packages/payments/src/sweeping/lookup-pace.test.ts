import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paceLookups } from './lookup-pace.ts';

describe('lookups of one account', () => {
  test('begin no faster than the rate allows, apart from a burst of one second, whenever they are requested and however long they take', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 }),
        (perSecond, gaps) => {
          const pace = paceLookups({ perSecond, atOnce: 1_000 });
          const begun: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            if (pace.take('account', now).kind === 'go') begun.push(now);
          }
          for (const from of begun) {
            const within = begun.filter((time) => time >= from && time < from + 10_000).length;
            expect(within).toBeLessThanOrEqual(perSecond * 11 + 1);
          }
        },
      ),
    );
  });

  test('that come at once each get a time slot, at the configured rate', () => {
    const pace = paceLookups({ perSecond: 10, atOnce: 1_000 });
    const waits = Array.from({ length: 100 }, () => pace.take('account', 0)).flatMap((turn) =>
      turn.kind === 'wait' ? [turn.ms] : [],
    );
    expect(waits).toHaveLength(90);
    expect(waits).toEqual(waits.map((_, index) => (index + 1) * 100));
  });

  test('are not made while as many as allowed run, and again once one has ended', () => {
    const pace = paceLookups({ perSecond: 1_000, atOnce: 2 });
    const kinds = () => pace.take('account', 0).kind;
    expect([kinds(), kinds(), kinds()]).toEqual(['go', 'go', 'wait']);
    pace.done('account');
    expect(pace.take('account', 2_000).kind).toBe('go');
    expect(pace.take('account', 2_000).kind).toBe('wait');
  });

  test('wait half an hour at the most, whatever the backlog', () => {
    const pace = paceLookups({ perSecond: 1, atOnce: 1 });
    const waits = Array.from({ length: 5_000 }, () => pace.take('account', 0));
    expect(Math.max(...waits.map((turn) => (turn.kind === 'wait' ? turn.ms : 0)))).toBe(30 * 60_000);
  });

  test('do not slow those of another account', () => {
    const pace = paceLookups({ perSecond: 1, atOnce: 1 });
    for (let count = 0; count < 10; count++) pace.take('busy', 0);
    expect(pace.take('quiet', 0)).toEqual({ kind: 'go' });
  });
});
