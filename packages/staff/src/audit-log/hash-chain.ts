import { type AuditKeys, FIRST_PREVIOUS, hashAuditEntry, type NewAuditEntry, sealAuditHead } from '@switchyard/db/audit';

/** An entry of a hash chain. */
export interface ChainedAuditEntry extends NewAuditEntry {
  readonly position: number;
  readonly createdAt: Date;
  readonly previous: Uint8Array;
  readonly hash: Uint8Array;
  /** The key that it is hashed with. */
  readonly keyId: string;
}

/** A position in a chain, covering everything up to and including it. */
export interface ChainPoint {
  readonly position: number;
  readonly hash: Uint8Array;
}

/** The recorded head of a chain. */
export interface ChainHead extends ChainPoint {
  readonly tenantId: string;
  /** The key of the seal. */
  readonly keyId: string;
  readonly seal: Uint8Array;
}

/** Why a chain is invalid. */
export type ChainBreak =
  /** An entry's fields do not match its hash. */
  | 'changed'
  /** Entries are missing before this one. */
  | 'missing'
  /** It does not continue the previous entry. */
  | 'not_continued'
  /** The chain ends before the recorded head. */
  | 'cut_off'
  /** The chain continues past the recorded head. */
  | 'past_head'
  /** The hash at the position of an externally kept head differs. */
  | 'not_as_kept'
  /** It is hashed with a key that is not in the key rings. */
  | 'unknown_key'
  /** The recorded head was not written by the application. */
  | 'head_forged';

/** Result of verifying part of a hash chain. */
export type ChainState =
  | { readonly kind: 'holds'; readonly to: ChainPoint }
  /** `at` is the position of the invalid or first missing entry. */
  | { readonly kind: 'broken'; readonly at: number; readonly why: ChainBreak };

export const CHAIN_START: ChainPoint = { position: 0, hash: FIRST_PREVIOUS };

/**
 * Result of checking that entries, by position, continue a chain from `from` without an edit, a gap or a reordering. `kept` is a
 * head recorded outside the database: earlier history must still lead to it.
 */
export function checkChain(
  from: ChainPoint,
  entries: readonly ChainedAuditEntry[],
  kept: ChainPoint | null,
  keys: AuditKeys,
): ChainState {
  let last = from;
  for (const entry of entries) {
    const { position, hash } = entry;
    if (position !== last.position + 1) return { kind: 'broken', at: last.position + 1, why: 'missing' };
    if (!same(entry.previous, last.hash)) return { kind: 'broken', at: position, why: 'not_continued' };
    const why = checkHash(entry, keys);
    if (why !== null) return { kind: 'broken', at: position, why };
    if (kept?.position === position && !same(kept.hash, hash)) return { kind: 'broken', at: position, why: 'not_as_kept' };
    last = entry;
  }
  return { kind: 'holds', to: { position: last.position, hash: last.hash } };
}

function checkHash(entry: ChainedAuditEntry, keys: AuditKeys): ChainBreak | null {
  const key = keys.find(entry.keyId);
  if (key === undefined) return 'unknown_key';
  return same(hashAuditEntry(entry, entry.previous, key), entry.hash) ? null : 'changed';
}

/** Result of checking that a chain that is valid up to `end`, its last entry, reaches its recorded head and a kept one. */
export function checkChainEnd(end: ChainPoint, head: ChainHead | null, kept: ChainPoint | null, keys: AuditKeys): ChainState {
  const longest = Math.max(head?.position ?? 0, kept?.position ?? 0);
  if (longest > end.position) return { kind: 'broken', at: end.position + 1, why: 'cut_off' };
  if ((head?.position ?? 0) < end.position) return { kind: 'broken', at: (head?.position ?? 0) + 1, why: 'past_head' };
  if (head === null) return { kind: 'holds', to: end };
  if (!same(head.hash, end.hash)) return { kind: 'broken', at: end.position, why: 'changed' };
  const why = checkSeal(head, keys);
  return why === null ? { kind: 'holds', to: end } : { kind: 'broken', at: end.position, why };
}

function checkSeal(head: ChainHead, keys: AuditKeys): ChainBreak | null {
  const key = keys.find(head.keyId);
  if (key === undefined) return 'unknown_key';
  return same(sealAuditHead(head.tenantId, head, key), head.seal) ? null : 'head_forged';
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
