const PATIENCE_MS = 30_000;
const INTERVAL_MS = 20;

/** Looks again and again until there is something to see; throws after half a minute without. */
export async function eventually<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1_000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
