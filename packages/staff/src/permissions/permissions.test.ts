import type { StaffRole } from '@switchyard/db/client';
import { describe, expect, test } from 'vitest';
import {
  anyRoleMay,
  hasPermissionAnywhere,
  may,
  merchantScopeOf,
  merchantsWhere,
  PERMISSIONS,
  type Permission,
  rolesFor,
} from './permissions.ts';

/**
 * Permissions by role, in the order owner, operator, finance, viewer; `.` is denied. A new permission without a line here does not
 * compile.
 */
const table: Record<Permission, string> = {
  'payment:read': 'oofv',
  'payment:verify': 'oof.',
  'payment:review': 'oof.',
  'payment:refund': 'o.f.',
  'refund:configure': 'o...',
  'routing:read': 'oofv',
  'routing:simulate': 'oofv',
  'routing:publish': 'oo..',
  'override:set': 'oo..',
  'health:read': 'oofv',
  'alert:read': 'oofv',
  'alert:acknowledge': 'oo..',
  'alert:configure': 'o...',
  'gateway:read': 'oofv',
  'gateway:configure': 'oo..',
  'fee:configure': 'oof.',
  'merchant:read': 'oofv',
  'merchant:create': 'o...',
  'merchant:update': 'oo..',
  'key:read': 'oo..',
  'key:issue': 'o...',
  'key:rotate': 'o...',
  'key:revoke': 'oo..',
  'webhook:read': 'oofv',
  'webhook:configure': 'oo..',
  'webhook:resend': 'oo..',
  'report:read': 'oofv',
  'report:export': 'o.f.',
  'reconciliation:resolve': 'oof.',
  'accounting:configure': 'o.f.',
  'month:close': 'o.f.',
  'audit:read': 'oof.',
  'team:read': 'oof.',
  'team:manage': 'o...',
  'system:read': 'oofv',
  'retention:read': 'oof.',
  'retention:change': 'o...',
  'customer:export': 'o...',
  'customer:erase': 'o...',
};
const roles: StaffRole[] = ['owner', 'operator', 'finance', 'viewer'];

describe.each(PERMISSIONS)('%s', (permission) => {
  test.each(roles)('%s', (role) => {
    expect(may(role, permission)).toBe(table[permission].charAt(roles.indexOf(role)) !== '.');
  });
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
