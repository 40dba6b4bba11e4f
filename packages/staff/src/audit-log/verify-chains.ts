import { type Database, NIL_ID } from '@switchyard/db';
import { keyAuditChain } from '@switchyard/db/audit';
import type { AuditKeys } from '@switchyard/db/audit-keys';
import { readAuditTenants, readUnkeyedTenants } from './queries.ts';
import { type HexChainHead, type VerifyAuditOutcome, verifyAudit } from './verify-audit.ts';

/** A chain's head, as it is kept outside the database. */
export interface SavedChainHead extends HexChainHead {
  readonly tenantId: string;
}

/** A chain with the result of its verification. */
export interface VerifiedChain {
  readonly tenantId: string;
  /** The merchant's name, or that it is the workspace's chain. */
  readonly name: string;
  readonly outcome: Exclude<VerifyAuditOutcome, { kind: 'continues' }>;
}

/** The database and the keys of a command on the audit log. */
export interface AuditStore {
  readonly database: Database;
  readonly auditKeys: AuditKeys;
}

/**
 * Verifies each chain from its first entry to its end, one after the other: that of `tenantId`, else every one, including chains that
 * only a kept head knows of. A merchant whose chain is gone is reported as broken at its first entry.
 */
export async function* verifyChains(
  store: AuditStore,
  { tenantId, kept }: { readonly tenantId: string | null; readonly kept: readonly SavedChainHead[] },
): AsyncGenerator<VerifiedChain> {
  const known = await readAuditTenants(store.database);
  const names = new Map(known.map((tenant) => [tenant.tenantId, tenant.name]));
  const all = new Set([...names.keys(), ...kept.map((head) => head.tenantId)]);
  for (const id of tenantId === null ? all : [tenantId]) {
    const head = kept.find((one) => one.tenantId === id) ?? null;
    const query = { tenantId: id, from: null, kept: head };
    const outcome = await verifyAudit({ resources: store, now: () => new Date() }, query, Number.POSITIVE_INFINITY);
    if (outcome.kind === 'continues') throw new Error('a chain was not verified to its end');
    const name = names.get(id) ?? (id === NIL_ID ? 'Workspace' : 'no merchant');
    yield { tenantId: id, name, outcome: isGone(outcome, id, names) ? goneAt(outcome.at) : outcome };
  }
}

function isGone(outcome: VerifiedChain['outcome'], id: string, names: ReadonlyMap<string, string | null>): boolean {
  return outcome.kind === 'verified' && outcome.count === 0 && (names.get(id) ?? null) !== null;
}

function goneAt(at: Date): VerifiedChain['outcome'] {
  return { kind: 'broken', position: 1, why: 'cut_off', at };
}

/** Records in every chain without a key that it is keyed from here on. Returns how many those were. */
export async function keyAuditChains({ database, auditKeys }: AuditStore, now: Date): Promise<number> {
  let keyed = 0;
  for (const tenantId of await readUnkeyedTenants(database)) {
    const wasMissing = await database.prisma.$transaction((transaction) => keyAuditChain(transaction, auditKeys, tenantId, now));
    if (wasMissing) keyed += 1;
  }
  return keyed;
}
