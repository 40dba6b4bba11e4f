import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@switchyard/db';
import { findWrongRollups } from '@switchyard/reporting/rollups';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { z } from 'zod';
import type { Cluster } from '../../harness/cluster.ts';
import { GATEWAYS, journalSchema } from '../../harness/gateways.ts';
import type { TestMerchant } from '../../harness/merchants.ts';
import type { Product } from '../../harness/product.ts';
import { type SandboxControl, sandboxControl } from '../../harness/sandbox-control.ts';
import { addMerchant } from '../add-merchant.ts';
import { startOrders } from './orders.ts';
import type { ClusterFaultName, ClusterObserved, EndState } from './result.ts';

export interface ClusterDrillOrder {
  readonly fault: ClusterFaultName;
  readonly perSecond: number;
  readonly merchants: number;
  readonly calmSeconds: number;
  /** How long a server stays away, or how long payments go on after the shards were moved. */
  readonly faultSeconds: number;
  /** Longest to wait until all is settled. */
  readonly recoverySeconds: number;
}

const KILLED_NODE = 1;
const SETTLED_CHECK_MS = 500;

/** Runs one fault of a cluster against a product on it, under a constant rate of payments of several merchants. */
export async function runClusterDrill(
  product: Product,
  cluster: Cluster,
  asked: ClusterDrillOrder,
  tell: (line: string) => void,
): Promise<ClusterObserved> {
  const resources = openResources(product.environment, () => undefined);
  try {
    const control = sandboxControl(product.sandboxUrl);
    const merchants: TestMerchant[] = [];
    for (let n = 0; n < asked.merchants; n++) merchants.push(await addMerchantWithEndpoint(product, resources, control));
    const startedAt = performance.now();
    const clock = (): number => performance.now() - startedAt;
    const orders = startOrders({ webUrl: product.webUrl, control, merchants, perSecond: asked.perSecond, clock });
    try {
      await pause(asked.calmSeconds * 1_000);
      const before = await readPlacements(resources, merchants);
      const faultAtMs = clock();
      tell(`  ${asked.fault}`);
      await strike(cluster, resources, asked);
      const repairedAtMs = clock();
      tell('  repaired');
      await pause(asked.faultSeconds * 1_000);
      const after = await readPlacements(resources, merchants);
      await orders.stop();
      const settledAtMs = await untilSettled(resources, asked.recoverySeconds, clock);
      return {
        fault: asked.fault,
        perSecond: asked.perSecond,
        faultAtMs,
        repairedAtMs,
        settledAtMs,
        orders: orders.all,
        struck: findStruck(asked.fault, before, after, cluster),
        moved: asked.fault === 'node-added' ? await countMoved(resources) : 0,
        end: await readEnd(product, resources, control, merchants),
      };
    } finally {
      await orders.stop();
    }
  } finally {
    await resources.close();
  }
}

async function addMerchantWithEndpoint(product: Product, resources: Resources, control: SandboxControl): Promise<TestMerchant> {
  const merchant = await addMerchant(resources, control);
  const { merchantId } = merchant;
  const settings = { merchantId, mode: 'test', url: `${product.sandboxUrl}/shop/drill`, description: '', types: [] } as const;
  const context = { resources, now: () => new Date(), newId };
  const { kind } = await createEndpoint(context, { ...settings, actor: 'system:drill' });
  if (kind !== 'created') throw new Error(`an endpoint could not be created: ${kind}`);
  return merchant;
}

async function strike(cluster: Cluster, { database }: Resources, { fault, faultSeconds }: ClusterDrillOrder): Promise<void> {
  switch (fault) {
    case 'node-killed':
      return cluster.restart(KILLED_NODE, faultSeconds * 1_000);
    case 'coordinator-restarted':
      return cluster.restart(0, faultSeconds * 1_000);
    case 'node-added':
      await cluster.addNode(0);
      await database.pool.query('SELECT citus_rebalance_start()');
      return untilRebalanced(database.pool);
    default:
      return fault satisfies never;
  }
}

async function untilRebalanced(pool: Resources['database']['pool']): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ state: string }>('SELECT state FROM citus_rebalance_status()');
    const state = rows[0]?.state;
    if (state === 'finished') return;
    if (state === 'failed' || state === 'cancelled') throw new Error(`the rebalancing has ${state}`);
    await pause(SETTLED_CHECK_MS);
  }
}

/** The port of the node that has a merchant's rows, by merchant. */
type Placements = ReadonlyMap<string, number>;

