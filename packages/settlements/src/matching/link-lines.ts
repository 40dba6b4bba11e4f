import { addDecimals, compareDecimals, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { type EntryKind, isReceipt, type LedgerEntry, type LineLink, type MatchLine } from './entries.ts';

const MINUTE_MS = 60_000;

/**
 * Links lines that are not linked yet: by reference, then by transaction id, then those that name no payment by amount and time. Several
 * lines may be of one entry: its amount, its fee, a part of it. One amount may deduct several refunds. The same whatever order lines and
 * entries come in.
 *
 * @param lines with those that are linked already to these entries
 */
export function linkLines(
  lines: readonly MatchLine[],
  entries: readonly LedgerEntry[],
  { toleranceMinutes }: { readonly toleranceMinutes: number },
): Map<string, LineLink> {
  const index = new EntryIndex(entries, lines);
  const links = new Map<string, LineLink>();
  const link = (line: MatchLine, by: LineLink['by'], ...found: readonly LedgerEntry[]) => {
    links.set(line.lineId, { subjects: found.map(({ subject }) => subject), by });
    index.settle(line, found);
  };
  const ofDeductions = feesOfDeductions(lines);
  const open = lines.filter(({ kind, subjects }) => kind !== 'RESIDUE' && subjects.length === 0).sort(byIdentity);
  // Fees last: the amount that comes with them says which of several payments it is.
  for (const line of [...open.filter(({ kind }) => kind !== 'FEE'), ...open.filter(({ kind }) => kind === 'FEE')]) {
    const named = index.named(line, ofDeductions.get(line.lineId) ?? ENTRY_KINDS[line.kind]);
    if (named !== null) link(line, named.by, named.entry);
  }
  const nameless = open.filter((line) => line.reference === null && line.transactionId === null);
  for (const [line, entry] of pairByTime(nameless, index.unsettled(isReceipt), toleranceMinutes)) {
    link(line, 'AMOUNT_AND_TIME', entry);
  }
  const deductions = index
    .unsettled(isDueDeduction)
    .map((entry) => ({ entry, day: calendarDay(entry.occurredAt, SETTLEMENT_ZONE) }));
  for (const line of nameless.filter(isDeduction).sort(byPayout)) {
    const due = deductions.filter(({ entry, day }) => {
      return entry.currency === line.currency && (line.settledOn === null || day <= line.settledOn) && !index.isSettled(entry);
    });
    const entriesDue = due.map(({ entry }) => entry);
    // Awaited ones first: the others may have been deducted before settlements were read.
    const awaited = entriesDue.filter(({ expectedOn }) => expectedOn !== null);
    const covered = coverDeduction(line.amount, awaited) ?? coverDeduction(line.amount, entriesDue);
    if (covered !== null) link(line, 'AMOUNT_AND_TIME', ...covered);
  }
  return links;
}

/**
 * Fees that come with a chargeback or a refund, and the kinds of entries that they are of: under its names on the day of its payout, on which
 * no payment has them. What is charged for a chargeback is for the dispute, and what is given back with a refund is of the refund.
 */
function feesOfDeductions(lines: readonly MatchLine[]): ReadonlyMap<string, readonly EntryKind[]> {
  const nameOf = ({ reference, transactionId, settledOn }: MatchLine) =>
    reference === null && transactionId === null ? null : JSON.stringify([reference, transactionId, settledOn]);
  const namesOf = (kind: MatchLine['kind']) => new Set(lines.filter((line) => line.kind === kind).map(nameOf));
  const [chargebacks, refunds, payments] = [namesOf('CHARGEBACK'), namesOf('REFUND'), namesOf('PAYMENT')];
  const kinds = lines.flatMap((line): (readonly [string, readonly EntryKind[]])[] => {
    const name = line.kind === 'FEE' ? nameOf(line) : null;
    if (name === null || payments.has(name)) return [];
    if (chargebacks.has(name)) return [[line.lineId, ['dispute']]];
    return refunds.has(name) && compareDecimals(line.amount, '0') > 0 ? [[line.lineId, ENTRY_KINDS.REFUND]] : [];
  });
  return new Map(kinds);
}

function byIdentity(a: MatchLine, b: MatchLine): number {
  return a.lineId < b.lineId ? -1 : 1;
}

function byPayout(a: MatchLine, b: MatchLine): number {
  const [first, second] = [a.settledOn ?? '', b.settledOn ?? ''];
  if (first !== second) return first < second ? -1 : 1;
  return byIdentity(a, b);
}

function isDeduction({ kind, amount }: MatchLine): boolean {
  return kind !== 'PAYMENT' && kind !== 'FEE' && compareDecimals(amount, '0') < 0;
}

function isDueDeduction(entry: LedgerEntry): boolean {
  return !isReceipt(entry) && entry.stance === 'due';
}

/** Lines of payments with the payments of exactly their amount, as near in time as they can be. */
function pairByTime(
  lines: readonly MatchLine[],
  entries: readonly LedgerEntry[],
  toleranceMinutes: number,
): [MatchLine, LedgerEntry][] {
  const timed = lines.flatMap((line) =>
    line.kind === 'PAYMENT' && line.occurredAt !== null ? [{ line, time: line.occurredAt.getTime() }] : [],
  );
  if (timed.length === 0) return [];
  const moneyOf = (money: { readonly amount: string; readonly currency: string }) =>
    `${money.currency} ${addDecimals(money.amount)}`;
  const byMoney = Map.groupBy(entries, moneyOf);
  return [...Map.groupBy(timed, ({ line }) => moneyOf(line))].flatMap(([money, some]) => {
    const candidates = (byMoney.get(money) ?? []).map((entry) => ({ entry, time: entry.occurredAt.getTime() }));
    const pairs = assignByTime(some, candidates, toleranceMinutes * MINUTE_MS);
    return pairs.map(([{ line }, { entry }]): [MatchLine, LedgerEntry] => [line, entry]);
  });
}

/** The kinds of entries that a kind of line can be of. */
const ENTRY_KINDS: Readonly<Record<MatchLine['kind'], readonly EntryKind[]>> = {
  PAYMENT: ['payment', 'duplicate'],
  FEE: ['payment', 'duplicate'],
  REFUND: ['refund', 'reversal'],
  CHARGEBACK: ['dispute', 'reversal'],
  ADJUSTMENT: ['payment', 'duplicate', 'refund', 'reversal', 'dispute'],
  OTHER: ['payment', 'duplicate', 'refund', 'reversal', 'dispute'],
  RESIDUE: [],
};

/** Entries by what lines name them by, and how much of each is settled. */
class EntryIndex {
  private readonly bySubject: ReadonlyMap<string, LedgerEntry>;
  private readonly byReference: ReadonlyMap<string, readonly LedgerEntry[]>;
  private readonly byTransaction: ReadonlyMap<string, readonly LedgerEntry[]>;
  /** Settled of each entry without fees, by its subject. */
  private readonly settled = new Map<string, string>();

  constructor(entries: readonly LedgerEntry[], lines: readonly MatchLine[]) {
    const sorted = [...new Map(entries.map((entry) => [entry.subject, entry])).values()].sort(byTime);
    this.bySubject = new Map(sorted.map((entry) => [entry.subject, entry]));
    this.byReference = groupByNames(sorted, ({ references }) => references);
    this.byTransaction = groupByNames(sorted, ({ transactionIds }) => transactionIds);
    for (const line of lines)
      this.settle(
        line,
        line.subjects.flatMap((subject) => this.bySubject.get(subject) ?? []),
      );
  }

  settle(line: Pick<MatchLine, 'amount' | 'kind' | 'subjects'>, entries: readonly LedgerEntry[]): void {
    if (line.kind === 'FEE') return;
    const isGroup = entries.length > 1 || line.subjects.length > 1;
    for (const entry of entries) {
      const amount = isGroup ? entry.amount : line.amount;
      this.settled.set(entry.subject, addDecimals(this.settled.get(entry.subject) ?? '0', amount));
    }
  }

  isSettled({ subject }: LedgerEntry): boolean {
    return this.settled.has(subject);
  }

  /** Entries of which nothing is settled, oldest first. */
  unsettled(wanted: (entry: LedgerEntry) => boolean): readonly LedgerEntry[] {
    return [...this.bySubject.values()].filter((entry) => !this.isSettled(entry) && wanted(entry));
  }

  /** The entry that a line names; null when it names none that is known. */
  named(
    line: MatchLine,
    kinds: readonly EntryKind[],
  ): { readonly entry: LedgerEntry; readonly by: 'REFERENCE' | 'TRANSACTION' } | null {
    const byReference = line.reference === null ? null : this.choose(line, kinds, this.byReference.get(line.reference));
    if (byReference !== null) return { entry: byReference, by: 'REFERENCE' };
    const byTransaction =
      line.transactionId === null ? null : this.choose(line, kinds, this.byTransaction.get(line.transactionId));
    return byTransaction === null ? null : { entry: byTransaction, by: 'TRANSACTION' };
  }

  /**
   * The entry for a line among several under one name: that of the transaction, else the one of which this amount is left, else one with
   * nothing settled.
   */
  private choose(line: MatchLine, kinds: readonly EntryKind[], named: readonly LedgerEntry[] = []): LedgerEntry | null {
    const fitting = named.filter(({ kind, currency }) => kinds.includes(kind) && currency === line.currency);
    if (fitting.length < 2) return fitting[0] ?? null;
    const isOfTransaction = ({ transactionIds }: LedgerEntry) =>
      line.transactionId !== null && transactionIds.includes(line.transactionId);
    const candidates = fitting.some(isOfTransaction) ? fitting.filter(isOfTransaction) : fitting;
    const exact = line.kind === 'FEE' ? undefined : candidates.find((entry) => sameDecimal(this.leftOf(entry), line.amount));
    return exact ?? candidates.find((entry) => !this.isSettled(entry)) ?? candidates[0] ?? null;
  }

  private leftOf({ subject, amount }: LedgerEntry): string {
    return subtractDecimals(amount, this.settled.get(subject) ?? '0');
  }
}

function byTime(a: LedgerEntry, b: LedgerEntry): number {
  return a.occurredAt.getTime() - b.occurredAt.getTime() || (a.subject < b.subject ? -1 : 1);
}

function groupByNames(
  entries: readonly LedgerEntry[],
  namesOf: (entry: LedgerEntry) => readonly string[],
): Map<string, LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    for (const name of new Set(namesOf(entry))) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [entry]);
      else group.push(entry);
    }
  }
  return groups;
}

