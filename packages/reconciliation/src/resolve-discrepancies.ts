import { canonicalJson, type JsonValue } from '@switchyard/db';
import type { FoundDifference } from './ledger.ts';

/** A difference as an earlier comparison left it. */
export interface StoredDifference {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly state: 'OPEN' | 'EXPLAINED' | 'RESOLVED';
  readonly ours: JsonValue;
  readonly theirs: JsonValue;
  readonly resolvedBy: string | null;
}

/** Who settles what a later comparison no longer finds. */
export const RECONCILIATION_ACTOR = 'system:reconciliation';

/** What a comparison makes of one difference. What is settled and unchanged appears in no list. */
export interface DifferenceChanges<Stored extends StoredDifference> {
  readonly added: readonly FoundDifference[];
  /** Open before and now, with other facts. */
  readonly changed: readonly { readonly stored: Stored; readonly found: FoundDifference }[];
  /** Settled on other facts than those found now, or gone and come back. */
  readonly reopened: readonly { readonly stored: Stored; readonly found: FoundDifference }[];
  /** Open, and no longer there. */
  readonly gone: readonly Stored[];
}

/**
 * What a person settled stays as it is while the facts are the ones that were settled. What is not found any more is over; what
 * was over by itself and is there again is open again.
 */
export function resolveDiscrepancies<Stored extends StoredDifference>(
  stored: readonly Stored[],
  found: readonly FoundDifference[],
): DifferenceChanges<Stored> {
  const before = new Map(stored.map((difference) => [keyOf(difference), difference]));
  const now = new Map(found.map((difference) => [keyOf(difference), difference]));
  const both = [...now].flatMap(([key, difference]) => {
    const known = before.get(key);
    return known === undefined ? [] : [{ stored: known, found: difference, same: sameFacts(known, difference) }];
  });
  return {
    added: [...now].flatMap(([key, difference]) => (before.has(key) ? [] : [difference])),
    changed: both.filter((each) => each.stored.state === 'OPEN' && !each.same),
    reopened: both.filter((each) => isSettled(each.stored) && (!each.same || each.stored.resolvedBy === RECONCILIATION_ACTOR)),
    gone: stored.filter((difference) => difference.state === 'OPEN' && !now.has(keyOf(difference))),
  };
}

function isSettled({ state }: StoredDifference): boolean {
  return state !== 'OPEN';
}

function keyOf({ kind, subject }: { readonly kind: string; readonly subject: string }): string {
  return `${kind} ${subject}`;
}

function sameFacts(stored: StoredDifference, found: FoundDifference): boolean {
  return factsOf(stored.ours) === factsOf(found.ours) && factsOf(stored.theirs) === factsOf(found.theirs);
}

/** The facts of one side as comparable text. Fees are left out: gateways report them late, and they resolve nothing. */
function factsOf(side: JsonValue): string {
  if (typeof side !== 'object' || side === null || Array.isArray(side)) return canonicalJson(side);
  return canonicalJson(Object.fromEntries(Object.entries(side).filter(([name]) => name !== 'fee')));
}
