/**
 * Counts what a payment weighs: payments are initiated, opened, paid by webhook and announced to one endpoint, by the product as `npm start`
 * runs it.
 *
 *   npm run bench -- bytes [--seconds 20]
 *
 * In rounds, with a vacuum after each. Bytes on disk are those of tables and indexes with the room that their pages keep free, per payment; those of the write-ahead
 * log are without images of whole pages, of which each page needs one after a checkpoint. `hot` is the share of updates that wrote no index.
 */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { z } from 'zod';
import { type Bench, startBench } from './payments/environment.ts';
import { readPageBytes, readPostgresCounts } from './payments/postgres-costs.ts';
import { formatTable } from './payments/report.ts';
import { untilQuiet } from './payments/round.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = z.coerce.number().min(1).max(600).parse(values.seconds);
const PACE = { kind: 'closed', connections: 16 } as const;
/** A payment and what is written beside it; other tables hold sums and settings. */
const TABLES = [
  'payment',
  'attempt',
  'timeline_event',
  'payment_check',
  'gateway_webhook',
  'webhook_follow_up',
  'merchant_event',
  'webhook_delivery',
  'webhook_delivery_attempt',
  'due_delivery',
] as const;
/** Tables whose columns are shown. */
const WITH_COLUMNS = ['payment', 'attempt', 'timeline_event', 'merchant_event', 'gateway_webhook', 'webhook_delivery'] as const;
const COLUMN_BYTES_MIN = 24;

const sizeSchema = z.object({
  table: z.string(),
  name: z.string(),
  isIndex: z.boolean(),
  bytes: z.coerce.number(),
});
type Size = z.output<typeof sizeSchema>;

/** Tables with their TOAST, and indexes, each by name. */
async function readSizes(pool: pg.Pool): Promise<Size[]> {
  for (const table of TABLES) await pool.query(`VACUUM (ANALYZE, INDEX_CLEANUP ON, TRUNCATE OFF) ${table}`);
  const { rows } = await pool.query(
    `SELECT relation.relname AS table, relation.relname AS name, false AS "isIndex",
      pg_table_size(relation.oid) - pg_relation_size(relation.oid, 'vm') - pg_relation_size(relation.oid, 'fsm') AS bytes
    FROM pg_class AS relation WHERE relation.oid = ANY ($1::text[]::regclass[])
    UNION ALL
    SELECT relation.relname, index_relation.relname, true, pg_relation_size(index_relation.oid)
    FROM pg_index JOIN pg_class AS relation ON relation.oid = indrelid JOIN pg_class AS index_relation ON index_relation.oid = indexrelid
    WHERE indrelid = ANY ($1::text[]::regclass[])`,
    [TABLES.map((table) => `public.${table}`)],
  );
  return z.array(sizeSchema).parse(rows);
}

/** Log that a step writes, without images of pages: all of it, and of each relation by the kind of its records. */
interface Log {
  readonly bytes: number;
  readonly kinds: readonly LogKind[];
}

/** Records of one kind: of the relation that a record's first block belongs to, or of none, such as commits. */
const logKindSchema = z.object({ relation: z.string(), record: z.string(), records: z.number(), bytes: z.number() });
type LogKind = z.output<typeof logKindSchema>;

const KINDS = `
SELECT coalesce(relname, '(none)') AS relation, one.resource_manager || ' ' || record_type AS record, count(*)::float8 AS records,
  sum(record_length - fpi_length)::float8 AS bytes
FROM pg_get_wal_records_info($1, least($2::pg_lsn, pg_current_wal_flush_lsn())) AS one
LEFT JOIN (SELECT DISTINCT ON (start_lsn) start_lsn, relfilenode AS node, reldatabase AS database
  FROM pg_get_wal_block_info($1, least($2::pg_lsn, pg_current_wal_flush_lsn()), false) ORDER BY start_lsn, block_id) AS block USING (start_lsn)
LEFT JOIN pg_class ON pg_relation_filenode(pg_class.oid) = block.node
  AND block.database = (SELECT oid FROM pg_database WHERE datname = current_database())
GROUP BY 1, 2`;

