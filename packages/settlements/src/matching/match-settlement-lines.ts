import type { Calendar } from '../calendar.ts';
import type { LedgerEntry, LineLink, MatchLine } from './entries.ts';
import { type EntryResult, judgeEntry } from './judge-entry.ts';
import { linkLines } from './link-lines.ts';

/** The lines of a gateway account with its ledger, matched. */
export interface MatchResult {
  /** New links, by line. */
  readonly links: ReadonlyMap<string, LineLink>;
  readonly entries: readonly EntryResult[];
  /** Lines that no payment, refund or dispute explains. */
  readonly unmatched: readonly MatchLine[];
}

/** Matches lines with the ledger, and says how each entry stands on the day `asOf`. Lines that are linked already stay so. */
export function matchSettlementLines(
  lines: readonly MatchLine[],
  ledger: readonly LedgerEntry[],
  options: Omit<Calendar, 'workingDays'> & { readonly asOf: string },
): MatchResult {
  const links = linkLines(lines, ledger, options);
  const linked = lines.map((line): MatchLine => ({ ...line, subjects: links.get(line.lineId)?.subjects ?? line.subjects }));
  const bySubject = groupBySubject(linked);
  return {
    links,
    entries: ledger.map((entry) => judgeEntry(entry, bySubject.get(entry.subject) ?? [], options)),
    unmatched: linked.filter(({ subjects }) => subjects.length === 0),
  };
}

/** Lines by each entry they are linked to. */
export function groupBySubject<Line extends Pick<MatchLine, 'subjects'>>(lines: readonly Line[]): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    for (const subject of line.subjects) {
      const group = groups.get(subject);
      if (group === undefined) groups.set(subject, [line]);
      else group.push(line);
    }
  }
  return groups;
}
