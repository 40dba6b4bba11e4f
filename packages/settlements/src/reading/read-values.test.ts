import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AmountFormat,
  cellText,
  dayIn,
  isEitherWay,
  problemOfReference,
  readAmount,
  readDay,
  readTime,
  referenceText,
} from './read-values.ts';

const main = { unit: 'main', decimalMark: '.', currency: 'NGN' } as const;
/** The amount, or what is wrong with the text; empty where it says that there is none. */
const read = (text: string, format: AmountFormat = main) => {
  const reading = readAmount(text, format);
  return reading.kind === 'amount' ? reading.amount : reading.kind === 'nothing' ? '' : reading.problem;
};

describe('an amount of a file', () => {
  test.each([
    ['1234', '1234'],
    ['1,234.50', '1234.5'],
    ['1 234 567.05', '1234567.05'],
    ['1\u00a0234\u202f567.05', '1234567.05'],
    ['NGN 1,234.50', '1234.5'],
    ['NGN1,000.00', '1000'],
    ['₦1,234.50', '1234.5'],
    ['N1,000.00', '1000'],
    ['N 1,000', '1000'],
    ['=N=1,000.00', '1000'],
    ['#1,000', '1000'],
    ['ngn 5', '5'],
    ['1,234.50 NGN', '1234.5'],
    ['-1,234.50', '-1234.5'],
    ['−12', '-12'],
    ['(1,234.50)', '-1234.5'],
    ['(NGN 1,234.50)', '-1234.5'],
    ['₦(1,234.50)', '-1234.5'],
    ['-NGN 5.00', '-5'],
    ['NGN -5.00', '-5'],
    ['12.00-', '-12'],
    ['1,000.00 -', '-1000'],
    ['12.00DR', '-12'],
    ['12.00 CR', '12'],
    ['DR 12', '-12'],
    ['-12 DR', '-12'],
    ['+5', '5'],
    ['0.00', '0'],
    ['-0.00', '0'],
    ['007', '7'],
    ['1234.5000', '1234.5'],
    ['1000.000', '1000'],
    ['0.000', '0'],
  ])('%j is %j', (text, amount) => {
    expect(read(text)).toBe(amount);
  });

  test.each(['', ' ', '-', '–', '--', '₦ -', 'N-'])('is nothing where the cell has %j', (text) => {
    expect(readAmount(text, main)).toEqual({ kind: 'nothing' });
  });

  test.each([
    'n/a',
    'NGN',
    '1.234,50',
    '1,23',
    '12,34,567',
    '1.2.3',
    '1e5',
    '12.',
    '.5',
    '9'.repeat(25),
    '--5',
    '-5 CR',
    '(-5)',
    '- '.repeat(5_000),
  ])('cannot be read as %j', (text) => {
    expect(read(text)).toMatch(/^is no amount: “/);
  });

  test.each(['1.234', '1.230', '100.000', '1.1234567', '0.005', '1,234.567'])(
    'of %j is never rounded, nor taken for thousands',
    (text) => {
      expect(read(text)).toBe(`has more decimals than NGN has: “${text}”`);
    },
  );

  test('has the decimals of its currency', () => {
    expect(read('1.234', { ...main, currency: 'KWD' })).toBe('1.234');
    expect(read('5.5', { ...main, currency: 'JPY' })).toMatch(/^has more decimals/);
    expect(read('5.00', { ...main, currency: 'JPY' })).toBe('5');
    expect(read('5', { ...main, unit: 'minor', currency: 'JPY' })).toBe('5');
  });

  test.each(['USD 5', '5 USD', '$5', '€5', 'R5', 'GBP 5.00'])('in another currency than its row cannot be read: %j', (text) => {
    expect(read(text)).toBe(`is in another currency than NGN: “${text}”`);
    expect(read('$5', { ...main, currency: 'USD' })).toBe('5');
  });

  test.each([
    ['123450', '1234.5'],
    ['5', '0.05'],
    ['-1,234', '-12.34'],
    ['100.0', '1'],
    ['100.5', 'has more decimals than NGN has in its minor unit: “100.5”'],
  ])('of kobo: %j is %j', (text, amount) => {
    expect(read(text, { ...main, unit: 'minor' })).toBe(amount);
  });

  test('with a decimal comma has points between thousands', () => {
    const comma = { ...main, decimalMark: ',' } as const;
    expect(read('1.234,50', comma)).toBe('1234.5');
    expect(read('1,234.50', comma)).toMatch(/^is no amount/);
    expect(read('1,234', comma)).toMatch(/^has more decimals/);
  });

  test('of a number of a workbook has a point before its decimals, and no thousands', () => {
    expect(read('100.000', { ...main, isPlain: true })).toBe('100');
    expect(read('1.234', { ...main, isPlain: true })).toMatch(/^has more decimals/);
    expect(read('1,234', { ...main, isPlain: true })).toMatch(/^is no amount/);
  });

  test('is exact, however it is grouped', () => {
    const kobo = fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n });
    fc.assert(
      fc.property(kobo, fc.constantFrom(',', ' ', '’', ''), fc.constantFrom('-', '()', 'DR'), (value, group, sign) => {
        const size = value < 0n ? -value : value;
        const whole = String(size / 100n).replaceAll(/\B(?=(\d{3})+$)/g, group);
        const shown = `${whole}.${String(size % 100n).padStart(2, '0')}`;
        const text = value >= 0n ? shown : sign === '-' ? `-${shown}` : sign === 'DR' ? `${shown} DR` : `(${shown})`;
        expect(read(text)).toBe(read(String(value), { ...main, unit: 'minor' }));
      }),
    );
  });
});

