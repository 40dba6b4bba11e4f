import { expect, test } from 'vitest';
import { countOthers, describeRestrictions, scopesOf } from './keys-table.tsx';

test('a key says whether it has full access, and what else it is limited to', () => {
  expect(describeRestrictions({ scopes: ['full_access'], allowedAddresses: [] })).toBe('Full access');
  expect(describeRestrictions({ scopes: ['payments:read'], allowedAddresses: [] })).toBe('Restricted: payments:read');
  expect(describeRestrictions({ scopes: ['payments:read', 'refunds:read'], allowedAddresses: ['203.0.113.0/24'] })).toBe(
    'Restricted: payments:read, refunds:read, from 203.0.113.0/24',
  );
  expect(describeRestrictions({ scopes: ['full_access'], allowedAddresses: ['203.0.113.7', '2001:db8::/32'] })).toBe(
    'Full access, from 2 networks',
  );
  expect(describeRestrictions({ scopes: [], allowedAddresses: [] })).toBe('Restricted: nothing');
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
