import type { JsonValue } from '@switchyard/db';
import { appendAuditEntry, type NewAuditEntry } from '@switchyard/db/audit';
import type { Prisma, SettlementDiscrepancy } from '@switchyard/db/client';
import type { SettlementContext } from './context.ts';

/** The actor that resolves what was settled after all. */
export const SETTLEMENTS_ACTOR = 'system:settlements';

/** A change of a discrepancy to audit; `action` as in the audit log, `actor` as `staff:<id>` or {@link SETTLEMENTS_ACTOR}. */
export interface AuditedChange {
  readonly action: string;
  readonly actor: string;
  readonly before: SettlementDiscrepancy;
  readonly after: SettlementDiscrepancy;
}

/**
 * Appends an entry to the merchant's audit log, in the transaction of the change. A rehearsal appends none: it would keep all others from the
 * end of the log until it is undone.
 */
export async function appendEntry(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  entry: NewAuditEntry,
  now: Date,
): Promise<void> {
  if (context.isRehearsal === true) return;
  await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
}

/** Writes the audit entry of a change, in the transaction of the change. */
export async function auditDiscrepancy(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { action, actor, before, after }: AuditedChange,
  now: Date,
): Promise<void> {
  const entry = {
    tenantId: after.merchantId,
    entryId: context.newId(),
    actor,
    action,
    objectType: 'settlement_discrepancy',
    objectId: after.id,
    before: audited(before),
    after: audited(after),
  };
  await appendEntry(context, transaction, entry, now);
}

function audited(row: SettlementDiscrepancy): JsonValue {
  const { kind, subject, state, ownerId, note, resolvedBy, resolution } = row;
  return { kind, subject, state, ownerId, note, resolvedBy, resolution };
}
