/** The time since then, in seconds: `3.2 s`. */
export function seconds(sinceMs: number): string {
  const passed = (Date.now() - sinceMs) / 1_000;
  return `${passed < 100 ? passed.toFixed(1) : passed.toFixed(0)} s`;
}

/**
 * Does one step of a start and prints it: what is being done, then in its place what was done (from the result, or as given) and how
 * long it took. Only the former when it throws.
 */
export async function showStep<T>(doing: string, done: string | ((result: T) => string), act: () => Promise<T>): Promise<T> {
  const began = Date.now();
  const { stdout } = process;
  stdout.write(`  … ${doing}${stdout.isTTY ? '' : '\n'}`);
  try {
    const result = await act();
    const label = typeof done === 'string' ? done : done(result);
    stdout.write(`${stdout.isTTY ? '\r\x1b[2K' : ''}  ✓ ${label.padEnd(46)} ${seconds(began).padStart(8)}\n`);
    return result;
  } catch (error) {
    if (stdout.isTTY) stdout.write('\n');
    throw error;
  }
}
