import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  addDecimals,
  describeChange,
  describeShare,
  groupDecimal,
  isComparable,
  subtractDecimals,
  successRate,
} from './amounts.ts';
import { describeShortLength } from './moments.ts';
import { pageClock, viewerZone, WORKSPACE_ZONE, zonedFormat } from './zone.ts';

test('grouping changes how an amount looks and never what it is', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amount) => {
      const grouped = groupDecimal(amount);
      expect(BigInt(grouped.replaceAll(',', ''))).toBe(amount);
      expect(grouped).toMatch(/^\d{1,3}(,\d{3})*$/);
    }),
  );
});

test('the fraction of a decimal is kept digit by digit', () => {
  expect(groupDecimal('1234567.50')).toBe('1,234,567.50');
  expect(groupDecimal('999')).toBe('999');
});

test('a share of nothing and a change from nothing are not numbers', () => {
  expect(describeShare(0, 0)).toBe('–');
  expect(describeChange(5, 0)).toBe('');
  expect(describeShare(1, 3)).toBe('33.3%');
  expect(describeChange(97, 100)).toBe('−3%');
});

describe('decimals are added exactly', () => {
  test.each([
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [['9007199254740993', '0.5'], '9007199254740993.5'],
    [['-12.5', '12.50'], '0'],
    [['-0.05', '-0.05'], '-0.1'],
  ])('%j is %s', (decimals, sum) => {
    expect(addDecimals(decimals)).toBe(sum);
  });

  test('in any order, and subtracting undoes adding', () => {
    const decimal = fc.tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(999)).map(([whole, part]) => `${whole}.${part}`);
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(addDecimals([a, b])).toBe(addDecimals([b, a]));
        expect(subtractDecimals(addDecimals([a, b]), b)).toBe(addDecimals([a]));
      }),
    );
  });
});

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
