import { createHash } from 'node:crypto';
import type { Prisma } from './generated/client.ts';
import { toPrismaJson } from './payment-changes.ts';
import type { JsonValue } from './payment-record.ts';

/** Tenant of what belongs to no merchant; grant for all merchants. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Who did what to what. */
export interface NewAuditEntry {
  readonly tenantId: string;
  readonly entryId: string;
  readonly actor: string;
  /** `merchant.created`, `api_key.revoked`, … */
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/**
 * Appends to the tenant's chain inside the caller's transaction: each entry's hash covers the one before, so that a change, a
 * gap or another order shows. Writers of one tenant wait for each other.
 */
export async function appendAuditEntry(transaction: Prisma.TransactionClient, entry: NewAuditEntry, now: Date): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`audit:${entry.tenantId}`}, 0))`;
  const last = await transaction.auditEntry.findFirst({ where: { tenantId: entry.tenantId }, orderBy: { position: 'desc' } });
  const position = (last?.position ?? 0) + 1;
  const previous = Buffer.from(last?.hash ?? new Uint8Array(32));
  const { entryId, before, after, ...rest } = entry;
  await transaction.auditEntry.create({
    data: {
      ...rest,
      id: entryId,
      position,
      before: toPrismaJson(before),
      after: toPrismaJson(after),
      createdAt: now,
      previous: new Uint8Array(previous),
      hash: new Uint8Array(hashAuditEntry({ ...entry, position, createdAt: now }, previous)),
    },
  });
}

/** The hash of an entry: SHA-256 over the previous hash and the entry's fields in a fixed order. */
export function hashAuditEntry(entry: NewAuditEntry & { position: number; createdAt: Date }, previous: Uint8Array): Buffer {
  const { tenantId, entryId, position, actor, action, objectType, objectId, before, after, createdAt } = entry;
  const text = JSON.stringify([
    tenantId,
    entryId,
    position,
    actor,
    action,
    objectType,
    objectId,
    before,
    after,
    createdAt.toISOString(),
  ]);
  return createHash('sha256').update(previous).update(text).digest();
}
