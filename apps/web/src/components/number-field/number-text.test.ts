import { expect, test } from 'vitest';
import { readNumber, showNumber, stepNumber } from './number-text.ts';

test.each([
  ['12,500', 0, '12500'],
  ['12 500.75', 2, '12500.75'],
  ['12.345', 2, '12.34'],
  ['12.9', 0, '12'],
  ['.5', 1, '0.5'],
  ['-3', 0, '-3'],
  ['NGN 40', 0, '40'],
  ['', 0, ''],
])('%j with %i decimals is read as %j', (text, decimals, value) => {
  expect(readNumber(text, decimals)).toBe(value);
});

test('numbers are shown with separators, and read back the same', () => {
  expect(showNumber('1234567.5')).toBe('1,234,567.5');
  expect(showNumber('-1200')).toBe('-1,200');
  expect(showNumber('')).toBe('');
  expect(readNumber(showNumber('90071992547409931'), 0)).toBe('90071992547409931');
});

test.each([
  ['12500', 500, {}, '13000'],
  ['', 1, {}, '1'],
  ['1', -1, { min: 1 }, '1'],
  ['99.5', 1, { max: 100 }, '100'],
  ['0.1', 0.2, {}, '0.3'],
  ['0.5', -1, {}, '-0.5'],
  ['90071992547409931', 1, {}, '90071992547409932'],
])('%j stepped by %d within %j is %j', (value, step, limits, next) => {
  expect(stepNumber(value, step, limits)).toBe(next);
});
