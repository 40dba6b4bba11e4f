import type { Finding } from './finding.ts';

/** How the findings of a rule set differ from those of another. */
export interface FindingComparison {
  /** Places in the findings of the later one, from 0. */
  readonly added: readonly number[];
  /** Findings of the earlier one that the later one has no more. */
  readonly gone: readonly Finding[];
}

/**
 * Compares the findings of two rule sets on the same accounts. A finding is the same when it says the same of the same rules, by their
 * ids, accounts and payments, wherever the rules stand; one whose severity changed is another.
 */
export function compareFindings(before: readonly Finding[], now: readonly Finding[]): FindingComparison {
  const earlier = new Map(before.map((finding) => [keyOf(finding), finding]));
  const added: number[] = [];
  for (const [place, finding] of now.entries()) {
    if (!earlier.delete(keyOf(finding))) added.push(place);
  }
  return { added, gone: Array.from(earlier.values()) };
}

function keyOf({ kind, severity, ruleIds, accountIds, gap, limit }: Finding): string {
  return JSON.stringify([kind, severity, ruleIds, accountIds, gap, limit]);
}
