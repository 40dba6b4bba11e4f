/**
 * Keeps the product under the same load for a while, and shows whether vacuum keeps up with it: payments are initiated at so many a second, and each is
 * paid by webhook in the half-minute after and announced to one endpoint.
 *
 *   npm run bench -- steady [--rate 200] [--minutes 20]
 *
 * `dead` are the versions of rows that wait for a vacuum: at most at once after the first minutes, in the first half and the second. `bytes` is how much a
 * table with its indexes grew with each payment, in the first half and the second. Ends with 1 where a table had more dead rows than autovacuum leaves.
 */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { z } from 'zod';
import { startChild } from './payments/child.ts';
import { type Bench, startBench } from './payments/environment.ts';
import { type LoadPlan, type LoadResult, loadResultSchema } from './payments/load/plan.ts';
import { readCpu } from './payments/processes.ts';
import { untilQuiet } from './payments/round.ts';
import { formatTable } from './payments/table.ts';

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '200' }, minutes: { type: 'string', default: '20' } },
});
const rate = z.coerce.number().min(1).max(10_000).parse(values.rate);
const minutes = z.coerce.number().min(2).max(1_440).parse(values.minutes);

const SLICE_SECONDS = 30;
const CONNECTIONS = 64;
/** Until autovacuum has been to each table, dead rows only grow. */
const SETTLING_SHARE = 0.2;
/** Tables with fewer updates are not shown. */
const UPDATES_MIN = 2_000;
/** Autovacuum leaves a fifth of a table's rows dead, and is late when the machine is busy. */
const DEAD_SHARE_MAX = 0.25;
/** Small tables: autovacuum looks for them once a minute, and a payment changes none of its rows more often than that. */
const DEAD_MAX = rate * 60 * 3;

const tableSchema = z.object({
  table: z.string(),
  live: z.coerce.number(),
  dead: z.coerce.number(),
  updates: z.coerce.number(),
  vacuums: z.coerce.number(),
  bytes: z.coerce.number(),
  frozenAge: z.coerce.number(),
});
type Table = z.output<typeof tableSchema>;

interface Snapshot {
  readonly payments: number;
  readonly transactions: number;
  readonly tables: readonly Table[];
}

async function takeSnapshot(pool: pg.Pool, payments: number): Promise<Snapshot> {
  const { rows } = await pool.query(
    `SELECT stats.relname AS table, n_live_tup AS live, n_dead_tup AS dead, n_tup_upd AS updates, autovacuum_count AS vacuums,
      pg_total_relation_size(relid) AS bytes, age(relfrozenxid) AS "frozenAge"
    FROM pg_stat_user_tables AS stats JOIN pg_class ON pg_class.oid = relid WHERE relkind = 'r'`,
  );
  const next = await pool.query<{ id: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS id');
  return { payments, transactions: Number(next.rows[0]?.id), tables: z.array(tableSchema).parse(rows) };
}

async function referencesSince(pool: pg.Pool, merchantId: string, since: Date): Promise<string[]> {
  const { rows } = await pool.query<{ reference: string }>(
    `SELECT reference FROM attempt WHERE merchant_id = $1 AND state = 'OPENED' AND created_at >= $2`,
    [merchantId, since],
  );
  return rows.map(({ reference }) => reference);
}

function webhooksOf({ merchant }: Bench, references: string[]): LoadPlan['webhooks'] {
  const { accounts, gatewayKeys } = merchant;
  return { path: `/webhooks/paystack/${accounts.paystack}`, secret: gatewayKeys.paystack.secretKey ?? '', references };
}

function describe(snapshots: readonly Snapshot[]): { text: string; growing: string[] } {
  const settled = snapshots.slice(Math.ceil(snapshots.length * SETTLING_SHARE));
  const half = Math.ceil(settled.length / 2);
  const halves = [settled.slice(0, half), settled.slice(half - 1)] as const;
  const of = (snapshot: Snapshot | undefined, name: string) => snapshot?.tables.find(({ table }) => table === name);
  const mostDead = (part: readonly Snapshot[], name: string) => Math.max(...part.map((one) => of(one, name)?.dead ?? 0));
  const growth = (part: readonly Snapshot[], name: string) => {
    const [first, last] = [part[0], part.at(-1)];
    const bytes = (of(last, name)?.bytes ?? 0) - (of(first, name)?.bytes ?? 0);
    return bytes / Math.max(1, (last?.payments ?? 0) - (first?.payments ?? 0));
  };
  const first = snapshots[0];
  const last = snapshots.at(-1);
  const names = (last?.tables ?? [])
    .filter(({ table, updates }) => updates > (of(first, table)?.updates ?? 0) + UPDATES_MIN)
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ table }) => table);
  const text = (value: number) => Math.round(value).toLocaleString('en');
  const rows = names.map((name) => {
    const { live = 0, vacuums = 0, frozenAge = 0 } = of(last, name) ?? {};
    const dead = halves.map((part) => text(mostDead(part, name)));
    const bytes = halves.map((part) => text(growth(part, name)));
    return [name, text(live), ...dead, text(vacuums), ...bytes, text(frozenAge)];
  });
  const growing = names.filter((name) => {
    const dead = mostDead(settled, name);
    return dead > DEAD_MAX && dead > DEAD_SHARE_MAX * (of(last, name)?.live ?? 0);
  });
  const transactions = ((last?.transactions ?? 0) - (first?.transactions ?? 0)) / Math.max(1, last?.payments ?? 0);
  const heading = ['table', 'rows', 'dead, 1st half', '2nd', 'vacuums', 'bytes a payment, 1st half', '2nd', 'oldest transaction'];
  return { text: `${formatTable(heading, rows)}\n\n${transactions.toFixed(2)} transaction ids a payment`, growing };
}

