import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MUTATIONS } from '../mutations/list.ts';
import { explainWorld } from './explain.ts';
import { openProduct } from './open-pure.ts';
import { runWorld } from './run-world.ts';

/** Seconds after which no further worlds begin. */
const SECONDS = '4';
const LIMIT_MS = 120_000;
const SEEDS_MAX = 200;
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

describe('a bug is found, and explained in forty lines', { timeout: LIMIT_MS }, () => {
  test.each([
    ['the amount received is not compared', 'paid_without_money'],
    ['a lost answer to a refund is a failed refund', 'refund_differs'],
    ['a drained account gets payments', 'decision_differs'],
    ['exactly the share of faults that is down is not', 'health_differs'],
    ['holidays are days of grace', 'settlement_differs'],
  ] as const)('%s', async (name, kind) => {
    const mutation = MUTATIONS.find((one) => one.name === name);
    if (mutation === undefined) throw new Error(`there is no bug ${name}`);
    const product = await openProduct([mutation]);
    let seed = 1;
    while (seed <= SEEDS_MAX && runWorld(product, seed, PAYMENTS).found[0]?.kind !== kind) seed += 1;
    const report = explainWorld(product, seed, PAYMENTS);
    expect(report.length).toBeLessThanOrEqual(40);
    expect(report[0]).toContain(`seed ${seed} breaks`);
    expect(report[1]).toMatch(/^[A-Z].+\.$/);
    expect(report[2]).toContain(`${kind}: `);
    expect(report.at(-1)).toBe(`again: npm run simulate:pure -- --seed ${seed} --payments ${PAYMENTS} --each ${PAYMENTS}`);
  });
});

test('the same seed does the same twice', async () => {
  const product = await openProduct();
  expect(runWorld(product, 7, PAYMENTS)).toEqual(runWorld(product, 7, PAYMENTS));
});
