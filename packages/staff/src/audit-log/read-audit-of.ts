import type { Database } from '@switchyard/db';
import type { AuditEntry } from '@switchyard/db/client';

const ROWS_MAX = 100_000;

/** Audit entries of a tenant about these objects, oldest first, without the hashes of the chain. */
export function readAuditOf(
  { prisma }: Database,
  tenantId: string,
  objectIds: readonly string[],
): Promise<Omit<AuditEntry, 'previous' | 'hash'>[]> {
  return prisma.auditEntry.findMany({
    where: { tenantId, objectId: { in: [...objectIds] } },
    omit: { previous: true, hash: true },
    orderBy: { position: 'asc' },
    take: ROWS_MAX,
  });
}
