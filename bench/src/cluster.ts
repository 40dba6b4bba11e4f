/**
 * Measures what the hop to a node costs: initiates on PostgreSQL and on a Citus cluster of a coordinator and two nodes, in alternating
 * rounds on this machine, with the same gateway, which answers in 5 ms. It shows what an initiate costs each server, from which
 * docs/scaling.md derives what more machines take; not how throughput grows, which takes more machines.
 *
 *   npm run bench -- cluster [--merchants 1,20,1000] [--pairs 3] [--seconds 6] [--warmup 3] [--connections 16] [--by-node] [--json FILE]
 *
 * `--by-node` measures a third side as well: the cluster, with a web process whose connections go to a node in place of the coordinator.
 *
 * Each figure is the median over rounds, and each cost that of one initiate, without what is done all the time: that is shown by itself, and
 * workers stand still while initiates are measured. Both
 * sides have durable commits, and their servers' statistics of statements on.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type ClusterRound, measureClusterRound, measureIdleWork, type Work } from './cluster/measure.ts';
import { describeIdleWork, describeRounds, medianRound } from './cluster/report.ts';
import { resumeWorker, type Side, startByNode, startOnCluster, startPlain, suspendWorker } from './cluster/side.ts';
import { type Child, startChild } from './payments/child.ts';
import { gatewayCallsSchema } from './payments/gateway/settings.ts';
import { type LoadPlan, type LoadResult, loadResultSchema } from './payments/load/plan.ts';

const GATEWAY_MS = 5;
const RESULTS = join(import.meta.dirname, '..', 'results');
const IDLE_SECONDS = 6;
const NO_WORK: Work = { cpuUs: {}, statements: 0, router: 0, adaptive: 0, onNodes: 0, prepared: 0, walBytes: 0, diskBytes: 0 };
/** Made at the same time. */
const MERCHANTS_AT_ONCE = 6;

const numbers = z.string().transform((text) => text.split(',').filter((part) => part !== ''));
const { values } = parseArgs({
  options: {
    merchants: { type: 'string', default: '1,20,1000' },
    pairs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '6' },
    warmup: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    'by-node': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const options = z
  .object({
    merchants: numbers.pipe(z.array(z.coerce.number<string>().int().min(1).max(2_000))),
    pairs: z.coerce.number().int().min(1).max(20),
    seconds: z.coerce.number().min(1).max(120),
    warmup: z.coerce.number().min(0).max(60),
    connections: z.coerce.number().int().min(1).max(512),
    'by-node': z.boolean(),
    json: z.string().optional(),
  })
  .parse(values);

const closing: (() => Promise<void>)[] = [];
let code = 0;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
  process.once(name, () => void close().finally(() => process.exit(130)));
}
try {
  await run();
} catch (error) {
  console.error(error);
  code = 1;
}
await close();
process.exit(code);

async function run(): Promise<void> {
  const closeLater = <T extends { close(): Promise<void> }>(thing: T): T => {
    closing.push(() => thing.close());
    return thing;
  };
  console.log('  starting the product on PostgreSQL, and on a cluster');
  const cluster = closeLater(await startOnCluster());
  const sides = [closeLater(await startPlain()), cluster];
  if (options['by-node']) sides.push(closeLater(await startByNode(cluster)));
  const gateway = closeLater(await startChild('./gateway/main.ts'));
  const generator = closeLater(await startChild('./load/main.ts'));
  gatewayCallsSchema.parse(await gateway.ask({ latencyMs: GATEWAY_MS }));
  const { origin } = z.object({ origin: z.string() }).parse(gateway.greeting);
  // Sides on the same data have the same merchants.
  const keys = new Map<Side, string[]>();
  for (const together of Map.groupBy(sides, ({ product }) => product).values()) {
    const shared: string[] = [];
    for (const side of together) keys.set(side, shared);
  }
  const results: { merchants: number; side: Side['name']; round: ClusterRound; rounds: readonly ClusterRound[] }[] = [];
  for (const merchants of options.merchants.toSorted((one, other) => one - other)) {
    console.log(`  ${merchants} merchants`);
    for (const side of sides) await addMerchants(side, keys.get(side) ?? [], merchants, origin);
    const idle = new Map<Side, Work>();
    for (const side of sides) {
      // Claims of a worker on a cluster ask all parts of a table again and again: beside that, an initiate's cost would not show.
      resumeWorker(side);
      console.log(`    ${describeIdleWork(side.name, await measureIdleWork(side, IDLE_SECONDS))}`);
      suspendWorker(side);
      idle.set(side, await measureIdleWork(side, IDLE_SECONDS));
    }
    const rounds = new Map<Side, ClusterRound[]>(sides.map((side) => [side, []]));
    for (let pair = 0; pair <= options.pairs; pair++) {
      for (const side of sides) {
        const isWarmUp = pair === 0;
        const seconds = isWarmUp ? options.warmup : options.seconds;
        if (seconds === 0) continue;
        const loaded = () => load(generator, side, keys.get(side) ?? [], seconds);
        const round = await measureClusterRound(side, idle.get(side) ?? NO_WORK, loaded);
        await endChecks(side);
        if (isWarmUp) continue;
        rounds.get(side)?.push(round);
        const failed = round.failed === 0 ? '' : `, ${round.failed} failed`;
        console.log(`    ${side.name} ${pair}/${options.pairs}: ${Math.round(round.perSecond)}/s${failed}`);
      }
    }
    for (const [{ name }, all] of rounds) results.push({ merchants, side: name, round: medianRound(all), rounds: all });
    console.log(`\n${describeRounds(results)}\n`);
  }
  const file = options.json ?? join(RESULTS, `cluster-${new Date().toISOString().replaceAll(':', '-')}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ at: new Date(), options, results }, null, 2)}\n`);
  console.log(`All figures: ${file}`);
}

async function close(): Promise<void> {
  for (const step of closing.splice(0).reverse()) await step();
}

/** Adds merchants until there are so many; the client of the database that makes them was generated by the start. */
async function addMerchants({ product }: Side, keys: string[], count: number, gatewayOrigin: string): Promise<void> {
  const { createKeys } = await import('./cluster/merchants.ts');
  keys.push(...(await createKeys(product, count - keys.length, MERCHANTS_AT_ONCE, gatewayOrigin)));
}

async function load(generator: Child, { origin }: Side, keys: readonly string[], seconds: number): Promise<LoadResult> {
  const plan: LoadPlan = {
    operation: 'initiate',
    origins: [origin],
    keys: [...keys],
    traffic: 'equal',
    paymentIds: [],
    webhooks: { path: '', secret: '', references: [] },
    orderPrefix: `order-${Date.now().toString(36)}`,
    pace: { kind: 'closed', connections: options.connections },
    seconds,
  };
  return loadResultSchema.parse(await generator.ask(plan));
}

/** Payments of this round are not asked about during a later one. */
async function endChecks({ servers: [{ pool }] }: Side): Promise<void> {
  await pool.query('DELETE FROM payment_check');
}
