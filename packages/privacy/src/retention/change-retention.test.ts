import { createIds, firstIdAt, NIL_ID, newId } from '@switchyard/db';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutOff, effectiveDays, type StoredSetting } from './change-retention.ts';
import { RETENTION_KINDS, RETENTION_LIMITS } from './kinds.ts';

const MERCHANT = newId();
const OTHER = newId();
const kind = fc.constantFrom(...RETENTION_KINDS);
const owner = fc.constantFrom(NIL_ID, MERCHANT, OTHER);
const settings: fc.Arbitrary<StoredSetting[]> = fc.uniqueArray(
  fc.record({ merchantId: owner, kind, days: fc.integer({ min: -10_000, max: 100_000 }) }),
  { selector: (one) => `${one.merchantId} ${one.kind}` },
);

describe('days of a kind', () => {
  test('never leave the limits, whatever is stored', () => {
    fc.assert(
      fc.property(settings, owner, kind, (stored, merchantId, of) => {
        const { days } = effectiveDays(stored, merchantId, of);
        expect(days).toBeGreaterThanOrEqual(RETENTION_LIMITS[of].minDays);
        expect(days).toBeLessThanOrEqual(RETENTION_LIMITS[of].maxDays);
      }),
    );
  });

  test("are the merchant's own, else the workspace's, else the default, and never those of another", () => {
    fc.assert(
      fc.property(settings, kind, (stored, of) => {
        const { minDays, maxDays, defaultDays, of: scope } = RETENTION_LIMITS[of];
        const find = (merchantId: string) => stored.find((one) => one.merchantId === merchantId && one.kind === of)?.days;
        const own = scope === 'merchant' ? find(MERCHANT) : undefined;
        const expected = own ?? find(NIL_ID) ?? defaultDays;
        expect(effectiveDays(stored, MERCHANT, of).days).toBe(Math.min(maxDays, Math.max(minDays, expected)));
      }),
    );
  });

  test('have a default within the limits', () => {
    for (const { minDays, maxDays, defaultDays } of Object.values(RETENTION_LIMITS)) {
      expect(minDays).toBeLessThanOrEqual(defaultDays);
      expect(defaultDays).toBeLessThanOrEqual(maxDays);
    }
  });
});

const instant = fc.date({ min: new Date('2024-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

describe('the cut-off', () => {
  test('lies the days before now, and moves with both', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 3_650 }), fc.integer({ min: 1, max: 1_000 }), (now, days, more) => {
        expect(now.getTime() - cutOff(now, days).getTime()).toBe(days * 86_400_000);
        expect(cutOff(now, days + more).getTime()).toBeLessThan(cutOff(now, days).getTime());
      }),
    );
  });

  test('as an id comes after every id made before it, and before every id made from then on', () => {
    const times = fc.tuple(instant, fc.integer({ min: 0, max: 1_000_000 }));
    fc.assert(
      fc.property(times, ([at, later]) => {
        const idAt = (ms: number) => `${firstIdAt(ms).slice(0, 14)}7fff-bfff-ffffffffffff`;
        expect(firstIdAt(at.getTime()) > idAt(at.getTime() - 1 - later)).toBe(true);
        expect(firstIdAt(at.getTime() + later) >= firstIdAt(at.getTime())).toBe(true);
      }),
    );
    const now = Date.parse('2026-11-29T12:00:00Z');
    const nextId = createIds(() => now);
    expect(nextId() > firstIdAt(now)).toBe(true);
    expect(nextId() < firstIdAt(now + 1_000)).toBe(true);
  });
});
