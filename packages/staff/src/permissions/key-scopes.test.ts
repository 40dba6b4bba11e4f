import { KEY_SCOPES } from '@switchyard/merchants/api-keys';
import { expect, test } from 'vitest';
import { scopesToGive } from './key-scopes.ts';
import { STAFF_ROLES } from './permissions.ts';

const ONE = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11';
const OTHER = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e12';

/** Scopes that each role may give to live keys and to test keys, in the order of `KEY_SCOPES`; `.` cannot be given. */
const TABLE = {
  owner: ['wrwressw', 'wrwressw'],
  operator: ['.r.ressw', '.r.ressw'],
  finance: ['.rwress.', '.rwress.'],
  support: ['.r.re...', '.rwre...'],
  developer: ['wr.ress.', 'wrwressw'],
  viewer: ['.r.ress.', '.r.ress.'],
} as const;

test.each(STAFF_ROLES)('%s gives keys what the role itself may, by mode', (role) => {
  const session = { grants: [{ merchantId: ONE, role }] };
  for (const [at, mode] of (['live', 'test'] as const).entries()) {
    const given = scopesToGive(session, ONE, mode);
    const expected = KEY_SCOPES.filter((_, position) => TABLE[role][at]?.charAt(position) !== '.');
    expect([...given], mode).toEqual(expected);
    expect(scopesToGive(session, OTHER, mode).size).toBe(0);
  }
});
