import type { Round } from './round.ts';

/** One round of each side, one right after the other. */
export interface Pair {
  readonly product: Round;
  readonly floor: Round;
}

/** The median of all pairs, for one side. */
export interface Side extends Omit<Round, 'postgres' | 'settled'> {
  readonly postgres: Omit<Round['postgres'], 'longest'>;
  /** The longest statement of the last round. */
  readonly longest: Round['postgres']['longest'];
}

export interface Summary {
  readonly product: Side;
  readonly floor: Side;
  /** Median over pairs of the product's throughput ÷ the floor's. */
  readonly ratio: number;
  /** Median over pairs of the product's CPU of all servers ÷ the floor's; null where it cannot be read. */
  readonly cpuRatio: number | null;
}

/** Client and gateway of the benchmark, which belong to neither side. */
const NOT_SERVING = new Set(['generator', 'gateway']);

export function summarise(pairs: readonly Pair[]): Summary {
  const cpuRatios = pairs.map(({ product, floor }) => {
    const [ours, theirs] = [servingCpuUs(product.cpuUs), servingCpuUs(floor.cpuUs)];
    return ours === null || theirs === null ? null : ours / theirs;
  });
  return {
    product: sideOf(pairs.map(({ product }) => product)),
    floor: sideOf(pairs.map(({ floor }) => floor)),
    ratio: median(pairs.map(({ product, floor }) => product.perSecond / floor.perSecond)),
    cpuRatio: medianOrNull(cpuRatios),
  };
}

/** CPU of everything that serves an operation, in microseconds; null where it cannot be read. */
export function servingCpuUs(cpuUs: Round['cpuUs']): number | null {
  const serving = Object.entries(cpuUs).filter(([name]) => !NOT_SERVING.has(name));
  return serving.reduce((sum: number | null, [, us]) => (sum === null || us === null ? null : sum + us), 0);
}

function sideOf(rounds: readonly Round[]): Side {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const orNull = (value: (round: Round) => number | null | undefined) =>
    medianOrNull(rounds.map((round) => value(round) ?? null));
  const names = Object.keys(rounds[0]?.cpuUs ?? {});
  const p50 = orNull(({ latency }) => latency?.p50);
  return {
    operations: of(({ operations }) => operations),
    perSecond: of(({ perSecond }) => perSecond),
    latency:
      p50 === null
        ? null
        : { p50, p99: orNull(({ latency }) => latency?.p99) ?? 0, max: orNull(({ latency }) => latency?.max) ?? 0 },
    answerBytes: orNull(({ answerBytes }) => answerBytes),
    cpuUs: Object.fromEntries(names.map((name) => [name, orNull(({ cpuUs }) => cpuUs[name])])),
    postgres: {
      walBytes: of(({ postgres }) => postgres.walBytes),
      walPageBytes: orNull(({ postgres }) => postgres.walPageBytes),
      commits: of(({ postgres }) => postgres.commits),
      statements: of(({ postgres }) => postgres.statements),
    },
    longest: rounds.at(-1)?.postgres.longest ?? [],
  };
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? median(known) : null;
}
