import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareDecimals,
  mainToMinor,
  minorToDecimal,
  negateDecimal,
  readDecimal,
  readMinor,
  signedMinorToDecimal,
  sumDecimals,
  wireInteger,
} from './amount.ts';

const money = fc.bigInt({ min: 0n, max: 10n ** 20n });

/** An independent reading of a decimal: whole and fraction as one integer at 40 places. */
function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole) * 10n ** 40n + BigInt(fraction.padEnd(40, '0'));
}

describe('amounts are converted exactly between naira and kobo', () => {
  it('returns every whole amount unchanged after conversion to kobo and to decimal text', () => {
    fc.assert(fc.property(money, (amount) => minorToDecimal(mainToMinor(amount)) === amount.toString()));
  });

  it('writes every count of kobo as a canonical decimal worth exactly that many', () => {
    fc.assert(
      fc.property(money, (kobo) => {
        const decimal = minorToDecimal(kobo);
        expect(decimal).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(scaled(decimal)).toBe(kobo * 10n ** 38n);
        expect(readDecimal(decimal)).toBe(decimal);
      }),
    );
  });

  it.each([
    [0n, '0'],
    [1n, '0.01'],
    [10n, '0.1'],
    [100n, '1'],
    [99950n, '999.5'],
    [100000000000000n, '1000000000000'],
  ])('writes %s kobo as %s', (kobo, decimal) => {
    expect(minorToDecimal(kobo)).toBe(decimal);
  });

  it('refuses to write a negative amount', () => {
    expect(() => minorToDecimal(-1n)).toThrow(RangeError);
  });
});

describe('amounts are read from the wire exactly or not at all', () => {
  it('reads padded decimal text as its canonical form', () => {
    const digits = fc.stringMatching(/^\d{1,20}$/);
    fc.assert(
      fc.property(digits, digits, (whole, fraction) => {
        const read = readDecimal(`${whole}.${fraction}`);
        expect(read).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(scaled(read ?? '')).toBe(scaled(`${whole}.${fraction}`));
      }),
    );
  });

  it('reads any amount with two decimals the same from a JSON number and from text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (kobo) => {
        const text = minorToDecimal(BigInt(kobo));
        expect(readDecimal(Number(text))).toBe(text);
      }),
    );
  });

  it.each([
    [1000.5, '1000.5'],
    ['1000.00', '1000'],
    ['0001000.50', '1000.5'],
    ['0.10', '0.1'],
    [0, '0'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    ['1.5e3', '1500'],
    ['12345678901234567.89', '12345678901234567.89'],
  ])('reads %s as %s', (wire, decimal) => {
    expect(readDecimal(wire)).toBe(decimal);
  });

  it.each([
    -1,
    -0,
    '-1',
    '+1',
    '',
    ' 1',
    '1 ',
    '1,000',
    '.5',
    '5.',
    'NaN',
    'Infinity',
    Number.NaN,
    Infinity,
    '0x10',
    '1e99',
    '1_000',
    '١',
  ])('does not read %s as a decimal', (wire) => {
    expect(readDecimal(wire)).toBeNull();
  });

  it.each([
    [100000, 100000n],
    ['100000', 100000n],
    ['18446744073709551616', 18446744073709551616n],
    [0, 0n],
  ])('reads %s as a count of kobo', (wire, kobo) => {
    expect(readMinor(wire)).toBe(kobo);
  });

  it.each([-1, 0.5, 2 ** 53, '-1', '1.0', '1e3', '', ' 1', Number.NaN, '9'.repeat(31)])(
    'does not read %s as a count of kobo',
    (wire) => {
      expect(readMinor(wire)).toBeNull();
    },
  );
});

describe('decimals compare as numbers do', () => {
  it('orders any two canonical decimals as their exact values', () => {
    fc.assert(
      fc.property(money, money, (a, b) => {
        const sign = Math.sign(compareDecimals(minorToDecimal(a), minorToDecimal(b)));
        expect(sign).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

describe('whole amounts are written exactly', () => {
  it('writes a number or the same digits as text, never a rounded number', () => {
    fc.assert(fc.property(money, (amount) => BigInt(wireInteger(amount)) === amount));
  });
});

describe('a sum of decimals', () => {
  it('is exact, whatever their signs and digits', () => {
    expect(sumDecimals([])).toBe('0');
    expect(sumDecimals(['0.1', '0.2', '-0.3'])).toBe('0');
    expect(sumDecimals(['1000', '-0.005'])).toBe('999.995');
    expect(sumDecimals(['-0.5', '0.25'])).toBe('-0.25');
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })), (kobo) => {
        const total = kobo.reduce((sum, each) => sum + each, 0n);
        expect(sumDecimals(kobo.map((each) => signedMinorToDecimal(each)))).toBe(signedMinorToDecimal(total));
        expect(sumDecimals([signedMinorToDecimal(total), negateDecimal(signedMinorToDecimal(total))])).toBe('0');
      }),
    );
  });
});