/**
 * The earliest consecutive deductions that add up to an amount exactly; null when none do. Gateways deduct what was refunded since the
 * payout before in one amount, so that they are next to each other.
 *
 * @param deductions oldest first, each negative, none of them settled
 */
function coverDeduction(amount: string, deductions: readonly LedgerEntry[]): readonly LedgerEntry[] | null {
  let from = 0;
  let sum = '0';
  for (const [at, entry] of deductions.entries()) {
    sum = addDecimals(sum, entry.amount);
    while (from < at && compareDecimals(sum, amount) < 0) {
      sum = subtractDecimals(sum, deductions[from]?.amount ?? '0');
      from += 1;
    }
    if (sameDecimal(sum, amount)) return deductions.slice(from, at + 1);
  }
  return null;
}

/** A point in time that is to be paired. */
interface Timed {
  readonly time: number;
}

/** Beyond so many pairs to compare, the earliest goes to the earliest. */
const PAIRS_MAX = 20_000_000;

/**
 * Pairs lines with entries that are no further than `reach` apart, each once: as many as any pairing could, and of those the one with the
 * least time between them. An optimal pairing keeps the order of time, so that each line is compared with the entries in its reach alone.
 */
export function assignByTime<Line extends Timed, Entry extends Timed>(
  lines: readonly Line[],
  entries: readonly Entry[],
  reach: number,
): [Line, Entry][] {
  const sortedLines = [...lines].sort((a, b) => a.time - b.time);
  const sortedEntries = [...entries].sort((a, b) => a.time - b.time);
  const bands = bandsOf(sortedLines, sortedEntries, reach);
  const pairs = bands.reduce((sum, { from, to }) => sum + to - from, 0);
  return pairs > PAIRS_MAX ? assignInOrder(sortedLines, sortedEntries, bands) : assignBest(sortedLines, sortedEntries, bands);
}

