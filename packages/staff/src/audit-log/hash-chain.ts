import { FIRST_PREVIOUS, hashAuditEntry, type NewAuditEntry } from '@switchyard/db';

/** An entry as it stands in its chain. */
export interface ChainedAuditEntry extends NewAuditEntry {
  readonly position: number;
  readonly createdAt: Date;
  readonly previous: Uint8Array;
  readonly hash: Uint8Array;
}

/** A place in a chain: everything up to and including `position`. */
export interface ChainPoint {
  readonly position: number;
  readonly hash: Uint8Array;
}

/** Why a chain does not hold. */
export type ChainBreak =
  /** An entry's fields are not the ones it was hashed with. */
  | 'changed'
  /** Entries are missing before this one. */
  | 'missing'
  /** It does not continue the entry before it. */
  | 'not_continued'
  /** The chain ends before the recorded head. */
  | 'cut_off'
  /** The chain goes on past the recorded head. */
  | 'past_head'
  /** At the position of a head that was kept elsewhere stands another hash. */
  | 'not_as_kept';

export type ChainState =
  | { readonly kind: 'holds'; readonly to: ChainPoint }
  /** `at` is the position at which it breaks: of the entry, or of the first that is missing. */
  | { readonly kind: 'broken'; readonly at: number; readonly why: ChainBreak };

/** Where a chain begins. */
export const CHAIN_START: ChainPoint = { position: 0, hash: FIRST_PREVIOUS };

/**
 * Whether entries, in the order of their positions, continue a chain from `from` without a change, a gap or another order. `kept` is
 * a head that somebody wrote down earlier: history before it must still lead to it.
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

/** Whether a chain that holds up to `end`, its last entry, is as long as its recorded head and a kept one say. */
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
