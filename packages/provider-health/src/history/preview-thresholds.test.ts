import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessHealth, type HealthMemory } from '../assess/assess-health.ts';
import { BUCKET_MS, type OutcomeBucket } from '../assess/outcome-counts.ts';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds } from '../thresholds/thresholds.ts';
import { findFirings } from './preview-thresholds.ts';

const BEGIN = Date.parse('2026-11-20T14:00:00Z');
const subject = { gateway: 'Paystack', method: 'CARD' } as const;
const HOUR = 360;

function bucket(step: number, succeeded: number, faulted: number, latencyMs = 120): OutcomeBucket {
  return { at: BEGIN + step * BUCKET_MS, succeeded, faulted, latencyMsSum: succeeded * latencyMs };
}

function firings(buckets: readonly OutcomeBucket[], thresholds: Partial<HealthThresholds> = {}, steps = HOUR) {
  const input = { subject, buckets, thresholds: { ...DEFAULT_HEALTH_THRESHOLDS, ...thresholds } };
  return findFirings({ ...input, from: BEGIN, to: BEGIN + steps * BUCKET_MS });
}

/** An hour of ten payments in ten seconds, with faults in some spans. */
function hour(faultsAt: (step: number) => number): OutcomeBucket[] {
  return Array.from({ length: HOUR }, (_, step) => bucket(step, 10 - faultsAt(step), faultsAt(step)));
}

describe('thresholds over recorded counts', () => {
  test('fire once for one outage, from its detection until its end', () => {
    const found = firings(hour((step) => (step >= 100 && step < 130 ? 10 : 0)));
    expect(found.map(({ state }) => state)).toEqual(['down']);
    const [outage] = found;
    expect(outage?.at).toBe(BEGIN + 100 * BUCKET_MS);
    expect(outage?.until).toBeGreaterThan(BEGIN + 129 * BUCKET_MS);
    expect(describeHealthReason(outage?.why ?? null, UTC_CLOCK)).toMatch(/^Down since 14:16 UTC: /);
  });

  test('fire less often when they are laxer, and more often when they are stricter', () => {
    const uneasy = hour((step) => (step % 40 < 10 ? 3 : 0));
    const counted = (change: Partial<HealthThresholds>) => firings(uneasy, change).length;
    expect(counted({ degradedShare: 0.9, downShare: 0.95 })).toBe(0);
    expect(counted({ degradedShare: 0.01, healthyShare: 0.005 })).toBeGreaterThan(0);
    expect(firings(uneasy, { downShare: 0.25 }).some(({ state }) => state === 'down')).toBe(true);
  });

  test('fire for slowness as for faults', () => {
    const slow = Array.from({ length: HOUR }, (_, step) => bucket(step, 10, 0, step >= 50 && step < 60 ? 5_000 : 120));
    expect(firings(slow).map(({ state }) => state)).toEqual(['degraded']);
  });

  test('are still firing at the end of an unfinished outage', () => {
    expect(firings(hour((step) => (step >= 350 ? 10 : 0))).at(-1)).toMatchObject({ state: 'down', until: null });
  });

  test('find nothing in silence', () => {
    expect(firings([])).toEqual([]);
    expect(firings(hour(() => 0))).toEqual([]);
  });

  test('go by minutes as well as by tens of seconds: an outage of five minutes fires once either way', () => {
    const fine = hour((step) => (step >= 120 && step < 150 ? 10 : 0));
    const minutes = Array.from({ length: HOUR / 6 }, (_, minute) => {
      const own = fine.slice(minute * 6, minute * 6 + 6);
      const total = (name: 'succeeded' | 'faulted') => own.reduce((sum, one) => sum + one[name], 0);
      return bucket(minute * 6, total('succeeded'), total('faulted'));
    });
    const transitions = (buckets: OutcomeBucket[]) => firings(buckets).map(({ state, at }) => [state, at]);
    expect(transitions(minutes)).toEqual([['down', BEGIN + 120 * BUCKET_MS]]);
    expect(transitions(fine)).toEqual(transitions(minutes));
  });
});

/** Changes of state when every step is assessed and none is skipped. */
function movesOfEveryStep(buckets: readonly OutcomeBucket[], steps: number) {
  const moves: { from: string; state: string; at: number }[] = [];
  const usualMs = buckets.some(({ succeeded, latencyMsSum }) => succeeded > 0 && latencyMsSum <= 100 * succeeded) ? 100 : null;
  let previous: HealthMemory = { state: 'healthy', since: BEGIN - 300_000, why: null, countFrom: 0, relapses: 0, demotion: null };
  for (let at = BEGIN; at < BEGIN + steps * BUCKET_MS; at += BUCKET_MS) {
    const seen = buckets.filter((one) => one.at <= at);
    const judged = assessHealth({ subject, buckets: seen, previous, usualMs, now: at + BUCKET_MS - 1 });
    if (judged.movedFrom !== null) moves.push({ from: judged.movedFrom, state: judged.state, at });
    previous = judged;
  }
  return moves;
}

test('skipping quiet steps finds what assessing every step finds', () => {
  const step = fc.record({ step: fc.nat(300), succeeded: fc.nat(12), faulted: fc.nat(12), slow: fc.boolean() });
  const some = fc.uniqueArray(step, { selector: (one) => one.step, maxLength: 60 });
  const check = (steps: { step: number; succeeded: number; faulted: number; slow: boolean }[]) => {
    const buckets = steps
      .toSorted((left, right) => left.step - right.step)
      .map((one) => bucket(one.step, one.succeeded, one.faulted, one.slow ? 4_000 : 100));
    const moves = movesOfEveryStep(buckets, HOUR);
    const begun = moves.filter(({ from }) => from === 'healthy').map(({ at }) => at);
    const ended = moves.filter(({ state }) => state === 'healthy').map(({ at }) => at);
    const found = firings(buckets);
    expect(found.map(({ at }) => at)).toEqual(begun);
    expect(found.flatMap(({ until }) => until ?? [])).toEqual(ended);
  };
  fc.assert(fc.property(some, check), { numRuns: 200 });
});
