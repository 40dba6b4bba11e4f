import type { LineRow } from '../intake/store-settlement.ts';
import { keyOf, moneyKeyOf, type StoredLineFacts } from './stored-payouts.ts';

/** A payout's stored lines beside those of a file. */
export interface LineDifference {
  /** Stored lines that the file has as well. */
  readonly kept: readonly StoredLineFacts[];
  /** Stored lines that the file does not have. */
  readonly removed: readonly StoredLineFacts[];
  /** Lines of the file that are not stored. */
  readonly added: readonly LineRow[];
}

/** Compares lines by all that they say: as many alike ones as both have are kept. Pure. */
export function diffLines(stored: readonly StoredLineFacts[], listed: readonly LineRow[]): LineDifference {
  const left = Map.groupBy(stored, keyOf);
  const kept: StoredLineFacts[] = [];
  const added = listed.filter((line) => {
    const same = left.get(keyOf(line))?.shift();
    if (same !== undefined) kept.push(same);
    return same === undefined;
  });
  return { kept, removed: [...left.values()].flat(), added };
}

/** The lines by staff that removed ones had, for added ones of the same money and names: a changed time or description is no other line. Pure. */
export function carryStaffLinks<Line extends LineRow>(
  removed: readonly StoredLineFacts[],
  added: readonly Line[],
): readonly (readonly [Line, StoredLineFacts])[] {
  const byMoney = Map.groupBy(
    removed.filter(({ linkedBy }) => linkedBy === 'STAFF'),
    moneyKeyOf,
  );
  return added.flatMap((line): (readonly [Line, StoredLineFacts])[] => {
    const before = byMoney.get(moneyKeyOf(line))?.shift();
    return before === undefined ? [] : [[line, before]];
  });
}
