import { addDecimals, compareDecimals, magnitude, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import { addWorkingDays, type Calendar, daysBetween } from '../calendar.ts';
import { expectedDay, isReceipt, type LedgerEntry, type LineLink, type MatchLine } from './entries.ts';
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

/**
 * How an entry stands. `undecided`: it may be settled or not. `expected`: not due yet. `late`: due, within the days of grace. `missing`:
 * these are over. A part is awaited as the whole is, and then `under`.
 */
export type EntryState = 'undecided' | 'expected' | 'settled' | 'late' | 'missing' | 'over' | 'under';

/** Amounts expected and settled of an entry. Exact decimals of the main unit, after fees. */
export interface EntryResult {
  readonly entry: LedgerEntry;
  readonly state: EntryState;
  readonly expected: string;
  /** Null where nothing was settled. */
  readonly settled: string | null;
  /** Calendar days since it was expected; 0 until then. */
  readonly ageDays: number;
}

/** The rules of a judgement. */
export interface JudgeOptions extends Pick<Calendar, 'graceDays' | 'holidays' | 'tolerance'> {
  /** The day up to which settlements are known, `YYYY-MM-DD`. */
  readonly asOf: string;
}

/**
 * The state of an entry by the lines that are linked to it. Where its fee is compared with a contract, it is not compared here. A fee that is given
 * back with a refund is as expected. A customer who bears the fee pays it on top of the amount: the gateway then settles both, less the fee.
 */
export function judgeEntry(entry: LedgerEntry, lines: readonly MatchLine[], options: JudgeOptions): EntryResult {
  const shares = lines.map((line) => ({ kind: line.kind, amount: line.subjects.length > 1 ? entry.amount : line.amount }));
  const isCharge = ({ kind, amount }: (typeof shares)[number]) =>
    kind === 'FEE' || (kind === 'OTHER' && entry.audited === 'fee_and_duty' && amount.startsWith('-'));
  const fees = addDecimals(...shares.filter(isCharge).map(({ amount }) => amount));
  const gross = addDecimals(...shares.filter((share) => !isCharge(share)).map(({ amount }) => amount));
  const isAnyFee = entry.fee === null ? lines.length > 0 : entry.audited !== undefined && shares.some(isCharge);
  const returned = isReceipt(entry) ? [] : shares.filter(({ kind, amount }) => kind === 'FEE' && !amount.startsWith('-'));
  const expectedFee = isAnyFee ? fees : addDecimals(...returned.map(({ amount }) => amount), `-${entry.fee ?? 0}`);
  const withFee = addDecimals(entry.amount, entry.fee ?? '0');
  const charged = isReceipt(entry) && sameDecimal(gross, withFee) ? withFee : entry.amount;
  const expected = entry.stance === 'void' ? '0' : addDecimals(charged, expectedFee);
  const settled = lines.length === 0 ? null : addDecimals(gross, fees);
  const expectedOn = expectedDay(entry, settled !== null);
  const ageDays = expectedOn === null ? 0 : Math.max(0, daysBetween(expectedOn, options.asOf));
  return { entry, state: stateOf(entry, { expected, settled, gross }, options), expected, settled, ageDays };
}

function stateOf(
  entry: LedgerEntry,
  { expected, settled, gross }: { readonly expected: string; readonly settled: string | null; readonly gross: string },
  { asOf, graceDays, holidays, tolerance }: JudgeOptions,
): EntryState {
  const { stance, amount } = entry;
  if (stance === 'open') return 'undecided';
  const difference = subtractDecimals(settled ?? '0', expected);
  if (compareDecimals(magnitude(difference), tolerance) <= 0 && (settled !== null || stance === 'void')) return 'settled';
  const isAwaited = settled === null || isPart(gross, amount, stance);
  if (isAwaited) {
    const expectedOn = expectedDay(entry, settled !== null);
    if (expectedOn === null || asOf <= expectedOn) return 'expected';
    if (asOf <= addWorkingDays(expectedOn, graceDays, holidays)) return 'late';
    if (settled === null) return 'missing';
  }
  return compareDecimals(difference, '0') > 0 ? 'over' : 'under';
}

/** True if a rest of the amount may still come. */
function isPart(gross: string, amount: string, stance: LedgerEntry['stance']): boolean {
  if (stance === 'void') return false;
  const hasSameSign = compareDecimals(gross, '0') === compareDecimals(amount, '0');
  return hasSameSign && compareDecimals(magnitude(gross), magnitude(amount)) < 0;
}
