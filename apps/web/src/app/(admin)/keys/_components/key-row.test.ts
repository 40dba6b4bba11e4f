import { expect, test } from 'vitest';
import { countOthers } from './key-row.ts';

const keys = [
  { keyId: 'k-1', state: 'active' },
  { keyId: 'k-2', state: 'expiring' },
  { keyId: 'k-3', state: 'expired' },
  { keyId: 'k-4', state: 'revoked' },
] as const;

test('the keys that go on working without one are those in use, itself left out', () => {
  expect([countOthers(keys, 'k-1'), countOthers(keys, 'k-2'), countOthers(keys.slice(0, 1), 'k-1')]).toEqual([1, 1, 0]);
});

test('a key that another person revoked meanwhile is not counted twice', () => {
  expect(countOthers(keys, 'k-4')).toBe(2);
});
