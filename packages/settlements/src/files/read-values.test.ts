import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAmount } from './read-amount.ts';
import { readDay, readTime } from './read-time.ts';

const main = { unit: 'main', decimalMark: '.' } as const;

describe('an amount of a file', () => {
  test.each([
    ['1234', '1234'],
    ['1,234.50', '1234.5'],
    ['1 234 567.05', '1234567.05'],
    ['NGN 1,234.50', '1234.5'],
    ['₦1,234.50', '1234.5'],
    ['1,234.50 NGN', '1234.5'],
    ['-1,234.50', '-1234.5'],
    ['−12', '-12'],
    ['(1,234.50)', '-1234.5'],
    ['(NGN 1,234.50)', '-1234.5'],
    ['-NGN 5.00', '-5'],
    ['12.00-', '-12'],
    ['12.00DR', '-12'],
    ['12.00 CR', '12'],
    ['+5', '5'],
    ['0.00', '0'],
    ['-0.00', '0'],
    ['007', '7'],
  ])('%j is %j', (text, amount) => {
    expect(readAmount(text, main)).toBe(amount);
  });

  test.each(['', '-', 'n/a', '1.234,50', '1,23', '12,34,567', '1.2.3', '1e5', '12.', '.5', '1.1234567', '9'.repeat(25), '--5'])(
    '%j is none',
    (text) => {
      expect(readAmount(text, main)).toBeNull();
    },
  );

  test.each([
    ['123450', '1234.5'],
    ['5', '0.05'],
    ['-1,234', '-12.34'],
    ['100.5', '1.005'],
  ])('of kobo: %j is %j', (text, amount) => {
    expect(readAmount(text, { ...main, unit: 'minor' })).toBe(amount);
  });

  test('with a decimal comma has points between thousands', () => {
    expect(readAmount('1.234,50', { unit: 'main', decimalMark: ',' })).toBe('1234.5');
    expect(readAmount('1,234.50', { unit: 'main', decimalMark: ',' })).toBeNull();
  });

  test('is exact, however it is grouped', () => {
    const kobo = fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n });
    fc.assert(
      fc.property(kobo, fc.constantFrom(',', ' ', '’', ''), fc.constantFrom('-', '()', 'DR'), (value, group, sign) => {
        const size = value < 0n ? -value : value;
        const whole = String(size / 100n).replaceAll(/\B(?=(\d{3})+$)/g, group);
        const shown = `${whole}.${String(size % 100n).padStart(2, '0')}`;
        const text = value >= 0n ? shown : sign === '-' ? `-${shown}` : sign === 'DR' ? `${shown} DR` : `(${shown})`;
        expect(readAmount(text, main)).toBe(readAmount(String(value), { ...main, unit: 'minor' }));
      }),
    );
  });
});

const lagos = { dates: 'day_first', zone: 'Africa/Lagos' } as const;

describe('a date of a file', () => {
  test.each([
    ['2026-11-25', '2026-11-25'],
    ['2026/11/25 14:03', '2026-11-25'],
    ['20261125', '2026-11-25'],
    ['25/11/2026', '2026-11-25'],
    ['5.1.26', '2026-01-05'],
    ['25-Nov-2026', '2026-11-25'],
    ['25 November 2026', '2026-11-25'],
    ['Nov 25, 2026', '2026-11-25'],
    ['2026-11-25T14:03:00', '2026-11-25'],
  ])('%j is %s', (text, day) => {
    expect(readDay(text, lagos)).toBe(day);
  });

  test.each(['', '31/02/2026', '11/25/2026', 'tomorrow', '2026-13-01', '25 Foo 2026'])('%j is none', (text) => {
    expect(readDay(text, lagos)).toBeNull();
  });

  test('has the month first where the profile says so', () => {
    expect(readDay('11/25/2026', { dates: 'month_first' })).toBe('2026-11-25');
  });
});

describe('a time of a file', () => {
  test.each([
    ['25/11/2026 02:03:04 PM', '2026-11-25T13:03:04.000Z'],
    ['25/11/2026 12:00 AM', '2026-11-24T23:00:00.000Z'],
    ['2026-11-25 14:03:00.615', '2026-11-25T13:03:00.615Z'],
    ['2026-11-25T14:03:00Z', '2026-11-25T14:03:00.000Z'],
    ['2026-11-25T14:03:00+0530', '2026-11-25T08:33:00.000Z'],
    ['25-Nov-2026', '2026-11-24T23:00:00.000Z'],
    ['Nov 25, 2026, 9:05', '2026-11-25T08:05:00.000Z'],
  ])('%j is %s', (text, time) => {
    expect(readTime(text, lagos)?.toISOString()).toBe(time);
  });

  test.each(['', '2026-11-25 25:00', '2026-11-25 10:61', '2026-11-25 13:00 PM', '14:03'])('%j is none', (text) => {
    expect(readTime(text, lagos)).toBeNull();
  });

  test('follows the summer time of its zone', () => {
    const london = { dates: 'day_first', zone: 'Europe/London' } as const;
    expect(readTime('2026-07-01 12:00', london)?.toISOString()).toBe('2026-07-01T11:00:00.000Z');
    expect(readTime('2026-12-01 12:00', london)?.toISOString()).toBe('2026-12-01T12:00:00.000Z');
  });
});
