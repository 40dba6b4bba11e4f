import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecimals, sameDecimal, subtractDecimals, wholeUnits } from './decimals.ts';

describe('decimals', () => {
  const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 20 }));
  const written = ([value, places]: [bigint, number]) => {
    const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
    const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    return value < 0n ? `-${text}` : text;
  };

  it('add and subtract without losing a digit', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const sum = addDecimals(written(a), written(b));
        expect(sameDecimal(subtractDecimals(sum, written(b)), written(a))).toBe(true);
        expect(sum).toMatch(/^(0|-?(?!0$)(0|[1-9]\d*)(\.\d*[1-9])?)$/);
      }),
    );
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
  });

  it('split into whole units and a remainder that add up to them', () => {
    fc.assert(
      fc.property(decimal, ([value, places]) => {
        const amount = written([value < 0n ? -value : value, places]);
        const { whole, remainder } = wholeUnits(amount);
        expect(remainder).toMatch(/^0(\.\d*[1-9])?$/);
        expect(sameDecimal(addDecimals(whole.toString(), remainder), amount)).toBe(true);
      }),
    );
    expect(wholeUnits('1000.50')).toEqual({ whole: 1_000n, remainder: '0.5' });
  });
});
