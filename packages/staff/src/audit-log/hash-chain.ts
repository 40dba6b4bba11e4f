import { FIRST_PREVIOUS, hashAuditEntry, type NewAuditEntry } from '@switchyard/db';

/** An entry of a hash chain. */
export interface ChainedAuditEntry extends NewAuditEntry {
  readonly position: number;
  readonly createdAt: Date;
  readonly previous: Uint8Array;
  readonly hash: Uint8Array;
}

/** A position in a chain, covering everything up to and including it. */
export interface ChainPoint {
  readonly position: number;
  readonly hash: Uint8Array;
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
  | 'not_as_kept';

/** Result of verifying part of a hash chain. */
export type ChainState =
  | { readonly kind: 'holds'; readonly to: ChainPoint }
  /** `at` is the position of the invalid or first missing entry. */
  | { readonly kind: 'broken'; readonly at: number; readonly why: ChainBreak };

/** The start of a chain. */
export const CHAIN_START: ChainPoint = { position: 0, hash: FIRST_PREVIOUS };

/**
 * Whether entries, ordered by position, continue a chain from `from` without an edit, a gap or a reordering. `kept` is a head
 * recorded outside the database: earlier history must still lead to it.
 */
export function checkChain(from: ChainPoint, entries: readonly ChainedAuditEntry[], kept: ChainPoint | null): ChainState {
  let last = from;
  for (const entry of entries) {
    if (entry.position !== last.position + 1) return { kind: 'broken', at: last.position + 1, why: 'missing' };
    if (!same(entry.previous, last.hash)) return { kind: 'broken', at: entry.position, why: 'not_continued' };
    if (!same(hashAuditEntry(entry, entry.previous), entry.hash)) return { kind: 'broken', at: entry.position, why: 'changed' };
    if (kept?.position === entry.position && !same(kept.hash, entry.hash)) {
      return { kind: 'broken', at: entry.position, why: 'not_as_kept' };
    }
    last = entry;
  }
  return { kind: 'holds', to: { position: last.position, hash: last.hash } };
}

/** Whether a chain that is valid up to `end`, its last entry, reaches its recorded head and a kept one. */
export function checkChainEnd(end: ChainPoint, head: ChainPoint | null, kept: ChainPoint | null): ChainState {
  const longest = Math.max(head?.position ?? 0, kept?.position ?? 0);
  if (longest > end.position) return { kind: 'broken', at: end.position + 1, why: 'cut_off' };
  if ((head?.position ?? 0) < end.position) return { kind: 'broken', at: (head?.position ?? 0) + 1, why: 'past_head' };
  if (head !== null && !same(head.hash, end.hash)) return { kind: 'broken', at: end.position, why: 'changed' };
  return { kind: 'holds', to: end };
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
