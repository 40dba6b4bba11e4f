import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { waitForTurn } from './pace.ts';

const moment = fc.integer({ min: 0, max: 10_000_000 });

describe('a file', () => {
  test('waits for nothing while no merchant calls, nor before its first piece', () => {
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: 1_001, max: 1_000_000 }), (pieceAt, now, ago) => {
        expect(waitForTurn({ now, pieceAt, calledAt: null })).toBe(0);
        expect(waitForTurn({ now, pieceAt, calledAt: now - ago })).toBe(0);
        expect(waitForTurn({ now, pieceAt: null, calledAt: now })).toBe(0);
      }),
    );
  });

  test('has a piece each quarter of a second at most while merchants call, and is never held up for longer', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 1_000 }), (pieceAt, later, ago) => {
        const now = pieceAt + later;
        const wait = waitForTurn({ now, pieceAt, calledAt: now - ago });
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(now + wait - pieceAt).toBe(Math.max(later, 250));
      }),
    );
  });
});