/** The entries in reach of one line: `[from, to)`. Both bounds increase from line to line. */
interface Band {
  readonly from: number;
  readonly to: number;
}

function bandsOf(lines: readonly Timed[], entries: readonly Timed[], reach: number): Band[] {
  let from = 0;
  let to = 0;
  return lines.map(({ time }) => {
    while (from < entries.length && timeOf(entries, from) < time - reach) from += 1;
    to = Math.max(to, from);
    while (to < entries.length && timeOf(entries, to) <= time + reach) to += 1;
    return { from, to };
  });
}

function assignInOrder<Line extends Timed, Entry extends Timed>(
  lines: readonly Line[],
  entries: readonly Entry[],
  bands: readonly Band[],
): [Line, Entry][] {
  let next = 0;
  return bands.flatMap(({ from, to }, at): [Line, Entry][] => {
    next = Math.max(next, from);
    const [line, entry] = [lines[at], entries[next]];
    if (next >= to || line === undefined || entry === undefined) return [];
    next += 1;
    return [[line, entry]];
  });
}

/** The best pairing of the lines so far with the entries before each end of a band. */
interface Row {
  readonly from: number;
  /** Pairs and the time between them, by the number of entries from `from` on. */
  readonly counts: Int32Array;
  readonly costs: Float64Array;
  /** 1 where the line takes the last of these entries. */
  readonly takes: Uint8Array;
}

