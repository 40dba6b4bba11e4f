import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Seconds after which no further world begins. The first is run twice. */
const SECONDS = '60';
const LIMIT_MS = 420_000;
const program = fileURLToPath(new URL('main.ts', import.meta.url));

test('new worlds break no guarantee, and the same seed does the same twice', { timeout: LIMIT_MS }, async () => {
  // Worlds run on the project's own Node, with types and modules as they are when it is started by hand.
  const options = ['--jobs', '1', '--each', '40', '--payments', '100000', '--seconds', SECONDS, '--twice', '1'];
  const { output, code } = await new Promise<{ output: string; code: number | string | null | undefined }>((resolve) => {
    execFile(process.execPath, [program, ...options], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error === null ? 0 : error.code }),
    );
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/^seeds \d+ to \d+: [1-9]\d* payments in \d+ worlds, no violation$/m);
});
