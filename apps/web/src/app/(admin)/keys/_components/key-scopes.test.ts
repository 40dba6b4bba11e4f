import { expect, test } from 'vitest';
import { describeRestrictions, scopesOf } from './key-scopes.ts';
import { restrictionProblems, restrictionsOf } from './restriction-fields.tsx';

test('a key says what it is limited to, and nothing without limits', () => {
  expect(describeRestrictions({ scopes: [], allowedAddresses: [] })).toBeNull();
  expect(describeRestrictions({ scopes: ['payments:read'], allowedAddresses: [] })).toBe('payments:read');
  expect(describeRestrictions({ scopes: ['payments:read', 'refunds:read'], allowedAddresses: ['203.0.113.0/24'] })).toBe(
    'payments:read, refunds:read, from 203.0.113.0/24',
  );
  expect(describeRestrictions({ scopes: [], allowedAddresses: ['203.0.113.7', '2001:db8::/32'] })).toBe('from 2 networks');
});

test('networks are read from lines, commas and blanks, and scopes in the order in which they are offered', () => {
  const entered = { scopes: ['payments:read'] as const, addresses: ' 203.0.113.7,\n2001:db8::/32  10.0.0.0/8\n' };
  expect(restrictionsOf(entered)).toEqual({
    scopes: ['payments:read'],
    allowedAddresses: ['203.0.113.7', '2001:db8::/32', '10.0.0.0/8'],
  });
  expect(scopesOf({ scopes: ['events:read', 'payments:write', 'unknown'] })).toEqual(['payments:write', 'events:read']);
});

test('a problem of one entry is shown at its list, once', () => {
  const problems = [
    { field: 'allowedAddresses.1', message: 'must be an IP address' },
    { field: 'allowedAddresses.2', message: 'must be an IP address' },
    { field: 'name', message: 'must not be empty' },
  ];
  expect(restrictionProblems(problems)).toEqual({ scopes: null, allowedAddresses: 'must be an IP address' });
});
