import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { product } from './open-pure.ts';
import { runWorld } from './run-world.ts';

/** Seconds after which no further worlds begin. */
const SECONDS = '4';
const LIMIT_MS = 120_000;
const PAYMENTS = 100;
const program = fileURLToPath(new URL('main.ts', import.meta.url));

test('decisions break no invariant in new worlds', { timeout: LIMIT_MS }, async () => {
  const { output, code } = await new Promise<{ output: string; code: number | string | null | undefined }>((resolve) => {
    execFile(process.execPath, [program, '--jobs', '1', '--seconds', SECONDS], (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error === null ? 0 : error.code }),
    );
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/^seeds from \d+: [1-9]\d* payments in \d+ worlds, no violation$/m);
});

test('the same seed does the same twice', () => {
  expect(runWorld(product, 7, PAYMENTS)).toEqual(runWorld(product, 7, PAYMENTS));
});