async function measureLog(pool: pg.Pool, step: () => Promise<void>): Promise<Log> {
  const before = await readPostgresCounts(pool);
  await step();
  const after = await readPostgresCounts(pool);
  const { rows } = await pool.query(KINDS, [before.walPosition, after.walPosition]);
  const kinds = z.array(logKindSchema).parse(rows);
  return {
    bytes: after.walBytes - before.walBytes - ((await readPageBytes(pool, before, after)) ?? Number.NaN),
    kinds,
  };
}

const KINDS_SHOWN = 60;

function describeLog(initiating: readonly Log[], paying: readonly Log[], payments: number): string {
  const text = (bytes: number) => Math.round(bytes / payments).toLocaleString('en');
  const all = (logs: readonly Log[]) => logs.reduce((sum, { bytes }) => sum + bytes, 0);
  const first = initiating.flatMap(({ kinds }) => kinds);
  const then = paying.flatMap(({ kinds }) => kinds);
  const rowsBy = (nameOf: (kind: LogKind) => string) =>
    [...Map.groupBy([...first, ...then], nameOf).keys()]
      .map((name) => {
        const sum = (kinds: readonly LogKind[], read: (kind: LogKind) => number) =>
          kinds.reduce((total, kind) => (nameOf(kind) === name ? total + read(kind) : total), 0);
        const records = sum(first, (kind) => kind.records) + sum(then, (kind) => kind.records);
        return { name, first: sum(first, ({ bytes }) => bytes), then: sum(then, ({ bytes }) => bytes), records };
      })
      .toSorted((one, other) => other.first + other.then - one.first - one.then)
      .slice(0, KINDS_SHOWN)
      .map((row) => [row.name, text(row.first), text(row.then), (row.records / payments).toFixed(2)]);
  const table = (name: string, rows: readonly string[][]) =>
    formatTable(
      [name, 'initiated and opened', 'paid and announced', 'records'],
      [['all', text(all(initiating)), text(all(paying)), ''], ...rows],
    );
  return [
    table(
      'write-ahead log per payment',
      rowsBy(({ relation }) => relation),
    ),
    table(
      'by kind of record',
      rowsBy(({ relation, record }) => `${relation}: ${record}`),
    ),
  ].join('\n\n');
}

async function pay({ pool, load, product, merchant, gateway }: Bench, initiated: number, since: Date): Promise<void> {
  const { merchantId, accounts, gatewayKeys } = merchant;
  const { rows } = await pool.query<{ reference: string }>(
    `SELECT reference FROM attempt WHERE merchant_id = $1 AND state = 'OPENED' AND created_at >= $2`,
    [merchantId, since],
  );
  const references = rows.map(({ reference }) => reference);
  const webhooks = { path: `/webhooks/paystack/${accounts.paystack}`, secret: gatewayKeys.paystack.secretKey ?? '', references };
  await gateway({ paid: true, reset: true });
  await load({ operation: 'webhook', origins: [...product.origins], pace: PACE, seconds: 600, webhooks });
  while ((await gateway({})).events < initiated) await untilQuiet(product.processes);
  await untilQuiet(product.processes);
}

function describeSizes(before: readonly Size[], after: readonly Size[], payments: number): string {
  const grown = (one: Size) => (one.bytes - (before.find(({ name }) => name === one.name)?.bytes ?? 0)) / payments;
  const rows = TABLES.map((table) => {
    const ofTable = after.filter((one) => one.table === table);
    const heap = ofTable.filter(({ isIndex }) => !isIndex).reduce((sum, one) => sum + grown(one), 0);
    const indexes = ofTable.filter(({ isIndex }) => isIndex).reduce((sum, one) => sum + grown(one), 0);
    return { table, heap, indexes };
  });
  const sum = (read: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + read(row), 0);
  const lines = [...rows, { table: 'all', heap: sum(({ heap }) => heap), indexes: sum(({ indexes }) => indexes) }];
  const text = (bytes: number) => Math.round(bytes).toLocaleString('en');
  const indexes = after
    .filter(({ isIndex }) => isIndex)
    .map((one) => [one.name, text(grown(one))])
    .toSorted(([, one = ''], [, other = '']) => Number(other.replaceAll(',', '')) - Number(one.replaceAll(',', '')));
  return [
    formatTable(
      ['bytes per payment', 'rows', 'indexes', 'together'],
      lines.map(({ table, heap, indexes: own }) => [table, text(heap), text(own), text(heap + own)]),
    ),
    formatTable(['index', 'bytes per payment'], indexes),
  ].join('\n\n');
}

