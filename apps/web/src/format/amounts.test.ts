import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeChange, describeShare, formatDecimal, formatMoney, groupDecimal } from './amounts.ts';

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

test('an amount with a fraction has the decimals of its currency, and more where it has more; a whole one has none', () => {
  expect(formatMoney('NGN', '377.5')).toBe('NGN 377.50');
  expect(formatMoney('NGN', '1250')).toBe('NGN 1,250');
  expect(formatMoney('NGN', '1250.00')).toBe('NGN 1,250');
  expect(formatMoney('NGN', 1_250n)).toBe('NGN 1,250');
  expect(formatMoney('NGN', '-0.015')).toBe('NGN -0.015');
  expect(formatDecimal('KWD', '1.5')).toBe('1.500');
  expect(formatDecimal('JPY', '12.5')).toBe('12.5');
  expect(formatDecimal(null, '12.5')).toBe('12.50');
  expect(formatDecimal('not a code', '12.5')).toBe('12.50');
});

test('an amount is never changed by how it is shown', () => {
  const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 999_999 }));
  fc.assert(
    fc.property(decimals, fc.constantFrom('NGN', 'KWD', 'JPY', null), ([whole, fraction], currency) => {
      const decimal = `${whole}.${String(fraction).padStart(6, '0')}`;
      const [shownWhole = '', shownFraction = ''] = formatDecimal(currency, decimal).split('.');
      expect(shownWhole.replaceAll(',', '')).toBe(String(whole));
      expect(Number(`0.${shownFraction || 0}`)).toBe(fraction / 1_000_000);
    }),
  );
});

test('a share of nothing and a change from nothing are not numbers', () => {
  expect(describeShare(0, 0)).toBe('–');
  expect(describeChange(5, 0)).toBe('');
  expect(describeShare(1, 3)).toBe('33.3%');
  expect(describeChange(97, 100)).toBe('−3%');
});
