import { StaffRole } from '@switchyard/db/client';
import { describe, expect, test } from 'vitest';
import {
  anyRoleMay,
  hasPermissionAnywhere,
  may,
  merchantScopeOf,
  merchantsWhere,
  PERMISSIONS,
  type Permission,
  permissionsOf,
  rolesFor,
  STAFF_ROLES,
  testPermissionsOf,
} from './permissions.ts';

/**
 * Permissions by role, in the order owner, operator, finance, support, developer, viewer; `.` is denied, `t` is allowed in test mode
 * alone. A new permission without a line here does not compile.
 */
const table: Record<Permission, string> = {
  'payment:read': 'oofsdv',
  'payment:verify': 'oofst.',
  'payment:review': 'oof.t.',
  'payment:refund': 'o.fst.',
  'refund:approve': 'o.f...',
  'refund:configure': 'o.....',
  'routing:read': 'oof.dv',
  'routing:simulate': 'oof.dv',
  'routing:publish': 'oo..t.',
  'override:set': 'oo..t.',
  'health:read': 'oofsdv',
  'alert:read': 'oofsdv',
  'alert:acknowledge': 'oo....',
  'alert:configure': 'o.....',
  'gateway:read': 'oofsdv',
  'gateway:configure': 'oo..t.',
  'fee:configure': 'oof...',
  'merchant:read': 'oofsdv',
  'merchant:create': 'o.....',
  'merchant:update': 'oo....',
  'key:read': 'oo..d.',
  'key:issue': 'o...d.',
  'key:rotate': 'o...d.',
  'key:revoke': 'oo..d.',
  'webhook:read': 'oofsdv',
  'webhook:configure': 'oo..d.',
  'webhook:resend': 'oo..d.',
  'report:read': 'oof.dv',
  'report:export': 'o.f...',
  'reconciliation:resolve': 'oof...',
  'accounting:configure': 'o.f...',
  'month:close': 'o.f...',
  'audit:read': 'oof...',
  'team:read': 'oof...',
  'team:manage': 'o.....',
  'system:read': 'oofsdv',
  'retention:read': 'oof...',
  'retention:change': 'o.....',
  'customer:export': 'o.....',
  'customer:erase': 'o.....',
};
const roles: StaffRole[] = ['owner', 'operator', 'finance', 'support', 'developer', 'viewer'];

describe.each(PERMISSIONS)('%s', (permission) => {
  test.each(roles)('%s', (role) => {
    const right = table[permission].charAt(roles.indexOf(role));
    const isEverywhere = right !== '.' && right !== 't';
    expect([may(role, permission), may(role, permission, 'live')]).toEqual([isEverywhere, isEverywhere]);
    expect(may(role, permission, 'test')).toBe(right !== '.');
    expect(permissionsOf(role).includes(permission)).toBe(isEverywhere);
    expect(testPermissionsOf(role).includes(permission)).toBe(right === 't');
  });
});

test('the table has every role', () => {
  expect(STAFF_ROLES).toEqual(roles);
  expect(Object.values(StaffRole).toSorted()).toEqual(roles.toSorted());
});

test('every permission is spelled object:verb, once', () => {
  expect(PERMISSIONS.filter((permission) => !/^[a-z]+:[a-z]+$/.test(permission))).toEqual([]);
  expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
});

test('any one of several roles is enough, and no role allows nothing', () => {
  for (const permission of PERMISSIONS) {
    expect(anyRoleMay([], permission)).toBe(false);
    expect(anyRoleMay(['viewer', 'finance'], permission)).toBe(may('viewer', permission) || may('finance', permission));
  }
});

const ONE = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11';
const OTHER = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e12';
const of = (...grants: Parameters<typeof rolesFor>[0]['grants']) => ({ grants });

const viewerEverywhere = of({ merchantId: null, role: 'viewer' }, { merchantId: ONE, role: 'finance' });

test('a role for one merchant is none for another, and one for all is one for each', () => {
  expect(new Set(rolesFor(viewerEverywhere, ONE))).toEqual(new Set(['viewer', 'finance']));
  expect(rolesFor(viewerEverywhere, OTHER)).toEqual(['viewer']);
  expect(rolesFor(of({ merchantId: ONE, role: 'owner' }), OTHER)).toEqual([]);
  expect(merchantsWhere(viewerEverywhere, 'payment:refund', [ONE, OTHER])).toEqual([ONE]);
  expect(merchantsWhere(viewerEverywhere, 'payment:read', [ONE, OTHER])).toEqual([ONE, OTHER]);
});

test('a permission for all merchants comes from a role for all of them that has it, and from no other', () => {
  expect(merchantScopeOf(viewerEverywhere, 'payment:refund', [ONE, OTHER])).toEqual({ everywhere: false, merchantIds: [ONE] });
  expect(merchantScopeOf(viewerEverywhere, 'payment:read', [])).toEqual({ everywhere: true, merchantIds: [] });
  const ownerOfOne = of({ merchantId: ONE, role: 'owner' });
  expect(merchantScopeOf(ownerOfOne, 'team:manage', [ONE, OTHER])).toEqual({ everywhere: false, merchantIds: [ONE] });
  expect(hasPermissionAnywhere(ownerOfOne, 'team:manage')).toBe(true);
  expect(hasPermissionAnywhere(of(), 'payment:read')).toBe(false);
});

test('a permission for test mode alone is none where no mode, or live mode, is said', () => {
  const developer = of({ merchantId: null, role: 'developer' });
  const held = (mode?: 'test' | 'live') => [
    hasPermissionAnywhere(developer, 'payment:refund', mode),
    merchantsWhere(developer, 'payment:refund', [ONE], mode).length === 1,
    merchantScopeOf(developer, 'payment:refund', [ONE], mode).everywhere,
    anyRoleMay(['viewer', 'developer'], 'payment:refund', mode),
  ];
  expect(held('test')).toEqual([true, true, true, true]);
  expect([held(), held('live')]).toEqual([Array(4).fill(false), Array(4).fill(false)]);
});
