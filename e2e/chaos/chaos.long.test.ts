import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildTimeline } from '../world/checker/violation.ts';
import { FAULT_KINDS, planChaos } from './plan.ts';
import { runChaos } from './run-chaos.ts';

/** Against worlds that stand still: two to three minutes where nothing else runs, and several times as long where much does. */
const LIMIT_MS = 900_000;
/** Every kind of fault in a quarter of a minute; `npm run chaos` plays thousands of payments. */
const SIZE = { payments: 90, rate: 5.5 };

/** `CHAOS_SEED=… npm test -- unit e2e/chaos` plays the same plan again. */
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

test(`whatever fails, money, answers and events agree in the end (CHAOS_SEED=${seed})`, { timeout: LIMIT_MS }, async () => {
  const lines: string[] = [];
  const report = await runChaos(planChaos(seed, SIZE), (line) => lines.push(line));
  const { counts, violations } = report;
  console.log(JSON.stringify(counts));
  const payments = violations.slice(0, 10).map(buildTimeline);
  expect(payments, `CHAOS_SEED=${seed}\n${lines.join('\n')}`).toEqual([]);
  expect(report.payments).toBe(SIZE.payments);
  expect(FAULT_KINDS.filter((kind) => counts['faults by kind'][kind] === undefined)).toEqual([]);
  expect(counts.money['paid checkouts']).toBeGreaterThan(SIZE.payments / 3);
  rmSync(report.folder, { recursive: true, force: true });
});
