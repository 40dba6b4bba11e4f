import { describe, expect, test } from 'vitest';
import { findBroken, formatOverload, type OverloadObserved, type StreamKind, type StreamResult } from './result.ts';

const stream = (kind: StreamKind, change: Partial<StreamResult> = {}): StreamResult => ({
  kind,
  due: 600,
  sent: 600,
  served: 600,
  shed: 0,
  timedOut: 0,
  others: {},
  p50Ms: 20,
  p99Ms: 1_000,
  lateP99Ms: 5,
  ...change,
});

const MB = 1_048_576;

function observed(change: Partial<OverloadObserved> = {}): OverloadObserved {
  return {
    takesPerSecond: 400,
    offeredPerSecond: 2_000,
    streams: [stream('initiate'), stream('webhook'), stream('list', { served: 10, timedOut: 20, p99Ms: 9_000 })],
    memory: { before: 200 * MB, peak: 700 * MB, after: 260 * MB },
    ...change,
  };
}

describe('the promises under overload', () => {
  test('hold while payers are served in time, whatever becomes of lists', () => {
    expect(findBroken(observed())).toEqual([]);
  });

  test.each<[string, Partial<StreamResult>, string]>([
    ['one that is not answered', { served: 599, timedOut: 1 }, '1 initiates were not answered in time'],
    ['more than one in a hundred that is shed', { served: 593, shed: 7 }, '7 of 600 initiates were not served'],
    ['slow ones', { p99Ms: 1_001 }, 'initiates took 1001 ms (p99), more than 1000'],
  ])('are broken by %s', (_, change, line) => {
    expect(findBroken(observed({ streams: [stream('initiate', change), stream('webhook')] }))).toEqual([line]);
  });

  test('are broken by memory that stays, and not judged where it is not told', () => {
    const memory = { before: 200 * MB, peak: 700 * MB, after: 261 * MB };
    expect(findBroken(observed({ memory }))).toEqual(['memory stayed at 1.30 × what it was, more than 1.3']);
    expect(findBroken(observed({ memory: null }))).toEqual([]);
  });
});

test('the table has a line for each kind of request', () => {
  const lines = formatOverload(observed({ streams: [stream('list', { others: { ECONNRESET: 3 } })] })).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/lists .* 3 × ECONNRESET /);
  expect(lines[3]).toBe('memory of web: 200 MB before, 700 MB at most, 260 MB a minute after');
});
