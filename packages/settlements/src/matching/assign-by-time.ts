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
