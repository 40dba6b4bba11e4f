import { expect, test } from 'vitest';
import { costsBetween } from './postgres-costs.ts';

const reading = (walBytes: number, commits: number, ...statements: [string, number, number, number][]) => ({
  walBytes,
  walPosition: '',
  commits,
  statements: new Map(
    statements.map(([text, calls, ms, wal]) => [text, { text: `${text}\n  x`, calls, ms, walBytes: wal }] as const),
  ),
});

test('costs are those between two readings, for each operation, and the longest statement comes first', () => {
  const before = reading(1_000, 50, ['idle', 7, 1, 0], ['reserve', 10, 5, 900]);
  const after = reading(9_000, 70, ['idle', 7, 1, 0], ['reserve', 20, 10, 4_900], ['settle', 10, 40, 3_000]);
  expect(costsBetween(before, after, 5_000, 10)).toEqual({
    walBytes: 800,
    walPageBytes: 500,
    commits: 2,
    statements: 2,
    longest: [
      { text: 'settle x', calls: 1, ms: 4, walBytes: 300 },
      { text: 'reserve x', calls: 1, ms: 0.5, walBytes: 400 },
    ],
  });
});
