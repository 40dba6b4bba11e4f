import { describe, expect, it } from 'vitest';
import { formatAmount, formatHundredths, groupDigits, MAX_AMOUNT } from './money.ts';

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

  it('writes amounts with their currency', () => {
    expect(formatAmount('NGN', 2_500)).toBe('NGN 2,500');
    expect(formatHundredths('NGN', 1_234_505)).toBe('NGN 12,345.05');
    expect(formatHundredths('NGN', -7n)).toBe('NGN -0.07');
    expect(formatHundredths('NGN', 123_456_789_012_345_678_901n)).toBe('NGN 1,234,567,890,123,456,789.01');
  });
});
