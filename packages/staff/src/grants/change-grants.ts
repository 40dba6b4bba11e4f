import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, StaffRole } from '@switchyard/db/client';
import type { Change } from '@switchyard/runtime';
import type { StaffContext } from '../context.ts';
import { countStaffGrants, lockStaffGrants } from './queries.ts';

/** A staff user's role for one merchant, or for all of them where `merchantId` is null. */
export interface GrantScope {
  readonly staffId: string;
  readonly merchantId: string | null;
}

/** A grant's merchant as its row stores it. */
export function tenantOf(merchantId: string | null): string {
  return merchantId ?? NIL_ID;
}

/** Changes grants in one transaction with their audit row. Such changes are serialized. */
export async function changeGrants<Outcome>(
  context: StaffContext,
  author: { readonly merchantId: string | null; readonly actor: string },
  change: (transaction: Prisma.TransactionClient, now: Date) => Promise<Change<Outcome>>,
): Promise<Outcome> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    await lockStaffGrants(transaction);
    const now = context.now();
    const { outcome, audit } = await change(transaction, now);
    if (audit !== null) {
      const entry = { ...audit, tenantId: tenantOf(author.merchantId), entryId: context.newId(), actor: author.actor };
      await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
    }
    return outcome;
  });
}

/** True if no other enabled staff user is a workspace owner: without one, no one could grant access any more. */
export async function isLastOwner(
  transaction: Prisma.TransactionClient,
  { staffId, merchantId }: GrantScope,
  role: StaffRole | undefined,
): Promise<boolean> {
  return merchantId === null && role === 'owner' && (await countStaffGrants(transaction, NIL_ID, 'owner', staffId)) === 0;
}

/** The audit row of a change from one role to another; null is none. */
export function grantAudit(
  action: string,
  scope: GrantScope,
  from: StaffRole | null,
  to: StaffRole | null,
): NonNullable<Change<unknown>['audit']> {
  const shown = (role: StaffRole | null) => (role === null ? null : { role, merchantId: scope.merchantId });
  return { action, objectType: 'staff', objectId: scope.staffId, before: shown(from), after: shown(to) };
}
