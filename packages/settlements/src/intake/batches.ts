/** How many rows a statement reads or writes of what many columns are sent for. */
export const BATCH = 1_000;
/** How many rows a statement reads, or writes a few columns of: a payout of 100,000 payments is tens of statements, not hundreds. */
export const LARGE_BATCH = 10_000;

/** A list in parts, of {@link BATCH} unless another size is given. */
export function batches<T>(all: readonly T[], size = BATCH): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
