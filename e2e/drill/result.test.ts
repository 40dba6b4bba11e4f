import { describe, expect, test } from 'vitest';
import { formatTable, type Observed, summarise } from './result.ts';
import type { Served } from './traffic.ts';

const served = (atSeconds: number, change: Partial<Served> = {}): Served => ({
  atMs: atSeconds * 1_000,
  waitedMs: 50,
  status: 'PENDING',
  first: 'paystack',
  failedTries: 0,
  ...change,
});

/** Ten seconds without a fault, ten with one, ten of recovery, with one payment a second. */
function observed(change: Partial<Observed> = {}, meets: (atSeconds: number) => Partial<Served> = () => ({})): Observed {
  return {
    fault: 'hang',
    perSecond: 1,
    faultAtMs: 10_000,
    repairedAtMs: 20_000,
    endedAtMs: 30_000,
    served: Array.from({ length: 30 }, (_, second) => served(second, meets(second))),
    changes: [],
    recoveredAtMs: 26_000,
    ...change,
  };
}

describe('the summary of a drill', () => {
  test('no customer is hit while the fault has no effect', () => {
    expect(summarise(observed())).toMatchObject({ payments: 20, hit: 0, addedMeanMs: 0, failed: 0, recoveryMs: 6_000 });
  });

  test('customers are hit whose gateway failed, who waited, or who got nothing, until the end', () => {
    const meets = (second: number): Partial<Served> => {
      if (second === 10) return { failedTries: 1, waitedMs: 60 };
      if (second === 11) return { waitedMs: 2_050 };
      if (second === 12) return { status: 'FAILED', failedTries: 2 };
      if (second === 13) return { status: 'none' };
      return second === 24 ? { failedTries: 1 } : {};
    };
    expect(summarise(observed({}, meets))).toMatchObject({ hit: 5, failed: 2, longestWaitMs: 2_050, addedMeanMs: 201 });
  });

  test('what customers met before the fault is what is usual', () => {
    expect(summarise(observed({}, () => ({ waitedMs: 900 })))).toMatchObject({ hit: 0, addedMeanMs: 0, addedP99Ms: 0 });
  });

  test('changes before the fault are none of its', () => {
    const change = { gateway: 'paystack', from: 'healthy', to: 'down', why: '' };
    const changes = [
      { ...change, atMs: 9_000 },
      { ...change, atMs: 11_000 },
    ];
    expect(summarise(observed({ changes }))).toMatchObject({ changes: 1 });
  });
});

test('the table has a line per drill, and marks drills without recovery', () => {
  const rows = [summarise(observed()), summarise(observed({ fault: 'slow', perSecond: 0.3, recoveredAtMs: null }))];
  const [head, , first, second] = formatTable(rows).split('\n');
  expect(head).toMatch(
    /^fault +rate +payments +customers hit +longest wait +added latency, mean +p99 +FAILED +state changes +recovery$/,
  );
  expect(first).toMatch(/^hang +1\/s +20 +0 +0\.1 s +0 ms +0 ms +0 +0 +6\.0 s$/);
  expect(second).toMatch(/^slow +0\.3\/s .* not seen$/);
});
