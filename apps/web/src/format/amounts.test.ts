import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeChange, describeShare, groupDecimal } from './amounts.ts';

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