describe('a cell of a file', () => {
  test.each([
    [' sy01 ', 'sy01'],
    ['sy01\u00a0', 'sy01'],
    ['\u200bsy01\ufeff', 'sy01'],
    ['\u202asy01\u202c', 'sy01'],
    ["'sy01", 'sy01'],
    ["'-16.13", '-16.13'],
    ["'Tunde's", "'Tunde's"],
    ['="0123"', '0123'],
    ['="say ""x"""', 'say "x"'],
    ['=1+1', '=1+1'],
  ])('%j is %j without what keeps it a text', (cell, text) => {
    expect(cellText(cell)).toBe(text);
  });

  test('with a reference that a spreadsheet took for a number is read, or refused where digits are lost', () => {
    expect(referenceText('300001.0')).toBe('300001');
    expect(referenceText('v1.0')).toBe('v1.0');
    const own = 'sy01a222bfb1d471d6874b7f223ff1179d00';
    for (const written of [own.toUpperCase(), `${own.slice(0, 10)} ${own.slice(10)}`, `${own}.0`])
      expect(referenceText(written)).toBe(own);
    expect(referenceText('SY-01 A')).toBe('SY-01 A');
    expect(problemOfReference('2.02611E+15')).toBe('is a number that a spreadsheet has shortened: “2.02611E+15”');
    expect(problemOfReference('E+15-x')).toBeNull();
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
    ['Wed, 25th Nov 2026', '2026-11-25'],
    ['2026-11-30T23:30:00Z', '2026-12-01'],
    ['30/11/2026 23:30 UTC', '2026-12-01'],
    ['2026-12-01T00:30:00+01:00', '2026-12-01'],
    ['2026-12-01T00:30:00+02:00', '2026-11-30'],
    ['30/11/2026 23:30', '2026-11-30'],
    ['2026-11-26+01:00', '2026-11-26'],
    ['28/11/62', '2062-11-28'],
  ])('%j is %s', (text, day) => {
    expect(readDay(text, lagos)).toBe(day);
  });

  test.each(['', '31/02/2026', '11/25/2026', 'tomorrow', '2026-13-01', '25 Foo 2026'])('%j is none', (text) => {
    expect(readDay(text, lagos)).toBeNull();
  });

  test('has the month first where the profile says so', () => {
    expect(readDay('11/25/2026', { ...lagos, dates: 'month_first' })).toBe('2026-11-25');
  });
});

test('a date says whether its day and month could be the other way around', () => {
  expect(
    ['03/04/2026', '3.4.26 10:00', '13/04/2026', '04/13/2026', '04/04/2026', '2026-04-03', '3 Apr 2026'].map(isEitherWay),
  ).toEqual([true, true, false, false, null, null, null]);
});

describe('a time of a file', () => {
  test.each([
    ['25/11/2026 02:03:04 PM', '2026-11-25T13:03:04.000Z'],
    ['25/11/2026 12:00 AM', '2026-11-24T23:00:00.000Z'],
    ['2026-11-25 14:03:00.615', '2026-11-25T13:03:00.615Z'],
    ['2026-11-25T14:03:00Z', '2026-11-25T14:03:00.000Z'],
    ['2026-11-25T14:03:00+0530', '2026-11-25T08:33:00.000Z'],
    ['25-Nov-2026', '2026-11-24T23:00:00.000Z'],
    ['25/11/2026 14:03 WAT', '2026-11-25T13:03:00.000Z'],
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
    expect(dayIn(new Date('2026-07-01T23:30:00Z'), london.zone)).toBe('2026-07-02');
    expect(dayIn(new Date('2026-12-01T23:30:00Z'), london.zone)).toBe('2026-12-01');
  });
});
