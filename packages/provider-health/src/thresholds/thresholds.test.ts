import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessHealth, type HealthMemory } from '../assess/assess-health.ts';
import { bucketOf, type OutcomeBucket } from '../assess/outcome-counts.ts';
import { checkHealthThresholds, DEFAULT_HEALTH_THRESHOLDS, HEALTH_THRESHOLD_BOUNDS, readHealthThresholds } from './thresholds.ts';

describe('thresholds of a merchant', () => {
  test('are the defaults where nothing was changed, and keep only what differs from them', () => {
    expect(checkHealthThresholds({})).toEqual({ ok: true, thresholds: DEFAULT_HEALTH_THRESHOLDS, changes: {} });
    const checked = checkHealthThresholds({ ...DEFAULT_HEALTH_THRESHOLDS, minSamples: 20 });
    expect(checked).toMatchObject({ ok: true, changes: { minSamples: 20 }, thresholds: { minSamples: 20, downShare: 0.5 } });
    expect(checked.ok && Object.keys(checked.changes)).toEqual(['minSamples']);
  });

  test.each([
    [{ minSamples: 1 }, 'minSamples', 'must lie between 2 and 1000'],
    [{ minSamples: 2.5 }, 'minSamples', 'must be a whole number'],
    [{ downShare: Number.NaN }, 'downShare', 'must be a number'],
    [{ degradedShare: 0.6 }, 'degradedShare', 'must not be above the share for down'],
    [{ healthyShare: 0.2 }, 'healthyShare', 'must be below the share for degraded'],
    [{ fastMs: 3_000 }, 'fastMs', 'must not be above the latency for degraded'],
    [{ restMs: 300_000, restMaxMs: 200_000 }, 'restMaxMs', 'must not be below the first rest'],
    [{ openingTimeoutMaxMs: 1_000 }, 'openingTimeoutMaxMs', 'must not be below the shortest time-out'],
    [{ probePayments: 0 }, 'probePayments', 'must lie between 1 and 20'],
    [{ learnFromOthers: 'never' }, 'learnFromOthers', 'must be yes or no'],
  ])('%j is refused, and the threshold at fault is named', (changes, field, message) => {
    expect(checkHealthThresholds(changes)).toMatchObject({ ok: false, problems: [{ field, message }] });
  });

  test('that are no longer valid leave health with the defaults', () => {
    for (const stored of [null, { minSamples: 0 }, { forgotten: 1 }, 'nonsense', [1]]) {
      expect(readHealthThresholds(stored)).toEqual(DEFAULT_HEALTH_THRESHOLDS);
    }
  });

  test('the defaults lie within the bounds', () => {
    for (const [name, { min, max }] of Object.entries(HEALTH_THRESHOLD_BOUNDS)) {
      const value = Object.entries(DEFAULT_HEALTH_THRESHOLDS).find(([known]) => known === name)?.[1];
      expect(value).toBeGreaterThanOrEqual(min);
      expect(value).toBeLessThanOrEqual(max);
    }
  });

  test('with any allowed thresholds, an account that is down recovers by successful openings, and only by them', () => {
    const scalars = Object.entries(HEALTH_THRESHOLD_BOUNDS).map(([name, { min, max }]) =>
      fc.double({ min: 0, max: 1, noNaN: true }).map((share): [string, number] => {
        const value = min + share * (max - min);
        return [name, name.endsWith('Share') || name === 'slowTimes' || name === 'openingTarget' ? value : Math.round(value)];
      }),
    );
    fc.assert(
      fc.property(fc.tuple(...scalars), (entries) => {
        const checked = checkHealthThresholds(Object.fromEntries(entries));
        fc.pre(checked.ok);
        if (!checked.ok) return;
        const start = Date.UTC(2026, 10, 20, 14);
        const states = (answered: number) => {
          let buckets: OutcomeBucket[] = [{ at: start, succeeded: 0, faulted: 1_000, latencyMsSum: 0 }];
          let memory: HealthMemory | null = null;
          const seen = new Set<string>();
          for (let now = start; now < start + 4 * 3_600_000; now += 10_000) {
            if (memory?.state === 'probing' && answered > 0)
              buckets = [{ at: bucketOf(now), succeeded: answered, faulted: 0, latencyMsSum: 50 * answered }, ...buckets].slice(
                0,
                40,
              );
            const { thresholds } = checked;
            memory = assessHealth({ subject: { gateway: 'Paystack', method: null }, buckets, previous: memory, now, thresholds });
            seen.add(memory.state);
            if (seen.has('down') && memory.state === 'healthy') break;
          }
          return { seen: [...seen], last: memory?.state };
        };
        expect(states(1)).toEqual({ seen: expect.arrayContaining(['down', 'probing']), last: 'healthy' });
        expect(states(0).last).not.toBe('healthy');
      }),
      { numRuns: 60 },
    );
  });
});
