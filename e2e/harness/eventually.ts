/** Against suites that hang: starting a process may take a busy machine a minute. */
const TIMEOUT_MS = 120_000;
const INTERVAL_MS = 20;

/** Polls until there is a value; throws after two minutes without. */
export async function eventually<T>(what: string, read: () => Promise<T | null | undefined>): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (value !== null && value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`waited ${TIMEOUT_MS / 1_000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
