import { formatBound } from './money.ts';
import type { Rule } from './types.ts';

/** A band of amounts, inclusive at both ends; `to` null is open-ended. */
export type AmountBand = Rule['when']['amount'];

/**
 * The amount axis cut into disjoint segments. Segment `i` runs from `starts[i]` to just below `starts[i + 1]` (the last one
 * is open-ended), and `winners[i]` is the position of the first band that covers it, or -1.
 */
export interface BandTable {
  readonly starts: Float64Array;
  readonly winners: Int32Array;
}

/** A band and the place of its owner in the order of precedence; lower wins. */
export interface PlacedBand {
  readonly position: number;
  readonly band: AmountBand;
}

/** Upper end as a number: infinity where open-ended. */
export function upperBound(band: AmountBand): number {
  return band.to ?? Number.POSITIVE_INFINITY;
}

/**
 * Cuts the axis at every edge and gives each piece to the first band that covers it. `bands` must come in order of
 * precedence. Takes n log n: each piece is painted once, painted pieces are skipped by a disjoint-set walk.
 */
export function cutBands(bands: readonly PlacedBand[]): BandTable {
  const cuts = cutsOf(bands);
  const winners = new Int32Array(cuts.length).fill(-1);
  const nextFree = new Int32Array(cuts.length + 1).map((_, index) => index);
  for (const { band, position } of bands) {
    const end = band.to === null ? cuts.length : segmentAt(cuts, band.to + 1);
    for (let at = freeFrom(nextFree, segmentAt(cuts, band.from)); at < end; at = freeFrom(nextFree, at)) {
      winners[at] = position;
      nextFree[at] = at + 1;
    }
  }
  return mergeNeighbours(cuts, winners);
}

/** Position of the first band that covers the amount, or -1. Logarithmic in the number of segments. */
export function winnerAt(table: BandTable, amount: number): number {
  return table.winners[segmentAt(table.starts, amount)] ?? -1;
}

/**
 * Bands that may overlap, found by amount: a tree of intervals, each with the bands that cover it whole. Node 1 is the root, leaves begin
 * at `starts.length`; the positions of node `i`, in order of precedence, run from `offsets[i]` to just below `offsets[i + 1]`.
 */
export interface BandTree {
  readonly starts: Float64Array;
  readonly offsets: Int32Array;
  readonly positions: Int32Array;
}

/** Takes n log n of time and memory, however much the bands overlap. `bands` must come in order of precedence. */
export function buildBandTree(bands: readonly PlacedBand[]): BandTree {
  const starts = cutsOf(bands);
  const offsets = new Int32Array(starts.length * 2 + 1);
  forEachNode(bands, starts, (node) => {
    offsets[node + 1] = (offsets[node + 1] ?? 0) + 1;
  });
  for (let node = 1; node < offsets.length; node += 1) offsets[node] = (offsets[node] ?? 0) + (offsets[node - 1] ?? 0);
  const positions = new Int32Array(offsets.at(-1) ?? 0);
  const next = offsets.slice();
  forEachNode(bands, starts, (node, position) => {
    const at = next[node] ?? 0;
    positions[at] = position;
    next[node] = at + 1;
  });
  return { starts, offsets, positions };
}

/** Visits, band by band, the nodes whose intervals make the band up. */
function forEachNode(bands: readonly PlacedBand[], starts: Float64Array, visit: (node: number, position: number) => void): void {
  const leaves = starts.length;
  for (const { band, position } of bands) {
    let left = segmentAt(starts, band.from) + leaves;
    let right = (band.to === null ? leaves : segmentAt(starts, band.to + 1)) + leaves;
    while (left < right) {
      if (left % 2 === 1) visit(left++, position);
      if (right % 2 === 1) visit(--right, position);
      left >>>= 1;
      right >>>= 1;
    }
  }
}

/** The first position below `limit` whose band covers the amount and that `holds` accepts; `limit` where there is none. */
export function firstInTree(
  { starts, offsets, positions }: BandTree,
  amount: number,
  limit: number,
  holds: (position: number) => boolean,
): number {
  let first = limit;
  for (let node = segmentAt(starts, amount) + starts.length; node >= 1; node >>>= 1) {
    const end = offsets[node + 1] ?? 0;
    for (let at = offsets[node] ?? 0; at < end; at += 1) {
      const position = positions[at] ?? limit;
      if (position >= first) break;
      if (!holds(position)) continue;
      first = position;
      break;
    }
  }
  return first;
}

/** `0-5000`, or `20001-*` when open-ended. */
export function bandKey(band: AmountBand): string {
  return `${band.from}-${band.to ?? '*'}`;
}

/** `NGN 0 to NGN 5,000`, or `NGN 20,001 and more`. */
export function describeBand(currency: string, band: AmountBand): string {
  if (band.to === null) return `${formatBound(currency, band.from)} and more`;
  return `${formatBound(currency, band.from)} to ${formatBound(currency, band.to)}`;
}

/** `NGN 0 to NGN 5,000`, `NGN 20,001 and more`, or `exactly NGN 5,000`. Stored decisions have the words of {@link describeBand}. */
export function describeAmounts(currency: string, band: AmountBand): string {
  return band.from === band.to ? `exactly ${formatBound(currency, band.from)}` : describeBand(currency, band);
}

function cutsOf(bands: readonly PlacedBand[]): Float64Array {
  const edges = new Float64Array(bands.length * 2 + 1);
  bands.forEach(({ band }, index) => {
    edges[index * 2 + 1] = band.from;
    edges[index * 2 + 2] = band.to === null ? 0 : band.to + 1;
  });
  edges.sort();
  return edges.filter((edge, index) => index === 0 || edge !== edges[index - 1]);
}

/** Index of the last start that is not above the amount. */
function segmentAt(starts: Float64Array, amount: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= amount) low = middle;
    else high = middle - 1;
  }
  return low;
}

function freeFrom(nextFree: Int32Array, start: number): number {
  let at = start;
  for (let next = nextFree[at] ?? at; next !== at; next = nextFree[at] ?? at) {
    nextFree[at] = nextFree[next] ?? next;
    at = next;
  }
  return at;
}

function mergeNeighbours(cuts: Float64Array, winners: Int32Array): BandTable {
  const kept = (_: number, index: number): boolean => index === 0 || winners[index] !== winners[index - 1];
  return { starts: cuts.filter(kept), winners: winners.filter(kept) };
}
