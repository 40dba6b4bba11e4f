import { FIRST_PREVIOUS, hashAuditEntry, type NewAuditEntry, sealAuditHead } from '@switchyard/db/audit';
import type { AuditKeys } from '@switchyard/db/audit-keys';

/** An entry of a hash chain. */
export interface ChainedAuditEntry extends NewAuditEntry {
  readonly position: number;
  readonly createdAt: Date;
  readonly previous: Uint8Array;
  readonly hash: Uint8Array;
  /** 1: hashed without a key. 2: with the key that `keyId` names. */
  readonly version: number;
  readonly keyId: string | null;
}

/** A position in a chain, covering everything up to and including it. */
export interface ChainPoint {
  readonly position: number;
  readonly hash: Uint8Array;
}

/** How far a chain is verified. */
export interface ChainProgress extends ChainPoint {
  /** True if entries up to here are keyed, so that none without a key may follow. */
  readonly isKeyed: boolean;
}

/** The recorded head of a chain. */
export interface ChainHead extends ChainPoint {
  readonly tenantId: string;
  readonly keyId: string | null;
  readonly seal: Uint8Array | null;
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
  /** It has no key, and keyed entries come before it. */
  | 'unkeyed'
  /** It is hashed with a key that is not in the key rings. */
  | 'unknown_key'
  /** The recorded head was not written by the application. */
  | 'head_forged';

/** Result of verifying part of a hash chain. */
export type ChainState =
  | { readonly kind: 'holds'; readonly to: ChainProgress }
  /** `at` is the position of the invalid or first missing entry. */
  | { readonly kind: 'broken'; readonly at: number; readonly why: ChainBreak };

/** The start of a chain. */
export const CHAIN_START: ChainProgress = { position: 0, hash: FIRST_PREVIOUS, isKeyed: false };

/**
 * Result of checking that entries, by position, continue a chain from `from` without an edit, a gap or a reordering. `kept` is a
 * head recorded outside the database: earlier history must still lead to it.
 */
export function checkChain(
  from: ChainProgress,
  entries: readonly ChainedAuditEntry[],
  kept: ChainPoint | null,
  keys: AuditKeys,
): ChainState {
  let last = from;
  for (const entry of entries) {
    const { position, hash } = entry;
    if (position !== last.position + 1) return { kind: 'broken', at: last.position + 1, why: 'missing' };
    if (!same(entry.previous, last.hash)) return { kind: 'broken', at: position, why: 'not_continued' };
    const why = checkHash(entry, last.isKeyed, keys);
    if (why !== null) return { kind: 'broken', at: position, why };
    if (kept?.position === position && !same(kept.hash, hash)) return { kind: 'broken', at: position, why: 'not_as_kept' };
    last = { position, hash, isKeyed: entry.keyId !== null };
  }
  return { kind: 'holds', to: last };
}

/** Anyone can recompute a hash without a key, so the unkeyed form is accepted only up to the first keyed entry. */
function checkHash(entry: ChainedAuditEntry, isKeyed: boolean, keys: AuditKeys): ChainBreak | null {
  const { keyId, version, previous, hash } = entry;
  if (keyId === null) {
    if (isKeyed) return 'unkeyed';
    return version === 1 && same(hashAuditEntry(entry, previous, null), hash) ? null : 'changed';
  }
  const key = keys.find(keyId);
  if (key === undefined) return 'unknown_key';
  return version === 2 && same(hashAuditEntry(entry, previous, key), hash) ? null : 'changed';
}

/** Result of checking that a chain that is valid up to `end`, its last entry, reaches its recorded head and a kept one. */
export function checkChainEnd(end: ChainProgress, head: ChainHead | null, kept: ChainPoint | null, keys: AuditKeys): ChainState {
  const longest = Math.max(head?.position ?? 0, kept?.position ?? 0);
  if (longest > end.position) return { kind: 'broken', at: end.position + 1, why: 'cut_off' };
  if ((head?.position ?? 0) < end.position) return { kind: 'broken', at: (head?.position ?? 0) + 1, why: 'past_head' };
  if (head === null) return { kind: 'holds', to: end };
  if (!same(head.hash, end.hash)) return { kind: 'broken', at: end.position, why: 'changed' };
  const why = checkSeal(head, end.isKeyed, keys);
  return why === null ? { kind: 'holds', to: end } : { kind: 'broken', at: end.position, why };
}

function checkSeal(head: ChainHead, isKeyed: boolean, keys: AuditKeys): ChainBreak | null {
  const { tenantId, keyId, seal } = head;
  if (keyId === null || seal === null) return isKeyed ? 'head_forged' : null;
  const key = keys.find(keyId);
  if (key === undefined) return 'unknown_key';
  return isKeyed && same(sealAuditHead(tenantId, head, key), seal) ? null : 'head_forged';
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
