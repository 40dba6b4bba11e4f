import { appendAuditEntry, type LastLink, linkedRow, lockChain, type NewAuditEntry, sealAuditHead, withToken } from './audit.ts';
import type { AuditKeys } from './audit-keys.ts';
import type { Prisma } from './generated/client.ts';

/** `appendAuditEntry` of many entries of one tenant, in a few statements. */
export async function appendAuditEntries(
  transaction: Prisma.TransactionClient,
  keys: AuditKeys,
  [first, ...others]: readonly NewAuditEntry[],
  now: Date,
): Promise<void> {
  if (first === undefined) return;
  const { tenantId } = first;
  await appendAuditEntry(transaction, keys, first, now);
  let last: LastLink = await lockChain(transaction, tenantId);
  const rows = others.map((entry) => {
    const row = linkedRow(keys.writer, withToken(entry), last, now);
    last = { position: row.position, hash: row.hash, isKeyed: true };
    return row;
  });
  if (rows.length === 0) return;
  await transaction.auditEntry.createMany({ data: rows });
  const { position } = last;
  const hash = new Uint8Array(last.hash);
  const seal = new Uint8Array(sealAuditHead(tenantId, last, keys.writer));
  await transaction.auditHead.update({
    where: { tenantId },
    data: { position, hash, keyId: keys.writer.id, seal, updatedAt: now },
  });
}
