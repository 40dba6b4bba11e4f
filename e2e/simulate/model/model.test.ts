import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Seconds after which no further worlds begin. */
const SECONDS = '26';
const LIMIT_MS = 300_000;
const program = fileURLToPath(new URL('main.ts', import.meta.url));

test('new worlds of the model break no invariant, and the same seed does the same twice', { timeout: LIMIT_MS }, async () => {
  // Worlds run on the project's own Node, with types and modules as they are when it is started by hand.
  const options = ['--jobs', '1', '--seconds', SECONDS, '--twice'];
  const { output, code } = await new Promise<{ output: string; code: number | string | null | undefined }>((resolve) => {
    execFile(process.execPath, [program, ...options], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error === null ? 0 : error.code }),
    );
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/^seeds from \d+: [1-9]\d* payments in \d+ worlds, no violation$/m);
});
