import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBound, formatDecimal, formatHundredths, formatMoney, groupDigits, MAX_AMOUNT } from './money.ts';

describe('figures for people', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [-1_234_567, '-1,234,567'],
    [MAX_AMOUNT, '1,000,000,000,000'],
  ])('groups %i as %s', (value, text) => {
    expect(groupDigits(value)).toBe(text);
  });

  it.each([
    ['NGN', '680.5', 'NGN 680.50'],
    ['NGN', '2500', 'NGN 2,500.00'],
    ['NGN', 2_500n, 'NGN 2,500.00'],
    ['NGN', 2_500, 'NGN 2,500.00'],
    ['NGN', '2500.0000', 'NGN 2,500.00'],
    ['NGN', '-0.015', 'NGN −0.015'],
    ['NGN', '0', 'NGN 0.00'],
    ['KWD', '1.5', 'KWD 1.500'],
    ['JPY', '1200', 'JPY 1,200'],
    ['JPY', '12.5', 'JPY 12.5'],
    ['a code', '12.5', 'a code 12.50'],
  ])('writes %s %s as %s', (currency, amount, text) => {
    expect(formatMoney(currency, amount)).toBe(text);
  });

  it('shows every digit of an amount that is not a trailing zero, whatever the currency', () => {
    const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 999_999 }));
    fc.assert(
      fc.property(decimals, fc.constantFrom('NGN', 'KWD', 'JPY', null), ([whole, fraction], currency) => {
        const shown = formatDecimal(currency, `${whole}.${String(fraction).padStart(6, '0')}`);
        const [shownWhole = '', shownFraction = ''] = shown.replace('−', '-').split('.');
        expect(shownWhole.replaceAll(',', '')).toBe(String(whole));
        expect(Number(`0.${shownFraction || 0}`)).toBe(fraction / 1_000_000);
      }),
    );
  });

  it('writes bounds as they are entered, and hundredths exactly', () => {
    expect(formatBound('NGN', 2_500)).toBe('NGN 2,500');
    expect(formatHundredths('NGN', 1_234_505)).toBe('NGN 12,345.05');
    expect(formatHundredths('NGN', -7n)).toBe('NGN -0.07');
    expect(formatHundredths('NGN', 123_456_789_012_345_678_901n)).toBe('NGN 1,234,567,890,123,456,789.01');
  });
});