async function describeColumns(pool: pg.Pool, table: string, since: Date): Promise<string> {
  const { rows: columns } = await pool.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped',
    [table],
  );
  const { rows } = await pool.query<Record<string, string | null>>(
    `SELECT ${columns.map(({ name }) => `avg(coalesce(pg_column_size("${name}"), 0)) AS "${name}"`).join(', ')},
      avg(pg_column_size(${table}.*)) AS "row" FROM ${table} WHERE ${table === 'gateway_webhook' ? 'received_at' : 'created_at'} >= $1`,
    [since],
  );
  const sizes = Object.entries(rows[0] ?? {}).map(([name, bytes]) => [name, Math.round(Number(bytes))] as const);
  const large = sizes.filter(([, bytes]) => bytes >= COLUMN_BYTES_MIN).toSorted(([, one], [, other]) => other - one);
  return `${table}: ${large.map(([name, bytes]) => `${name} ${bytes}`).join(', ')}`;
}

async function describeUpdates(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ table: string; updates: string; hot: string }>(
    `SELECT relname AS table, n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_user_tables
    WHERE schemaname = 'public' AND relname = ANY ($1) AND n_tup_upd > 0`,
    [TABLES],
  );
  return formatTable(
    ['updates', 'of each', 'hot'],
    rows.map(({ table, updates, hot }) => [table, updates, `${Math.round((100 * Number(hot)) / Number(updates))} %`]),
  );
}

/** Payments are initiated and paid in so many rounds, with a vacuum after each, which later rounds fill up again: as in months of use. */
const ROUNDS = 4;

async function run(): Promise<void> {
  const bench = await startBench({ latency: 5, merchants: 1 }, (line) => console.log(`  ${line}`));
  try {
    const { pool, product, merchant } = bench;
    // The log is read once everything is written.
    await pool.query("ALTER SYSTEM SET wal_keep_size = '8GB'");
    await pool.query('SELECT pg_reload_conf()');
    await pool.query(`UPDATE webhook_endpoint SET types = '{payment.succeeded}' WHERE merchant_id = $1`, [merchant.merchantId]);
    const initiating: Log[] = [];
    const paying: Log[] = [];
    let before: Size[] = [];
    let payments = 0;
    const startedAt = new Date();
    for (let round = 0; round <= ROUNDS; round++) {
      const since = new Date();
      let initiated = 0;
      const first = await measureLog(pool, async () => {
        const plan = { operation: 'initiate' as const, origins: [...product.origins], pace: PACE, seconds: seconds / ROUNDS };
        initiated = (await bench.load(plan)).answered;
        await untilQuiet(product.processes);
      });
      const then = await measureLog(pool, () => pay(bench, initiated, since));
      const sizes = await readSizes(pool);
      // The first round fills pages that are new.
      if (round === 0) before = sizes;
      else {
        initiating.push(first);
        paying.push(then);
        payments += initiated;
      }
      if (round === ROUNDS) console.log(`\n${payments} payments\n\n${describeSizes(before, sizes, payments)}\n`);
    }
    for (const table of WITH_COLUMNS) console.log(await describeColumns(pool, table, startedAt));
    console.log(`\n${describeLog(initiating, paying, payments)}\n\n${await describeUpdates(pool)}\n`);
  } finally {
    await bench.close();
  }
}

await run();
process.exit();
