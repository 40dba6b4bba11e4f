import { canonicalJson, type JsonValue } from '@switchyard/db';
import type { FoundDiscrepancy } from './ledger.ts';

/** A discrepancy as stored by an earlier run. */
export interface StoredDiscrepancy {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly state: 'OPEN' | 'EXPLAINED' | 'RESOLVED';
  readonly ledger: JsonValue;
  readonly statement: JsonValue;
  readonly resolvedBy: string | null;
}

/** The actor that resolves what a later run no longer finds. */
export const RECONCILIATION_ACTOR = 'system:reconciliation';

/** The changes a run makes. Resolved and unchanged discrepancies are in no list. */
export interface DiscrepancyChanges<Stored extends StoredDiscrepancy> {
  readonly added: readonly FoundDiscrepancy[];
  /** Open before and now, with other facts. */
  readonly changed: readonly { readonly stored: Stored; readonly found: FoundDiscrepancy }[];
  /** Resolved on other facts than those found now, or found again. */
  readonly reopened: readonly { readonly stored: Stored; readonly found: FoundDiscrepancy }[];
  /** Open, and no longer found. */
  readonly resolved: readonly Stored[];
}

/**
 * A discrepancy resolved by staff stays resolved while its facts are unchanged. One that is no longer found is resolved; found again,
 * it is reopened.
 */
export function resolveDiscrepancies<Stored extends StoredDiscrepancy>(
  stored: readonly Stored[],
  found: readonly FoundDiscrepancy[],
): DiscrepancyChanges<Stored> {
  const before = new Map(stored.map((discrepancy) => [keyOf(discrepancy), discrepancy]));
  const now = new Map(found.map((discrepancy) => [keyOf(discrepancy), discrepancy]));
  const both = [...now].flatMap(([key, discrepancy]) => {
    const known = before.get(key);
    return known === undefined ? [] : [{ stored: known, found: discrepancy, same: sameFacts(known, discrepancy) }];
  });
  return {
    added: [...now].flatMap(([key, discrepancy]) => (before.has(key) ? [] : [discrepancy])),
    changed: both.filter((each) => each.stored.state === 'OPEN' && !each.same),
    reopened: both.filter((each) => isResolved(each.stored) && (!each.same || each.stored.resolvedBy === RECONCILIATION_ACTOR)),
    resolved: stored.filter((discrepancy) => discrepancy.state === 'OPEN' && !now.has(keyOf(discrepancy))),
  };
}

function isResolved({ state }: StoredDiscrepancy): boolean {
  return state !== 'OPEN';
}

function keyOf({ kind, subject }: { readonly kind: string; readonly subject: string }): string {
  return `${kind} ${subject}`;
}

function sameFacts(stored: StoredDiscrepancy, found: FoundDiscrepancy): boolean {
  return factsOf(stored.ledger) === factsOf(found.ledger) && factsOf(stored.statement) === factsOf(found.statement);
}

/** The facts of one side as comparable text. Fees are left out: gateways report them late, and they resolve nothing. */
function factsOf(side: JsonValue): string {
  if (typeof side !== 'object' || side === null || Array.isArray(side)) return canonicalJson(side);
  return canonicalJson(Object.fromEntries(Object.entries(side).filter(([name]) => name !== 'fee')));
}
