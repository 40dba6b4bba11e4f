import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
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
