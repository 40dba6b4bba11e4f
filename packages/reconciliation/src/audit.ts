import { appendAuditEntry, type JsonValue } from '@switchyard/db';
import type { Prisma, ReconciliationDifference } from '@switchyard/db/client';
import type { PaymentsContext } from '@switchyard/payments/context';
import type { StoredDifference } from './resolve-discrepancies.ts';

/** A stored difference as settling sees it, with its row. */
export interface StoredRow extends StoredDifference {
  readonly row: ReconciliationDifference;
}

export function toStored(row: ReconciliationDifference): StoredRow {
  const { id, kind, subject, state, settledBy } = row;
  return { id, kind, subject, state, settledBy, ours: plain(row.ours), theirs: plain(row.theirs), row };
}

/** JSON as it came from its column. */
function plain(value: Prisma.JsonValue): JsonValue {
  return value === null ? null : JSON.parse(JSON.stringify(value));
}

export interface AuditedChange {
  readonly action: string;
  readonly actor: string;
  readonly before: ReconciliationDifference;
  readonly after: ReconciliationDifference;
}

/** Writes who changed what about a difference, in the transaction that changes it. */
export async function auditDifference(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  { action, actor, before, after }: AuditedChange,
  now: Date,
): Promise<void> {
  const entry = {
    ...{ tenantId: after.merchantId, entryId: context.newId(), actor, action },
    ...{ objectType: 'reconciliation_difference', objectId: after.id, before: audited(before), after: audited(after) },
  };
  await appendAuditEntry(transaction, entry, now);
}

function audited(row: ReconciliationDifference): JsonValue {
  const { state, ownerId, note, settledBy, settledWhy, kind, subject } = row;
  return { day: row.day.toISOString().slice(0, 10), kind, subject, state, ownerId, note, settledBy, settledWhy };
}
