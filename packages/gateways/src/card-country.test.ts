import { expect, test } from 'vitest';
import { readCardCountry } from './card-country.ts';

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
