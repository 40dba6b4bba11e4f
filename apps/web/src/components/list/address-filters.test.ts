import { expect, test } from 'vitest';
import { isAnySet } from './list-parsers.ts';

test.each([
  [{ states: ['OPEN'] }, true],
  [{ states: [] }, false],
  [{ text: 'order-1' }, true],
  [{ text: ' ' }, false],
  [{ least: 0 }, true],
  [{ least: null }, false],
  [{ late: true }, true],
  [{ late: false }, false],
  [{}, false],
])('%j is a filter: %s', (filters, expected) => {
  expect(isAnySet(filters)).toBe(expected);
});

test('filters that are not named are not looked at', () => {
  expect(isAnySet({ sort: '-amount', late: false }, ['late'])).toBe(false);
});
