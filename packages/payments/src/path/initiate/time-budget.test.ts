import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tryTimeoutMs } from './open-checkout.ts';

const BUDGET_MS = 20_000;

/** The time of each attempt of a plan when every account uses all of its time. */
function playOut(accountsMs: readonly number[], budgetMs: number): number[] {
  let leftMs = budgetMs;
  return accountsMs.map((accountMs, at) => {
    const timeoutMs = tryTimeoutMs({ leftMs, accountMs, behind: accountsMs.length - 1 - at });
    leftMs -= timeoutMs;
    return timeoutMs;
  });
}

describe('the shared time budget', () => {
  test('gives each account its usual latency, and the last one the rest', () => {
    expect(playOut([2_000, 3_000, 2_000], BUDGET_MS)).toEqual([2_000, 3_000, 8_000]);
    expect(playOut([8_000, 8_000, 8_000], BUDGET_MS)).toEqual([8_000, 8_000, 4_000]);
    expect(playOut([2_000], BUDGET_MS)).toEqual([8_000]);
  });

  test('reserves time for every account, even when all earlier ones use their full share', () => {
    expect(playOut([8_000, 8_000, 8_000, 8_000], BUDGET_MS)).toEqual([8_000, 8_000, 2_000, 2_000]);
    expect(playOut([8_000, 8_000], 2_400)).toEqual([1_200, 1_200]);
  });

  test('is never exceeded, and leaves no account out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 500, max: 8_000 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 15_000, max: 60_000 }),
        (accountsMs, budgetMs) => {
          const tries = playOut(accountsMs, budgetMs);
          const kept = Math.min(...accountsMs, 2_000, budgetMs / accountsMs.length);
          expect(Math.min(...tries)).toBeGreaterThanOrEqual(Math.floor(kept) - 1);
          expect(tries.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(budgetMs + tries.length);
        },
      ),
    );
  });

  test('still gives an attempt the minimum when nothing is left', () => {
    expect(tryTimeoutMs({ leftMs: -50, accountMs: 2_000, behind: 0 })).toBe(500);
  });
});
