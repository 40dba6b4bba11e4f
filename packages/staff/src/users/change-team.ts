import { appendAuditEntry, type NewAuditEntry, NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';
import { lockStaffGrants } from '../grants/queries.ts';

/** What a change of the team came to. Without audit entries nothing may have been written. */
export interface TeamChange<Outcome> {
  readonly outcome: Outcome;
  readonly audit: Pick<NewAuditEntry, 'action' | 'objectType' | 'objectId' | 'before' | 'after'> | null;
  /** Whose chain tells of it: the one merchant it is about; left out, the workspace. */
  readonly tenantId?: string;
  /** Who did it, where only the change itself finds that out. */
  readonly actor?: string;
}

/** Argon2 may wait in a queue before; the transaction itself is short. */
const PATIENCE = { timeout: 10_000 };

/**
 * Changes who is let in, in one transaction with its audit row. Such changes, and those of roles, happen one after the other, so
 * that what allows one cannot be taken away while it is made.
 */
export async function changeTeam<Outcome>(
  context: MerchantsContext,
  actor: string,
  change: (transaction: Prisma.TransactionClient, now: Date) => Promise<TeamChange<Outcome>>,
): Promise<Outcome> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    await lockStaffGrants(transaction);
    const now = context.now();
    const { outcome, audit, tenantId = NIL_ID, actor: found } = await change(transaction, now);
    if (audit !== null) {
      await appendAuditEntry(transaction, { ...audit, tenantId, entryId: context.newId(), actor: found ?? actor }, now);
    }
    return outcome;
  }, PATIENCE);
}

/** The merchant's own chain when roles are all for one merchant, otherwise the workspace's. */
export function tenantOfGrants(grants: readonly { readonly merchantId: string | null }[]): string {
  const merchantIds = new Set(grants.map(({ merchantId }) => merchantId ?? NIL_ID));
  const [only] = merchantIds;
  return merchantIds.size === 1 && only !== undefined ? only : NIL_ID;
}
