/** A change of health or an override, as far as folding is concerned. */
interface FeedEntry {
  readonly kind: string;
  /** Null for all accounts of a gateway. */
  readonly accountId: string | null;
  /** Null for all methods together. */
  readonly method: string | null;
  readonly toState: string | null;
  readonly at: Date;
}

const GROUPED_WITHIN_MS = 10_000;

/** Leaves out a change of all methods together where one of the account's methods made the same change at the same time. */
export function foldFeed<Entry extends FeedEntry>(entries: readonly Entry[]): Entry[] {
  return entries.filter(
    (entry) => entry.kind !== 'health' || entry.method !== null || !entries.some((other) => isSame(other, entry)),
  );
}

function isSame(other: FeedEntry, whole: FeedEntry): boolean {
  return (
    other.kind === 'health' &&
    other.method !== null &&
    other.accountId === whole.accountId &&
    other.toState === whole.toState &&
    Math.abs(other.at.getTime() - whole.at.getTime()) < GROUPED_WITHIN_MS
  );
}
