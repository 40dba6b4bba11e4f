import { createHash } from 'node:crypto';
import type { Prisma } from './generated/client.ts';
import type { JsonValue } from './json.ts';
import { toPrismaJson } from './json.ts';

/** Tenant of entries that belong to no merchant; in grants, all merchants. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Previous hash of the first entry of a chain. */
export const FIRST_PREVIOUS: Uint8Array = new Uint8Array(32);

/** An audit log entry: which actor did what to which object, with its state before and after. */
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
 * Appends to the tenant's hash chain inside the caller's transaction. Each entry's hash covers the one before, so that a change, a
 * gap or a reordering is detected; the head records the length of the chain. Writers of one tenant wait for each other.
 */
export async function appendAuditEntry(transaction: Prisma.TransactionClient, entry: NewAuditEntry, now: Date): Promise<void> {
  const { tenantId } = entry;
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`audit:${tenantId}`}, 0))`;
  const last = await lastLink(transaction, tenantId);
  const position = last.position + 1;
  const hash = new Uint8Array(hashAuditEntry({ ...entry, position, createdAt: now }, last.hash));
  const { entryId, before, after, ...rest } = entry;
  await transaction.auditEntry.create({
    data: {
      ...rest,
      id: entryId,
      position,
      before: toPrismaJson(before),
      after: toPrismaJson(after),
      createdAt: now,
      previous: new Uint8Array(last.hash),
      hash,
    },
  });
  const head = { position, hash, updatedAt: now };
  await transaction.auditHead.upsert({ where: { tenantId }, create: { tenantId, ...head }, update: head });
}

/** The link the next entry continues: the recorded head where later entries are missing, so that truncation stays detectable. */
async function lastLink(
  transaction: Prisma.TransactionClient,
  tenantId: string,
): Promise<{ position: number; hash: Uint8Array }> {
  const [entry, head] = await Promise.all([
    transaction.auditEntry.findFirst({
      where: { tenantId },
      orderBy: { position: 'desc' },
      select: { position: true, hash: true },
    }),
    transaction.auditHead.findUnique({ where: { tenantId }, select: { position: true, hash: true } }),
  ]);
  if (head !== null && head.position > (entry?.position ?? 0)) return head;
  return entry ?? { position: 0, hash: FIRST_PREVIOUS };
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
