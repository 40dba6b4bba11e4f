/** How many rows a statement reads or writes. */
export const BATCH = 1_000;

/** A list in parts of {@link BATCH}. */
export function batches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH));
}