function assignBest<Line extends Timed, Entry extends Timed>(
  lines: readonly Line[],
  entries: readonly Entry[],
  bands: readonly Band[],
): [Line, Entry][] {
  const rows: Row[] = [];
  for (const [at, { from, to }] of bands.entries()) {
    const before = rows.at(-1);
    const row = {
      from,
      counts: new Int32Array(to - from + 1),
      costs: new Float64Array(to - from + 1),
      takes: new Uint8Array(to - from + 1),
    };
    [row.counts[0], row.costs[0]] = bestBefore(before, from);
    for (let end = from + 1; end <= to; end += 1) {
      const cell = end - from;
      const [skipsLine, taking] = [bestBefore(before, end), bestBefore(before, end - 1)];
      let best = [row.counts[cell - 1] ?? 0, row.costs[cell - 1] ?? 0] as const;
      if (isBetter(skipsLine, best)) best = skipsLine;
      const taken = [taking[0] + 1, taking[1] + Math.abs(timeOf(lines, at) - timeOf(entries, end - 1))] as const;
      if (isBetter(taken, best)) {
        best = taken;
        row.takes[cell] = 1;
      }
      [row.counts[cell], row.costs[cell]] = best;
    }
    rows.push(row);
  }
  return trace(lines, entries, rows);
}

/** Walks back through the rows; where a cell takes nothing, the pairing is that of one entry less or of one line less. */
function trace<Line, Entry>(lines: readonly Line[], entries: readonly Entry[], rows: readonly Row[]): [Line, Entry][] {
  const pairs: [Line, Entry][] = [];
  let end = entries.length;
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at];
    if (row === undefined) break;
    let cell = Math.min(end - row.from, row.counts.length - 1);
    while (cell > 0 && row.takes[cell] === 0 && isSame(row, cell, cell - 1)) cell -= 1;
    if (cell <= 0) continue;
    end = row.from + cell;
    const [line, entry] = [lines[at], entries[end - 1]];
    if (row.takes[cell] === 0 || line === undefined || entry === undefined) continue;
    pairs.push([line, entry]);
    end -= 1;
  }
  return pairs.reverse();
}

function isSame({ counts, costs }: Row, a: number, b: number): boolean {
  return counts[a] === counts[b] && costs[a] === costs[b];
}

function bestBefore(row: Row | undefined, end: number): readonly [number, number] {
  if (row === undefined) return [0, 0];
  const cell = Math.min(end - row.from, row.counts.length - 1);
  return [row.counts[cell] ?? 0, row.costs[cell] ?? 0];
}

function isBetter(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] > b[0] || (a[0] === b[0] && a[1] < b[1]);
}

function timeOf(points: readonly Timed[], at: number): number {
  return points[at]?.time ?? Number.POSITIVE_INFINITY;
}