async function run(): Promise<void> {
  const bench = await startBench({ latency: 5, merchants: 1 }, (line) => console.log(`  ${line}`));
  const webhookSender = await startChild('./load/main.ts');
  try {
    const { pool, product, merchant } = bench;
    const { merchantId, testKey } = merchant;
    await pool.query(`UPDATE webhook_endpoint SET types = '{payment.succeeded}' WHERE merchant_id = $1`, [merchantId]);
    await bench.gateway({ paid: true, reset: true });
    const origins = [...product.origins];
    const sendWebhooks = async (references: string[]): Promise<LoadResult | null> => {
      if (references.length === 0) return null;
      const pace = { kind: 'open', perSecond: references.length / SLICE_SECONDS, connections: CONNECTIONS } as const;
      const plan: LoadPlan = {
        operation: 'webhook',
        origins,
        keys: [testKey],
        traffic: 'equal',
        paymentIds: [],
        webhooks: webhooksOf(bench, references),
        orderPrefix: '',
        pace,
        seconds: SLICE_SECONDS * 2,
      };
      return loadResultSchema.parse(await webhookSender.ask(plan));
    };
    const cpuBefore = readCpu(product.processes);
    const startedAt = performance.now();
    const snapshots = [await takeSnapshot(pool, 0)];
    let payments = 0;
    let references: string[] = [];
    for (let slice = 1; slice <= (minutes * 60) / SLICE_SECONDS; slice++) {
      const since = new Date();
      const pace = { kind: 'open', perSecond: rate, connections: CONNECTIONS } as const;
      const [initiated, paid] = await Promise.all([
        bench.load({ operation: 'initiate', origins, pace, seconds: SLICE_SECONDS }),
        sendWebhooks(references),
      ]);
      if (paid !== null && Object.keys(paid.failures).length > 0) {
        throw new Error(`webhooks were not answered with 200: ${JSON.stringify(paid.failures)}`);
      }
      payments += initiated.answered;
      references = await referencesSince(pool, merchantId, since);
      snapshots.push(await takeSnapshot(pool, payments));
      const { events } = await bench.gateway({});
      const dead = snapshots.at(-1)?.tables.reduce((sum, table) => sum + table.dead, 0) ?? 0;
      const ms = (latency: number) => `${latency.toFixed(1)} ms`;
      console.log(
        `  ${((slice * SLICE_SECONDS) / 60).toFixed(1)} min: ${payments} payments, ${events} announced, p50 ${ms(initiated.latency.p50)}, p99 ${ms(initiated.latency.p99)}, ${dead} dead rows`,
      );
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuAfter = readCpu(product.processes);
    await sendWebhooks(references);
    await untilQuiet(product.processes);
    const { events } = await bench.gateway({});
    const { text, growing } = describe(snapshots);
    const cpu = Object.entries(cpuAfter).map(
      ([name, us]) => `${name} ${(((us ?? 0) - (cpuBefore[name] ?? 0)) / seconds / 1e6).toFixed(2)}`,
    );
    console.log(`\n${payments} payments at ${(payments / seconds).toFixed(0)}/s, ${events} announced\n\n${text}`);
    console.log(`processors busy: ${cpu.join(', ')}`);
    if (growing.length > 0) {
      console.error(`Vacuum does not keep up with: ${growing.join(', ')}`);
      process.exitCode = 1;
    }
  } finally {
    await webhookSender.close();
    await bench.close();
  }
}

await run();
process.exit();
