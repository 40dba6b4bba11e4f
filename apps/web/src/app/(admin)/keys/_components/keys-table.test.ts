import { expect, test } from 'vitest';
import { describeRestrictions, scopesOf } from './key-scopes.ts';

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
