import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCardCountry, readCardLast4 } from './payers.ts';

test.each([
  ['4081', '4081'],
  [' 4081 ', '4081'],
  ['506099******7499', '7499'],
  ['XXXX4081', '4081'],
  ['•••• 4081', null],
  ['X553', null],
  ['408', null],
  ['40811', null],
  ['', null],
  [4081, null],
  [null, null],
  [undefined, null],
])('the last four digits of %j are %j', (words, last4) => {
  expect(readCardLast4(words)).toBe(last4);
});

test('of a whole card number nothing is read, and never more than four digits of anything', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{12,19}$/), (number) => {
      expect(readCardLast4(number)).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.string(), (words) => {
      expect(readCardLast4(words) ?? '0000').toMatch(/^\d{4}$/);
    }),
  );
});

test.each([
  ['NG', 'NG'],
  ['ng', 'NG'],
  ['NIGERIA NG', 'NG'],
  ['UNITED KINGDOM OF GREAT BRITAIN GB ', 'GB'],
  ['NIGERIA', null],
  ['N/A', null],
  ['', null],
  [null, null],
  [undefined, null],
])('the country of %j is %j', (words, country) => {
  expect(readCardCountry(words)).toBe(country);
});
