import type { JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, ReconciliationDiscrepancy } from '@switchyard/db/client';
import type { ReconciliationContext } from './context.ts';
import type { StoredDiscrepancy } from './resolve-discrepancies.ts';

/** A stored discrepancy with its row. */
export interface StoredRow extends StoredDiscrepancy {
  readonly row: ReconciliationDiscrepancy;
}

/** The row with both sides as plain JSON, to compare with found discrepancies. */
export function toStored(row: ReconciliationDiscrepancy): StoredRow {
  const { id, kind, subject, state, resolvedBy } = row;
  return { id, kind, subject, state, resolvedBy, ledger: plain(row.ledger), statement: plain(row.statement), row };
}

/** JSON as it came from its column. */
function plain(value: Prisma.JsonValue): JsonValue {
  return value === null ? null : JSON.parse(JSON.stringify(value));
}

/** A change of a discrepancy to audit; `action` as in the audit log, `actor` as `staff:<id>` or `system:reconciliation`. */
export interface AuditedChange {
  readonly action: string;
  readonly actor: string;
  readonly before: ReconciliationDiscrepancy;
  readonly after: ReconciliationDiscrepancy;
}

/** Writes the audit entry of a change, in the transaction of the change. */
export async function auditDiscrepancy(
  context: ReconciliationContext,
  transaction: Prisma.TransactionClient,
  { action, actor, before, after }: AuditedChange,
  now: Date,
): Promise<void> {
  const entry = {
    tenantId: after.merchantId,
    entryId: context.newId(),
    actor,
    action,
    objectType: 'reconciliation_difference',
    objectId: after.id,
    before: audited(before),
    after: audited(after),
  };
  await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
}

function audited(row: ReconciliationDiscrepancy): JsonValue {
  const { state, ownerId, note, resolvedBy, resolution, kind, subject } = row;
  const day = row.day.toISOString().slice(0, 10);
  // The names that earlier entries of the audit log use.
  return { day, kind, subject, state, ownerId, note, settledBy: resolvedBy, settledWhy: resolution };
}
