import { expect, test } from 'vitest';
import { describeRoles } from './roles.ts';

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
] as const)('%j is shown as %s', (grants, text) => {
  expect(describeRoles(grants)).toBe(text);
});
