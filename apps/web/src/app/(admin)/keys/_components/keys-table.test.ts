import { expect, test } from 'vitest';
import { countOthers, describeRestrictions, scopesOf } from './keys-table.tsx';

test('a key says what it is limited to, and nothing without limits', () => {
  expect(describeRestrictions({ scopes: [], allowedAddresses: [] })).toBeNull();
  expect(describeRestrictions({ scopes: ['payments:read'], allowedAddresses: [] })).toBe('payments:read');
  expect(describeRestrictions({ scopes: ['payments:read', 'refunds:read'], allowedAddresses: ['203.0.113.0/24'] })).toBe(
    'payments:read, refunds:read, from 203.0.113.0/24',
  );
  expect(describeRestrictions({ scopes: [], allowedAddresses: ['203.0.113.7', '2001:db8::/32'] })).toBe('from 2 networks');
});

test('scopes are in the order in which they are offered', () => {
  expect(scopesOf({ scopes: ['events:read', 'payments:write', 'unknown'] })).toEqual(['payments:write', 'events:read']);
});

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
