import type { Mode } from '@switchyard/db/client';
import { KEY_SCOPES, type KeyScope } from '@switchyard/merchants/api-keys';
import { anyRoleMay, type Permission, rolesFor } from './permissions.ts';
import type { StaffSession } from './staff-session.ts';

/**
 * The permission that a person needs to give a scope to a key, so that a key never does for them what their role does not allow. Live
 * refunds by a key are under no limit: they take the right to approve any refund.
 */
function permissionFor(scope: KeyScope, mode: Mode): Permission {
  switch (scope) {
    case 'payments:write':
      return 'key:issue';
    case 'payments:read':
    case 'refunds:read':
      return 'payment:read';
    case 'refunds:write':
      return mode === 'live' ? 'refund:approve' : 'payment:refund';
    case 'events:read':
      return 'webhook:read';
    case 'settlements:read':
      return 'report:read';
    case 'rules:read':
      return 'routing:read';
    case 'rules:write':
      return 'routing:publish';
    default:
      return scope satisfies never;
  }
}

/** The scopes that a person may give to the keys of a merchant in a mode. */
export function scopesToGive(session: Pick<StaffSession, 'grants'>, merchantId: string, mode: Mode): ReadonlySet<KeyScope> {
  const roles = rolesFor(session, merchantId);
  return new Set(KEY_SCOPES.filter((scope) => anyRoleMay(roles, permissionFor(scope, mode), mode)));
}
