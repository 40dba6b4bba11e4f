import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@switchyard/db';
import { rebuildRollups } from '@switchyard/reporting/rollups';
import { openResources } from '@switchyard/runtime/resources';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { startChild } from './child.ts';
import type { Bench } from './environment.ts';
import { reportsCountSchema } from './report-clients/plan.ts';
import { median } from './summary.ts';

/** How long initiate took beside reports, and alone. */
export interface BesideReports {
  /** In the tables that are reported on. */
  readonly payments: number;
  readonly initiatesPerSecond: number;
  /** Milliseconds, from the moment each request was due: medians over the pairs of rounds. */
  readonly alone: Latency;
  readonly beside: Latency;
  /** Beside {@link COPIES} processes of the lowest priority that only copy memory: what a busy machine costs without any report. */
  readonly besideCopies: Latency;
  /** Reports answered, and rows exported, in a second. */
  readonly reportsPerSecond: number;
  readonly rowsPerSecond: number;
}

interface Latency {
  readonly p50: number;
  readonly p95: number;
}

const RATE = 20;
const SECONDS = 20;
const PAIRS = 3;
const CONNECTIONS = 512;
const COPIES = 2;
/** Until the reports' processes are warm, and until the machine is quiet again. */
const SETTLE_MS = 3_000;
const DAY_MS = 86_400_000;

/** Measures initiate at 20 a second in turns with and without two clients that ask for reports without end, and an export. */
export async function measureBesideReports(bench: Bench, payments: number, tell: (line: string) => void): Promise<BesideReports> {
  const databaseUrl = bench.running.environment.DATABASE_URL ?? '';
  await rebuildRollups(databaseUrl);
  const { merchantId } = bench.merchant;
  const plan = { kind: 'begin', webUrl: bench.running.webUrl, token: await tokenForReports(bench), merchantId } as const;
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  const besideCopies: Latency[] = [];
  const done = { reports: 0, rows: 0, seconds: 0 };
  const clients = await startChild('./report-clients/main.ts');
  const count = async () => reportsCountSchema.parse(await clients.ask({ kind: 'count' }));
  try {
    await initiate(bench);
    for (let pair = 1; pair <= PAIRS; pair++) {
      const without = await initiate(bench);
      await clients.ask(plan);
      await pause(SETTLE_MS);
      const before = await count();
      const startedAt = performance.now();
      const withReports = await initiate(bench);
      done.seconds += (performance.now() - startedAt) / 1_000;
      const after = await count();
      done.reports += after.reports - before.reports;
      done.rows += after.rows - before.rows;
      await clients.ask({ kind: 'end' });
      await pause(SETTLE_MS);
      alone.push(without);
      beside.push(withReports);
      const withCopies = await besideMemoryCopies(() => initiate(bench));
      besideCopies.push(withCopies);
      await pause(SETTLE_MS);
      tell(
        `initiate at ${RATE}/s ${pair}/${PAIRS}: alone ${figures(without)}, beside reports ${figures(withReports)}, beside copies ${figures(withCopies)}`,
      );
    }
  } finally {
    await clients.close();
  }
  return {
    payments,
    initiatesPerSecond: RATE,
    alone: medians(alone),
    beside: medians(beside),
    besideCopies: medians(besideCopies),
    reportsPerSecond: done.reports / done.seconds,
    rowsPerSecond: done.rows / done.seconds,
  };
}

async function besideMemoryCopies<T>(measure: () => Promise<T>): Promise<T> {
  const copies = await Promise.all(Array.from({ length: COPIES }, () => startChild('./copy-memory.ts')));
  try {
    return await measure();
  } finally {
    for (const { pid } of copies) process.kill(pid);
  }
}

function figures({ p50, p95 }: Latency): string {
  return `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms`;
}

async function initiate(bench: Bench): Promise<Latency> {
  const pace = { kind: 'open', perSecond: RATE, connections: CONNECTIONS } as const;
  const { latency } = await bench.load({ operation: 'initiate', origins: [...bench.product.origins], pace, seconds: SECONDS });
  return { p50: latency.p50, p95: latency.p95 };
}

function medians(rounds: readonly Latency[]): Latency {
  return { p50: median(rounds.map(({ p50 }) => p50)), p95: median(rounds.map(({ p95 }) => p95)) };
}

async function tokenForReports(bench: Bench): Promise<string> {
  const { rows } = await bench.pool.query<{ staffId: string }>(
    `SELECT staff_id AS "staffId" FROM staff_grant WHERE role = 'owner' LIMIT 1`,
  );
  const resources = openResources(bench.running.environment, () => undefined);
  try {
    const issued = await issueToken(
      { resources, now: () => new Date(), newId },
      {
        name: 'Bench',
        scopes: ['reports'],
        merchantIds: [bench.merchant.merchantId],
        modes: ['test'],
        staffId: rows[0]?.staffId ?? '',
        expiresAt: new Date(Date.now() + DAY_MS),
      },
    );
    if (issued.kind !== 'issued') throw new Error(JSON.stringify(issued));
    return issued.token;
  } finally {
    await resources.close();
  }
}
