import { expect, test } from 'vitest';
import { hasPermissionAnywhere, merchantScopeOf, merchantsWhere, rolesFor } from './session-permissions.ts';

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
