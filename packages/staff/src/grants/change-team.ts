import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry, type NewAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';

/** The outcome of a team change. Without an audit entry nothing may have been written. */
export interface TeamChange<Outcome> {
  readonly outcome: Outcome;
  readonly audit?: Pick<NewAuditEntry, 'action' | 'objectType' | 'objectId' | 'before' | 'after'>;
  /** The chain of the entry: the one merchant concerned, or the workspace when left out. */
  readonly tenantId?: string;
  /** The actor, where only the change itself determines it. */
  readonly actor?: string;
}

/** Argon2 may be queued before; the transaction itself is short. */
const TRANSACTION_OPTIONS = { timeout: 10_000 };

/** Locks all grants until the transaction ends: changes of permissions are serialized. */
export async function lockStaffGrants(transaction: Prisma.TransactionClient): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('staff-grants', 0))`;
}

/**
 * Changes the team in one transaction with its audit row. Such changes, and those of roles, are serialized, so that the permission
 * for a change cannot be revoked meanwhile, and what may happen once happens once.
 */
export async function changeTeam<Outcome>(
  context: RuntimeContext<'auditKeys' | 'database'>,
  actor: string,
  change: (transaction: Prisma.TransactionClient, now: Date) => Promise<TeamChange<Outcome>>,
): Promise<Outcome> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    await lockStaffGrants(transaction);
    const now = context.now();
    const { outcome, audit, tenantId = NIL_ID, actor: found = actor } = await change(transaction, now);
    if (audit !== undefined) {
      const entry = { ...audit, tenantId, entryId: context.newId(), actor: found };
      await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
    }
    return outcome;
  }, TRANSACTION_OPTIONS);
}

/** The merchant's own chain when all roles are for one merchant, otherwise the workspace's. */
export function tenantOfGrants(grants: readonly { readonly merchantId: string | null }[]): string {
  const [only, ...others] = new Set(grants.map(({ merchantId }) => merchantId ?? NIL_ID));
  return others.length === 0 && only !== undefined ? only : NIL_ID;
}
