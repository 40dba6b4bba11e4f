import { expect, test } from 'vitest';
import { isUuid } from './uuid.ts';

test.each(['0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', '0193471E-8A3B-7C21-9F4E-2B6D5A7C9E10'])(
  '%s has the form of an id',
  (text) => {
    expect(isUuid(text)).toBe(true);
  },
);

test.each([
  '',
  'x',
  ' 0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10',
  '0193471e8a3b7c219f4e2b6d5a7c9e10',
  '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e1g',
])('%j has not', (text) => {
  expect(isUuid(text)).toBe(false);
});
