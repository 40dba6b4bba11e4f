import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDecimals, subtractDecimals } from './decimals.ts';

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
