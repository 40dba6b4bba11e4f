import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildTimeline } from './checker/violation.ts';
import { FAULT_KINDS } from './plan/faults.ts';
import { makePlan } from './plan/plan.ts';
import { runChaos } from './run.ts';

const LIMIT_MS = 400_000;
const SIZE = { payments: 240, rounds: 2, roundMs: 9_000 };

/** `CHAOS_SEED=… npm test -- unit e2e/chaos` plays the same plan again. */
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

test(`whatever fails, money, answers and events agree in the end (CHAOS_SEED=${seed})`, { timeout: LIMIT_MS }, async () => {
  const lines: string[] = [];
  const report = await runChaos(makePlan(seed, SIZE), { limitMs: LIMIT_MS, log: (line) => lines.push(line) });
  const { counts, violations } = report;
  console.log([...lines, JSON.stringify(counts)].join('\n'));
  const payments = violations.slice(0, 10).map(buildTimeline);
  expect(payments, `CHAOS_SEED=${seed}\n${lines.join('\n')}`).toEqual([]);
  expect(report.payments).toBe(SIZE.payments);
  expect(FAULT_KINDS.filter((kind) => counts['faults by kind'][kind] === undefined)).toEqual([]);
  expect(counts.money['paid checkouts']).toBeGreaterThan(SIZE.payments / 3);
  rmSync(report.folder, { recursive: true, force: true });
});
