import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import type { LoadResult } from '../payments/load/plan.ts';
import { readCpu } from '../payments/processes.ts';
import { untilQuiet } from '../payments/round.ts';
import type { Server, Side } from './side.ts';

/** Work of a side's processes and servers. */
export interface Work {
  /** CPU time by process, in microseconds; null for one that cannot be read. */
  readonly cpuUs: Readonly<Record<string, number | null>>;
  /** Statements that the product's processes sent. */
  readonly statements: number;
  /** Of them, those that Citus sent on whole to one node, and those that it took apart; both 0 on PostgreSQL alone. */
  readonly router: number;
  readonly adaptive: number;
  /** Statements that nodes got. */
  readonly onNodes: number;
  /** Transactions that nodes prepared, to commit them in two phases. */
  readonly prepared: number;
  /** Bytes of write-ahead log of all servers. */
  readonly walBytes: number;
  /** Bytes by which the databases of all servers grew: tables and indexes with the room that their pages keep free. */
  readonly diskBytes: number;
}

/** One round of a side. Its work is that of an initiate, beyond what is done without any. */
export interface ClusterRound extends Work {
  readonly perSecond: number;
  /** Initiates that were not answered with 200. Few, or the round measures something else. */
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}

interface Counts {
  readonly statements: number;
  readonly prepared: number;
  readonly walBytes: number;
  readonly diskBytes: number;
}

const countsSchema = z.object({
  statements: z.coerce.number(),
  prepared: z.coerce.number(),
  wal: z.coerce.number(),
  disk: z.coerce.number(),
});

/** Statements of the bench itself are few, and are those about statistics. */
const COUNTS = `
SELECT (SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE toplevel
    AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())) AS statements,
  (SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query LIKE 'PREPARE TRANSACTION%') AS prepared,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal, pg_database_size(current_database()) AS disk`;

const EXECUTORS = `
SELECT coalesce(sum(calls) FILTER (WHERE partition_key IS NOT NULL), 0)::int AS router,
  coalesce(sum(calls) FILTER (WHERE partition_key IS NULL), 0)::int AS adaptive FROM citus_stat_statements`;

/** After merchants were made, or another side was measured. */
const SETTLE_MS = 4_000;

/** The work of a second without initiates. */
export async function measureIdleWork(side: Side, seconds: number): Promise<Work> {
  await pause(SETTLE_MS);
  const before = await readAll(side);
  await pause(seconds * 1_000);
  const after = await readAll(side);
  return eachOf((after.at - before.at) / 1_000, before, after, null);
}

/** Measures one round of load from a quiet moment to the next, so that everything it sets off is counted. */
export async function measureClusterRound(side: Side, idle: Work, load: () => Promise<LoadResult>): Promise<ClusterRound> {
  const always = Object.values(idle.cpuUs).reduce((sum: number, us) => sum + (us ?? 0), 0) / 1_000_000;
  await untilQuiet(side.processes, always);
  const before = await readAll(side);
  const { answered, failures, seconds, latency } = await load();
  await untilQuiet(side.processes, always);
  const after = await readAll(side);
  if (answered === 0) throw new Error('nothing was done in this round');
  return {
    ...eachOf(answered, before, after, idle),
    perSecond: answered / seconds,
    failed: Object.values(failures).reduce((total, count) => total + count, 0),
    p50: latency.p50,
    p99: latency.p99,
  };
}

type Reading = Awaited<ReturnType<typeof readAll>>;

/** The work between two readings, without that of an idle side, divided. */
function eachOf(count: number, before: Reading, after: Reading, idle: Work | null): Work {
  const seconds = (after.at - before.at) / 1_000;
  const each = (from: number, to: number, idlePerSecond: number): number => (to - from - idlePerSecond * seconds) / count;
  const cpuUs = Object.fromEntries(
    Object.entries(after.cpu).map(([name, us]) => {
      const earlier = before.cpu[name] ?? null;
      return [name, us === null || earlier === null ? null : each(earlier, us, idle?.cpuUs[name] ?? 0)];
    }),
  );
  const sum = ({ nodes }: Reading, of: keyof Counts): number => nodes.reduce((total, one) => total + one[of], 0);
  const ofAll = (reading: Reading, of: keyof Counts): number => reading.first[of] + sum(reading, of);
  return {
    cpuUs,
    statements: each(before.first.statements, after.first.statements, idle?.statements ?? 0),
    router: each(before.executors.router, after.executors.router, idle?.router ?? 0),
    adaptive: each(before.executors.adaptive, after.executors.adaptive, idle?.adaptive ?? 0),
    onNodes: each(sum(before, 'statements'), sum(after, 'statements'), idle?.onNodes ?? 0),
    prepared: each(sum(before, 'prepared'), sum(after, 'prepared'), idle?.prepared ?? 0),
    walBytes: each(ofAll(before, 'walBytes'), ofAll(after, 'walBytes'), idle?.walBytes ?? 0),
    diskBytes: each(ofAll(before, 'diskBytes'), ofAll(after, 'diskBytes'), idle?.diskBytes ?? 0),
  };
}

async function readAll({ servers: [first, ...nodes], processes }: Side) {
  return {
    at: performance.now(),
    cpu: readCpu(processes),
    first: await readCounts(first),
    nodes: await Promise.all(nodes.map(readCounts)),
    executors: nodes.length === 0 ? { router: 0, adaptive: 0 } : await readExecutors(first.pool),
  };
}

async function readCounts({ pool }: Server): Promise<Counts> {
  const { rows } = await pool.query(COUNTS);
  const { statements, prepared, wal, disk } = countsSchema.parse(rows[0]);
  return { statements, prepared, walBytes: wal, diskBytes: disk };
}

async function readExecutors(pool: pg.Pool): Promise<{ readonly router: number; readonly adaptive: number }> {
  const { rows } = await pool.query(EXECUTORS);
  return z.object({ router: z.int(), adaptive: z.int() }).parse(rows[0]);
}
