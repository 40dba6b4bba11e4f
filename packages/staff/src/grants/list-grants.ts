import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { may, type Permission } from '../permissions/permissions.ts';
import { listStaffGrants } from './queries.ts';

const GRANTS_MAX = 1_000;

/** A grant with the staff user's name. */
export interface GrantInList {
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  /** Null for all merchants. */
  readonly merchantId: string | null;
  readonly role: StaffRole;
  readonly grantedBy: string;
  readonly grantedAt: Date;
}

/** Grants for a merchant, those for all merchants included; with null, only those for all. At most 1000. */
export async function listGrants(context: StaffContext, query: { readonly merchantId: string | null }): Promise<GrantInList[]> {
  const merchantIds = query.merchantId === null ? [NIL_ID] : [NIL_ID, query.merchantId];
  const rows = await listStaffGrants(context.resources.database, { merchantIds, limit: GRANTS_MAX });
  return rows.map(({ staffId, name, email, merchantId, role, grantedBy, createdAt }) => ({
    staffId,
    name,
    email,
    merchantId: merchantId === NIL_ID ? null : merchantId,
    role,
    grantedBy,
    grantedAt: createdAt,
  }));
}

/** The staff users who have a permission for a merchant, each once. */
export async function listStaffWhoMay(
  context: StaffContext,
  { merchantId, permission }: { readonly merchantId: string; readonly permission: Permission },
): Promise<{ readonly staffId: string; readonly name: string }[]> {
  const grants = await listGrants(context, { merchantId });
  const able = grants.filter(({ role }) => may(role, permission));
  return [...new Map(able.map(({ staffId, name }) => [staffId, { staffId, name }])).values()];
}
