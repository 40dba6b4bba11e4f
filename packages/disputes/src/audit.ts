import type { JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import type { PaymentsContext } from '@switchyard/payments/context';

/** A change of a dispute to audit; `action` as in the audit log. */
interface AuditedChange {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly action: string;
  /** `staff:<id>`. */
  readonly actor: string;
  readonly after: JsonValue;
}

/** Writes the audit entry of a change, in the transaction of the change. */
export async function auditDispute(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  { merchantId, disputeId, action, actor, after }: AuditedChange,
  now: Date,
): Promise<void> {
  const object = { objectType: 'dispute', objectId: disputeId, before: null, after };
  const entry = { tenantId: merchantId, entryId: context.newId(), actor, action, ...object };
  await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
}
