import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster } from '@switchyard/e2e/cluster';
import { makeProductFolder, type Product } from '@switchyard/e2e/product';
import pg from 'pg';
import { startWebWith } from '../payments/cold-start.ts';
import { findPostmaster, loadStatementStatistics, startBenchProduct } from '../payments/environment.ts';
import { type MeasuredProcesses, nameProcesses } from '../payments/processes.ts';

/** A database server of a side, with its statistics of statements on. */
export interface Server {
  readonly name: string;
  readonly pool: pg.Pool;
}

/** The product on one kind of database. */
export interface Side {
  readonly name: 'PostgreSQL' | 'Citus' | 'Citus, by a node';
  readonly product: Product;
  /** Of the web process that is measured. */
  readonly origin: string;
  /** The product's is the first. */
  readonly servers: readonly [Server, ...Server[]];
  readonly processes: MeasuredProcesses;
  close(): Promise<void>;
}

/** As many as Citus makes by default. */
const SHARDS = 32;
/** A commit is as durable here as on the other side. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
const STATISTICS = {
  shared_preload_libraries: 'citus,pg_stat_statements',
  'pg_stat_statements.max': '20000',
  'citus.stat_statements_track': 'all',
};

/** Starts the product on its embedded PostgreSQL. */
export async function startPlain(): Promise<Side> {
  const folder = makeProductFolder();
  await loadStatementStatistics(await startBenchProduct({ folder }));
  const product = await startBenchProduct({ folder });
  const server = await openServer('PostgreSQL', product.environment.DATABASE_URL ?? '');
  const postmasters = { PostgreSQL: await findPostmaster(server.pool) };
  const processes = { single: nameProcesses(product.processIds), postmasters };
  return {
    name: 'PostgreSQL',
    product,
    origin: product.webUrl,
    servers: [server],
    processes,
    async close() {
      resumeWorker({ processes });
      await server.pool.end();
      await product.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the product on a coordinator and two nodes. */
export async function startOnCluster(): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-cluster-'));
  const settings = { ...DURABLE, ...STATISTICS };
  const cluster = await startCluster({ workers: 2, shards: SHARDS, settings, log: join(folder, 'cluster.log') });
  const close = async (): Promise<void> => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [first, ...others] = cluster.servers();
    const coordinator = await openServer('coordinator', first.url);
    const nodes: Server[] = [];
    for (const [index, { url }] of others.entries()) nodes.push(await openServer(`node ${index + 1}`, url));
    const product = await startBenchProduct({ settings: { DATABASE_URL: first.url } });
    const servers = [coordinator, ...nodes] as const;
    const pids = cluster.servers().map(({ pid }) => pid);
    const postmasters = Object.fromEntries(servers.map(({ name }, index) => [name, pids[index] ?? 0]));
    const processes = { single: nameProcesses(product.processIds), postmasters };
    return {
      name: 'Citus',
      product,
      origin: product.webUrl,
      servers,
      processes,
      async close() {
        resumeWorker({ processes });
        for (const { pool } of servers) await pool.end();
        await product.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Lets the worker of a side do nothing until {@link resumeWorker}. */
export function suspendWorker({ processes: { single } }: Pick<Side, 'processes'>): void {
  if (single.worker !== undefined) process.kill(single.worker, 'SIGSTOP');
}

/** Lets it work again. */
export function resumeWorker({ processes: { single } }: Pick<Side, 'processes'>): void {
  if (single.worker !== undefined) process.kill(single.worker, 'SIGCONT');
}

const NOT_ON_NODES = `
SELECT class.oid::regclass::text AS name FROM pg_class AS class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = class.oid) LIMIT 1`;
const ANSWER_LIMIT_MS = 60_000;
const ANSWER_CHECK_MS = 100;

/**
 * Starts one more web process of the product on a cluster, whose connections go to the first node in place of the coordinator. Tables of
 * the coordinator alone become known to the nodes, for initiates to work there; the job queue does not, and so nothing that adds jobs.
 */
export async function startByNode(cluster: Side): Promise<Side> {
  const [coordinator, node] = cluster.servers;
  if (node === undefined) throw new Error('the cluster has no node');
  for (;;) {
    const { rows } = await coordinator.pool.query<{ name: string }>(NOT_ON_NODES);
    const [table] = rows;
    if (table === undefined) break;
    await coordinator.pool.query('SELECT citus_add_local_table_to_metadata($1::regclass, cascade_via_foreign_keys => true)', [
      table.name,
    ]);
  }
  const environment = { ...cluster.product.environment, DATABASE_URL: node.pool.options.connectionString ?? '' };
  const web = await startWebWith(environment, untilHealthy);
  return {
    ...cluster,
    name: 'Citus, by a node',
    origin: web.origin,
    processes: { ...cluster.processes, single: { ...cluster.processes.single, web: web.pid } },
    close: () => web.close(),
  };
}

async function untilHealthy(origin: string): Promise<void> {
  const deadline = performance.now() + ANSWER_LIMIT_MS;
  while (performance.now() < deadline) {
    const status = await fetch(`${origin}/api/health`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await pause(ANSWER_CHECK_MS);
  }
  throw new Error(`nothing healthy answered at ${origin}`);
}

async function openServer(name: string, url: string): Promise<Server> {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'bench' });
  pool.on('error', () => undefined);
  // Each server counts its own: Citus is not to run this on the others.
  const { rowCount: isCluster } = await pool.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  const alone = isCluster === 0 ? '' : 'SET citus.enable_ddl_propagation TO off; ';
  await pool.query(`${alone}CREATE EXTENSION IF NOT EXISTS pg_stat_statements`);
  return { name, pool };
}
