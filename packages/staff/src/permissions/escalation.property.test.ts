import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CustomRole, may, mayGive, PERMISSIONS, type Role, STAFF_ROLES } from './permissions.ts';

/** Any role: those of all workspaces, and any row that could be stored, whether or not a person could enter it. */
const permissions = fc.uniqueArray(fc.constantFrom(...PERMISSIONS, 'payment:steal'));
const ownRole: fc.Arbitrary<CustomRole> = fc.record({
  roleId: fc.uuid(),
  name: fc.string(),
  permissions,
  testPermissions: permissions,
});
const anyRole: fc.Arbitrary<Role> = fc.oneof(fc.constantFrom(...STAFF_ROLES), ownRole);

test('a role that may give roles has all that any role allows, so that no one gives themselves or another more than they have', () => {
  fc.assert(
    fc.property(anyRole, anyRole, (giver, given) => {
      expect(mayGive(giver, given)).toBe(may(giver, 'team:manage'));
    }),
  );
});

test('no role of a workspace’s own may give roles, in any mode', () => {
  fc.assert(
    fc.property(ownRole, fc.constantFrom('test' as const, 'live' as const), (role, mode) => {
      expect(may(role, 'team:manage', mode)).toBe(false);
    }),
  );
});

test('what a role allows in live mode it allows in test mode', () => {
  fc.assert(
    fc.property(anyRole, fc.constantFrom(...PERMISSIONS), (role, permission) => {
      expect(may(role, permission, 'test') || !may(role, permission, 'live')).toBe(true);
    }),
  );
});
