export type { StaffGrant, StaffSession } from '../sessions/staff-session.ts';
export { type MerchantScope, scopeCovers } from '../users/merchant-scope.ts';
export { anyRoleMay, may, PERMISSIONS, type Permission, permissionsOf } from './permissions.ts';
export { hasPermissionAnywhere, merchantScopeOf, merchantsWhere, rolesFor } from './session-permissions.ts';
