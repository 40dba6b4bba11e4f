/** The time since then, in seconds: `3.2 s`. */
export function seconds(sinceMs: number): string {
  const passed = (Date.now() - sinceMs) / 1_000;
  return `${passed < 100 ? passed.toFixed(1) : passed.toFixed(0)} s`;
}

/** Steps under way, in the order of their beginnings. */
const running = new Set<string>();

/**
 * Does one step of a start and prints it: what is being done, then in its place what was done (from the result, or as given) and how
 * long it took. Only the former when it throws. Steps may overlap; a terminal shows those that run in one line.
 */
export async function showStep<T>(doing: string, done: string | ((result: T) => string), act: () => Promise<T>): Promise<T> {
  const began = Date.now();
  running.add(doing);
  if (process.stdout.isTTY) print('');
  else print(`  … ${doing}\n`);
  try {
    const result = await act();
    running.delete(doing);
    const label = typeof done === 'string' ? done : done(result);
    print(`  ✓ ${label.padEnd(46)} ${seconds(began).padStart(8)}\n`);
    return result;
  } catch (error) {
    running.delete(doing);
    if (process.stdout.isTTY) print(`  … ${doing}\n`);
    throw error;
  }
}

/** Prints lines; on a terminal above the one of the running steps, which is drawn again. */
export function print(lines: string): void {
  const { stdout } = process;
  if (!stdout.isTTY) stdout.write(lines);
  else stdout.write(`\r\x1b[2K${lines}${running.size > 0 ? `  … ${[...running].join(', ')}` : ''}`);
}
