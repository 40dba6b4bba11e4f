import { NIL_ID } from '@switchyard/db';
import { merchantScopeOf } from '../permissions/session-permissions.ts';
import type { StaffSession } from '../sessions/staff-session.ts';

/** Which part of the log is asked for. */
export interface AuditScope {
  /** Null for every merchant the caller may read, and the workspace itself where they may read that. */
  readonly merchantId: string | null;
  /** True for the workspace itself alone. */
  readonly workspace: boolean;
}

/** The hash chains of a call, or which of them the caller may not read. */
export type ReadableChains =
  | { readonly kind: 'readable'; readonly tenantIds: readonly string[] }
  | { readonly kind: 'workspace_forbidden' }
  | { readonly kind: 'merchant_forbidden' };

/** The hash chains that a part of the log consists of, for a staff user who may read the logs of `merchantIds`. */
export function readableChains(
  { session, merchantIds }: { readonly session: Pick<StaffSession, 'grants'>; readonly merchantIds: readonly string[] },
  { merchantId, workspace }: AuditScope,
): ReadableChains {
  const { everywhere } = merchantScopeOf(session, 'audit:read', merchantIds);
  if (workspace) return everywhere ? { kind: 'readable', tenantIds: [NIL_ID] } : { kind: 'workspace_forbidden' };
  if (merchantId !== null) {
    return merchantIds.includes(merchantId) ? { kind: 'readable', tenantIds: [merchantId] } : { kind: 'merchant_forbidden' };
  }
  return { kind: 'readable', tenantIds: [...(everywhere ? [NIL_ID] : []), ...merchantIds] };
}
