import { expect, test } from 'vitest';
import { findOptions } from './find-options.ts';

const options = [
  { value: 'a', label: 'Ade Stores', note: 'M-0007' },
  { value: 'b', label: 'Café Lagos' },
  { value: 'c', label: 'America/Sao_Paulo', note: 'UTC-3' },
  { value: 'd', label: 'Lagos Island Books' },
];
const labels = (text: string) => findOptions(options, text).map(({ value }) => value);

test('an empty search keeps every option in its order', () => {
  expect(labels('  ')).toEqual(['a', 'b', 'c', 'd']);
});

test('every word is found in label or note, whatever its accents and separators', () => {
  expect(labels('sao paulo')).toEqual(['c']);
  expect(labels('cafe')).toEqual(['b']);
  expect(labels('0007 stores')).toEqual(['a']);
  expect(labels('nowhere')).toEqual([]);
});

test('options that begin with the text come first', () => {
  expect(labels('lagos')).toEqual(['d', 'b']);
});
