import { expect, test } from 'vitest';
import { describeRole, describeRoles } from './roles.ts';

test.each([
  [[], 'No role yet'],
  [[{ merchantId: null, role: 'owner' }], 'Owner, all merchants'],
  [[{ merchantId: 'm-1', role: 'viewer' }], 'Viewer, 1 merchant'],
  [
    [
      { merchantId: 'm-1', role: 'viewer' },
      { merchantId: 'm-2', role: 'viewer' },
      { merchantId: 'm-3', role: 'finance' },
    ],
    'Viewer, Finance, 3 merchants',
  ],
  [[{ merchantId: null, role: { name: 'Risk' } }], 'Risk, all merchants'],
] as const)('%j is shown as %s', (grants, text) => {
  expect(describeRoles(grants)).toBe(text);
});

const TEXTS = [
  { permission: 'payment:read', text: 'find payments' },
  { permission: 'payment:refund', text: 'refund payments' },
  { permission: 'audit:read', text: 'read the audit log' },
];

test('a role of the workspace’s own reads as a sentence of its permissions', () => {
  const role = { name: 'Risk', permissions: ['audit:read', 'payment:read'], testPermissions: ['payment:refund'] };
  expect(describeRole(role, TEXTS)).toEqual({
    name: 'Risk',
    may: 'find payments; read the audit log; in test mode also refund payments',
  });
  expect(describeRole({ ...role, permissions: [] }, TEXTS).may).toBe('in test mode also refund payments');
  expect(describeRole('viewer', TEXTS).name).toBe('Viewer');
});
