import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { describeChange, describeShare } from './amounts.ts';
import { describeShortLength } from './moments.ts';
import { isComparable, successRate } from './shares.ts';
import { pageClock, viewerZone, WORKSPACE_ZONE, zonedFormat } from './zone.ts';

describe('a success rate', () => {
  test.each([
    [0, 0, '–'],
    [3, 1, '3 of 4'],
    [0, 19, '0 of 19'],
    [19, 1, '95.0%'],
    [974, 26, '97.4%'],
  ])('of %d paid and %d failed is %s: a percentage only of twenty and more', (paid, failed, text) => {
    expect(successRate(paid, failed)).toBe(text);
  });

  test('is compared only with one that has one', () => {
    expect([isComparable(20, 20), isComparable(19, 20), isComparable(20, 19)]).toEqual([true, false, false]);
  });
});

test('a change has the sign of the difference, and none where it rounds to nothing', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000_000 }), (now, before) => {
      const percent = ((now - before) / before) * 100;
      const text = describeChange(now, before);
      if (Math.round(percent) === 0) expect(text).toBe('±0%');
      else expect(text.charAt(0)).toBe(percent > 0 ? '+' : '−');
    }),
  );
});

test('shares of a whole are between nothing and all of it', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.integer({ min: 1, max: 1_000 }), (part, rest) => {
      const share = Number(describeShare(part, part + rest).replace('%', ''));
      expect([share >= 0, share <= 100]).toEqual([true, true]);
    }),
  );
});

test.each([
  [-3, '0 ms'],
  [99.4, '99 ms'],
  [100, '0.1 s'],
  [4_960, '5.0 s'],
  [59_940, '59.9 s'],
  [60_000, '1 min'],
  [7_300_000, '2 h'],
  [200_000_000, '2 d'],
])('%d ms are %s', (ms, text) => {
  expect(describeShortLength(ms)).toBe(text);
});

describe('the zone in which times are read', () => {
  test('is that of the request that is rendered, else the one of the workspace', () => {
    expect(viewerZone()).toBe(WORKSPACE_ZONE);
    vi.stubGlobal('requestZone', () => 'Africa/Nairobi');
    expect(viewerZone()).toBe('Africa/Nairobi');
    vi.stubGlobal('requestZone', () => undefined);
    expect(viewerZone()).toBe(WORKSPACE_ZONE);
    vi.unstubAllGlobals();
  });

  test('is followed by every format and clock, without another one', () => {
    const format = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
    const noon = Date.parse('2026-11-21T12:00:00Z');
    const clock = pageClock();
    expect(format.format(noon)).toBe('13:00');
    vi.stubGlobal('requestZone', () => 'Asia/Kathmandu');
    expect(format.format(noon)).toBe('17:45');
    expect(pageClock()).not.toBe(clock);
    vi.unstubAllGlobals();
    expect(pageClock()).toBe(clock);
  });
});
