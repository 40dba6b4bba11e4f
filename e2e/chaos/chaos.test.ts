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
  const { byEnd, restarts, deaths, deliveries, duplicateCharges, violations } = report;
  const did = { byEnd, restarts, deaths, deliveries, duplicateCharges, violations: violations.length };
  console.log([...lines, JSON.stringify(did)].join('\n'));
  const payments = violations.slice(0, 10).map(buildTimeline);
  expect(payments, `CHAOS_SEED=${seed}\n${lines.join('\n')}`).toEqual([]);
  expect(report.payments).toBe(SIZE.payments);
  expect(FAULT_KINDS.filter((kind) => report.byFault[kind] === undefined)).toEqual([]);
  expect(report.paidCheckouts).toBeGreaterThan(SIZE.payments / 3);
  rmSync(report.folder, { recursive: true, force: true });
});
