import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oldestMissed } from './watch-beats.ts';

const NOW = Date.parse('2026-11-21T13:00:00Z');
const ago = (ms: number, everyMs: number) => ({ updatedAt: NOW - ms, everyMs });

test.each([
  ['without polled data', [], null],
  ['that missed one beat', [ago(29_000, 15_000)], null],
  ['that missed two beats and the time of an answer', [ago(32_001, 15_000)], 32_001],
  ['of every second, after ten seconds and the time of an answer', [ago(12_000, 1_000)], null],
  ['of every second, longer', [ago(12_001, 1_000)], 12_001],
  ['with one old query of several', [ago(1_000, 5_000), ago(90_000, 15_000), ago(60_000, 60_000)], 90_000],
])('a page %s', (_, queries, missedMs) => {
  expect(oldestMissed(queries, NOW)).toBe(missedMs === null ? null : NOW - missedMs);
});

test('a page is blind from one moment on, until every query that missed its beats was read again', () => {
  const query = fc.record({ ageMs: fc.nat(600_000), everyMs: fc.integer({ min: 1_000, max: 60_000 }) });
  fc.assert(
    fc.property(fc.array(query, { minLength: 1 }), fc.nat(600_000), (queries, laterMs) => {
      const polled = queries.map(({ ageMs, everyMs }) => ago(ageMs, everyMs));
      const missed = oldestMissed(polled, NOW);
      if (missed !== null)
        expect(oldestMissed(polled, NOW + laterMs)).toBe(Math.min(missed, oldestMissed(polled, NOW + laterMs) ?? 0));
      const readAgain = polled.map(({ everyMs }) => ({ updatedAt: NOW, everyMs }));
      expect(oldestMissed(readAgain, NOW)).toBeNull();
    }),
  );
});
