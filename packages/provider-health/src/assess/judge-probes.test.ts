import { describe, expect, test } from 'vitest';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import { answersNeeded, judgeProbes } from './judge-probes.ts';
import type { OutcomeBucket } from './outcome-counts.ts';

const BEGIN = Date.parse('2026-11-20T14:00:00Z');
const TEN_SECONDS = 10_000;

/** Free calls of consecutive ten seconds: how many were answered, and how many failed. */
const calls = (...counts: readonly (readonly [answered: number, failed: number])[]): OutcomeBucket[] =>
  counts.map(([answered, failed], index) => ({
    at: BEGIN + index * TEN_SECONDS,
    succeeded: 0,
    faulted: 0,
    latencyMsSum: 0,
    lookups: { answered, failed },
  }));
const judge = (buckets: readonly OutcomeBucket[], afterMs: number, from = BEGIN) =>
  judgeProbes(buckets, from, BEGIN + afterMs, DEFAULT_HEALTH_THRESHOLDS);

describe('free calls', () => {
  test('see a fault once three of them failed, and not before', () => {
    expect(judge(calls([0, 2]), 5_000)).toEqual({ kind: 'unseen' });
    expect(judge(calls([0, 3]), 5_000)).toEqual({ kind: 'failing' });
    expect(judge(calls([9, 0]), 5_000)).toEqual({ kind: 'unseen' });
  });

  test('prove its end when enough are answered, 15 seconds after the ten seconds in which the last one failed', () => {
    const since = BEGIN + TEN_SECONDS;
    expect(judge(calls([0, 3], [0, 0], [3, 0]), 24_999)).toMatchObject({ kind: 'failing' });
    expect(judge(calls([0, 3], [0, 0], [3, 0]), 25_000)).toEqual({ kind: 'answered', since, answered: 3 });
    expect(judge(calls([0, 3], [0, 0], [2, 0]), 25_000)).toMatchObject({ kind: 'failing' });
  });

  test('of the ten seconds in which the last one failed prove nothing', () => {
    expect(judge(calls([5, 5], [1, 0], [1, 0]), 25_000).kind).not.toBe('answered');
  });

  test('from before count neither as failures nor as answers', () => {
    expect(judge(calls([0, 9], [2, 0]), 15_000, BEGIN + TEN_SECONDS)).toEqual({ kind: 'unseen' });
  });

  test('say nothing of the present half a minute later', () => {
    expect(judge(calls([0, 3]), 39_999)).toEqual({ kind: 'failing' });
    expect(judge(calls([0, 3]), 40_000)).toEqual({ kind: 'unseen' });
  });
});

test('the more seldom a gateway fails, the more answers in a row prove that it does not any more', () => {
  expect([1, 0.9, 0.5, 0.2, 0.05, 0].map((share) => answersNeeded(share, 3))).toEqual([3, 3, 4, 11, 20, 3]);
});
