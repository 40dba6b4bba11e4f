import type { Bench } from './environment.ts';
import { SEEDED } from './environment.ts';
import { type Measuring, measureOperation } from './measure.ts';
import { seedPayments } from './seed-payments.ts';
import type { Summary } from './summary.ts';

/** Cost of operations on a table of so many payments. */
export interface Grown {
  readonly payments: number;
  readonly operations: Readonly<Record<string, Summary>>;
}

const OPERATIONS = ['initiate', 'get', 'verify'] as const;
const LEVELS = [100_000, 1_000_000, 10_000_000];
const A_YEAR_S = 365 * 86_400;
const AN_HOUR_S = 3_600;

/** The sizes of table that are measured, the smallest first: at most this many payments. */
export function growthLevels(max: number): number[] {
  return [...LEVELS.filter((level) => level < max), ...(max > SEEDED ? [max] : [])];
}

/** Loads payments of the past year of the merchant until there are so many. The floor stays as it is: what both are measured by. */
export async function growTo(bench: Bench, payments: number, before: number): Promise<void> {
  const { merchantId } = bench.merchant;
  const year = { label: `growth-${payments}`, ageSeconds: [A_YEAR_S, AN_HOUR_S], status: 'SUCCESS', dueAt: null } as const;
  const { templateId } = bench;
  await seedPayments(bench.pool, { schema: 'public', merchantId, templateId, count: payments - before, ...year });
}

/** Measures initiate, get and verify at the present size. */
export async function measureGrown(
  bench: Bench,
  payments: number,
  measuring: Measuring,
  tell: (line: string) => void,
): Promise<Grown> {
  const operations: Record<string, Summary> = {};
  for (const operation of OPERATIONS) operations[operation] = await measureOperation(bench, operation, measuring, tell);
  return { payments, operations };
}