async function readPlacements({ database }: Resources, merchants: readonly TestMerchant[]): Promise<Placements> {
  const { rows } = await database.pool.query<{ id: string; port: number }>(
    `SELECT id, nodeport AS port FROM unnest($1::uuid[]) AS id
    JOIN citus_shards ON shardid = get_shard_id_for_distribution_column('payment', id)`,
    [merchants.map(({ merchantId }) => merchantId)],
  );
  return new Map(rows.map(({ id, port }) => [id, port]));
}

function findStruck(fault: ClusterFaultName, before: Placements, after: Placements, cluster: Cluster): ReadonlySet<string> {
  const killedPort = Number(new URL(cluster.servers()[KILLED_NODE]?.url ?? '').port);
  const isStruck = (merchantId: string, port: number): boolean => {
    if (fault === 'node-killed') return port === killedPort;
    return fault === 'coordinator-restarted' || after.get(merchantId) !== port;
  };
  return new Set([...before].flatMap(([merchantId, port]) => (isStruck(merchantId, port) ? [merchantId] : [])));
}

async function countMoved({ database }: Resources): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_dist_background_task WHERE status = 'done'",
  );
  return rows[0]?.count ?? 0;
}

/** Payments, deliveries and sums that are not done; a statement each, as some tables are on nodes and others are not. */
const UNSETTLED = [
  "SELECT count(*)::int AS left FROM payment WHERE status IN ('INITIATED', 'PENDING')",
  "SELECT count(*)::int AS left FROM webhook_delivery WHERE state = 'PENDING'",
  'SELECT count(*)::int AS left FROM payment_rollup_change',
  'SELECT count(*)::int AS left FROM attempt_rollup_change',
] as const;

async function untilSettled({ database }: Resources, limitSeconds: number, clock: () => number): Promise<number | null> {
  const deadline = clock() + limitSeconds * 1_000;
  while (clock() < deadline) {
    let left = 0;
    for (const statement of UNSETTLED) {
      const { rows } = await database.pool.query<{ left: number }>(statement);
      left += rows[0]?.left ?? 0;
    }
    if (left === 0) return clock();
    await pause(SETTLED_CHECK_MS);
  }
  return null;
}

const endSchema = {
  payments: z.array(z.object({ order: z.string(), status: z.string() })),
  succeededEvents: z.array(z.object({ paymentId: z.string(), count: z.int() })),
  counts: z.tuple([z.object({ count: z.int() })]),
  failedJobs: z.array(z.object({ task: z.string(), error: z.string().nullable() })),
};

async function readEnd(
  product: Product,
  { database: { pool } }: Resources,
  control: SandboxControl,
  merchants: readonly TestMerchant[],
): Promise<EndState> {
  const ids = [merchants.map(({ merchantId }) => merchantId)];
  const payments = await pool.query(
    `SELECT merchant_id || ' ' || merchant_order_id AS order, status FROM payment WHERE merchant_id = ANY ($1)`,
    ids,
  );
  const events = await pool.query(
    `SELECT payment_id AS "paymentId", count(*)::int AS count FROM merchant_event
    WHERE merchant_id = ANY ($1) AND type = 'payment.succeeded' GROUP BY merchant_id, payment_id`,
    ids,
  );
  const deliveries = await pool.query(
    `SELECT count(*)::int AS count FROM webhook_delivery WHERE merchant_id = ANY ($1) AND state <> 'DELIVERED'`,
    ids,
  );
  const jobs = await pool.query(
    `SELECT task.identifier AS task, job.last_error AS error FROM graphile_worker._private_jobs AS job
    JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id WHERE job.attempts >= job.max_attempts`,
  );
  let paidCheckouts = 0;
  for (const gateway of GATEWAYS) {
    const journal = journalSchema.parse(await control('GET', `${gateway}/journal`));
    paidCheckouts += journal.transactions.filter(({ paid }) => paid).length;
  }
  const wrong = await findWrongRollups(product.environment.DATABASE_URL ?? '');
  const failed = endSchema.failedJobs.parse(jobs.rows);
  return {
    payments: endSchema.payments.parse(payments.rows),
    paidCheckouts,
    succeededEvents: endSchema.succeededEvents.parse(events.rows),
    openDeliveries: endSchema.counts.parse(deliveries.rows)[0].count,
    wrongRollups: wrong.map(({ table, merchantId, sum }) => `${table} of merchant ${merchantId}: ${sum}`),
    failedJobs: failed.map(({ task, error }) => `the job ${task} was given up: ${error}`),
  };
}
