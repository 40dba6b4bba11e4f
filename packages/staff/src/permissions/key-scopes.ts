import type { Mode } from '@switchyard/db/client';
import { KEY_SCOPES, type KeyScope } from '@switchyard/merchants/api-keys';
import { anyRoleMay, type Permission, rolesFor } from './permissions.ts';
import type { StaffSession } from './staff-session.ts';

/** The permission that a person needs to give a scope to a key, so that a key never does for them what their role does not allow. */
const PERMISSION_FOR: Readonly<Record<KeyScope, Permission>> = {
  'payments:write': 'key:issue',
  'payments:read': 'payment:read',
  'refunds:read': 'payment:read',
  'refunds:write': 'payment:refund',
  'events:read': 'webhook:read',
  'settlements:read': 'report:read',
  'rules:read': 'routing:read',
  'rules:write': 'routing:publish',
};

/** Live refunds by a key are under no limit: they take the right to approve any refund. */
function permissionFor(scope: KeyScope, mode: Mode): Permission {
  return scope === 'refunds:write' && mode === 'live' ? 'refund:approve' : PERMISSION_FOR[scope];
}

/** The scopes that a person may give to the keys of a merchant in a mode. */
export function scopesToGive(session: Pick<StaffSession, 'grants'>, merchantId: string, mode: Mode): ReadonlySet<KeyScope> {
  const roles = rolesFor(session, merchantId);
  return new Set(KEY_SCOPES.filter((scope) => anyRoleMay(roles, permissionFor(scope, mode), mode)));
}
