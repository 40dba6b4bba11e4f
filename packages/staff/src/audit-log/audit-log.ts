import { type Database, NIL_ID } from '@switchyard/db';
import type { AuditKeys } from '@switchyard/db/audit';
import { merchantScopeOf } from '../permissions/permissions.ts';
import type { StaffSession } from '../permissions/staff-session.ts';
import type { ChainBreak } from './hash-chain.ts';
import { readAuditTenants } from './queries.ts';
import { type HexChainHead, type VerifyAuditOutcome, verifyAudit } from './verify-audit.ts';

export { type AuditEntryInList, findAudit, listAudit, listAuditChoices } from './list-audit.ts';
export { countAudit } from './queries.ts';
export { listAuditHeads, verifyAudit } from './verify-audit.ts';

const COUNT = `
SELECT substr(key_id, length('encryption/') + 1) AS "keyId", count(*)::int AS entries FROM audit_entry
WHERE key_id LIKE 'encryption/%' GROUP BY 1`;

/** Counts the entries of all chains whose hashes are made with keys derived from encryption keys, by the encryption key's id. */
export async function countByEncryptionKey({ pool }: Pick<Database, 'pool'>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ keyId: string; entries: number }>(COUNT);
  return new Map(rows.map(({ keyId, entries }) => [keyId, entries]));
}

/** The part of the log that is asked for. */
export interface AuditScope {
  /** Null for every merchant the caller may read, and the workspace itself where they may read that. */
  readonly merchantId: string | null;
  /** True for the workspace itself alone. */
  readonly workspace: boolean;
}

/** The hash chains of a call, or which of them the caller may not read. */
export type ReadableChains =
  | { readonly kind: 'readable'; readonly tenantIds: readonly string[] }
  | { readonly kind: 'workspace_forbidden' }
  | { readonly kind: 'merchant_forbidden' };

/** The hash chains that a part of the log consists of, for a staff user who may read the logs of `merchantIds`. */
export function readableChains(
  { session, merchantIds }: { readonly session: Pick<StaffSession, 'grants'>; readonly merchantIds: readonly string[] },
  { merchantId, workspace }: AuditScope,
): ReadableChains {
  const { everywhere } = merchantScopeOf(session, 'audit:read', merchantIds);
  if (workspace) return everywhere ? { kind: 'readable', tenantIds: [NIL_ID] } : { kind: 'workspace_forbidden' };
  if (merchantId !== null) {
    return merchantIds.includes(merchantId) ? { kind: 'readable', tenantIds: [merchantId] } : { kind: 'merchant_forbidden' };
  }
  return { kind: 'readable', tenantIds: [...(everywhere ? [NIL_ID] : []), ...merchantIds] };
}

/** Where a command on the audit log writes. */
interface ChainOutput {
  /** Progress and findings. */
  say(line: string): void;
  /** The head of an intact chain as a line of JSON, to keep where accounts of the database cannot write. */
  printHead(line: string): void;
}

/** Verifies the chain of a merchant, or every chain, and writes what each was found to be. Returns whether all are intact. */
export async function reportChains(
  store: AuditStore,
  query: { readonly tenantId: string | null; readonly kept: readonly SavedChainHead[] },
  output: ChainOutput,
): Promise<boolean> {
  let broken = 0;
  for await (const chain of verifyChains(store, query)) {
    if (!reportChain(chain, output)) broken += 1;
  }
  output.say(broken === 0 ? 'Every chain is intact.' : `${broken} broken.`);
  return broken === 0;
}

function reportChain({ tenantId, name, outcome }: VerifiedChain, { say, printHead }: ChainOutput): boolean {
  if (outcome.kind === 'broken') {
    say(`BROKEN  ${name} (${tenantId}), entry ${outcome.position}: ${SENTENCES[outcome.why]}`);
    return false;
  }
  say(`intact  ${name} (${tenantId}), ${outcome.count} entries`);
  printHead(JSON.stringify({ tenantId, ...outcome.head }));
  return true;
}

const SENTENCES: Readonly<Record<ChainBreak, string>> = {
  changed: 'its fields do not match its hash',
  missing: 'it is missing',
  not_continued: 'it does not continue the entry before it',
  cut_off: 'it and all after it were cut off the end',
  past_head: 'it lies past the recorded head',
  not_as_kept: 'its hash differs from the head that was kept',
  unknown_key: 'its key is not in the key rings',
  head_forged: 'the recorded head was not sealed with the key',
};

/** A chain's head, as it is kept outside the database. */
export interface SavedChainHead extends HexChainHead {
  readonly tenantId: string;
}

/** A chain with the result of its verification. */
interface VerifiedChain {
  readonly tenantId: string;
  /** The merchant's name, or that it is the workspace's chain. */
  readonly name: string;
  readonly outcome: Exclude<VerifyAuditOutcome, { kind: 'continues' }>;
}

/** The database and the keys of a command on the audit log. */
interface AuditStore {
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
    const isGone = outcome.kind === 'verified' && outcome.count === 0 && (names.get(id) ?? null) !== null;
    yield { tenantId: id, name, outcome: isGone ? { kind: 'broken', position: 1, why: 'cut_off', at: outcome.at } : outcome };
  }
}
