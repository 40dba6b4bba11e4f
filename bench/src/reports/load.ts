import pg from 'pg';
import { CREATE_HELPERS, insertChunk } from './rows.ts';

export interface LoadOptions {
  readonly url: string;
  readonly payments: number;
  /** True if payments have their timelines: no query of the benchmark reads them, and they take a third of the space. */
  readonly events: boolean;
  /** When the year of payments ends. */
  readonly until: Date;
  readonly log: (line: string) => void;
}

const MERCHANTS = 200;
const CHUNK = 50_000;
/** Connections that load, and then build indexes, in parallel. */
const CONNECTIONS = 6;
const TABLES = ['payment', 'attempt', 'timeline_event'] as const;

interface Statement {
  readonly sql: string;
}

/**
 * Fills an empty database with a year of payments of 200 merchants, a few of them large: the same rows for the same number of
 * payments and the same end. The database generates the rows itself, without triggers and indexes.
 */
export async function load({ url, payments, events, until, log }: LoadOptions): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, options: '-c session_replication_role=replica' });
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    await work();
    log(`${what}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  };
  try {
    const restore = await dropIndexes(pool);
    await pool.query(CREATE_HELPERS, []);
    await pool.query(merchants(until));
    const starts = Array.from({ length: Math.ceil(payments / CHUNK) }, (_, chunk) => chunk * CHUNK);
    await timed(`rows of ${payments.toLocaleString('en-US')} payments`, () =>
      inParallel(starts, async (start) => {
        await pool.query(insertChunk(events), [start, Math.min(start + CHUNK, payments) - 1, payments, until]);
      }),
    );
    await timed('indexes', async () => {
      for (const wave of restore) await inParallel(wave, ({ sql }) => pool.query(sql));
    });
    await timed('vacuum and statistics', () => inParallel(TABLES, (table) => pool.query(`VACUUM (ANALYZE) ${table}`)));
    await pool.query('ANALYZE');
  } finally {
    await pool.end();
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/** Drops indexes and keys of the large tables; returns the statements that restore them: indexes first, then foreign keys. */
async function dropIndexes(pool: pg.Pool): Promise<readonly (readonly Statement[])[]> {
  const constraints = await pool.query<Statement & { drop: string; foreign: boolean }>(
    `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        || CASE WHEN contype = 'f' THEN ' NOT VALID' ELSE '' END AS sql,
      format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop, contype = 'f' AS foreign
    FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
    ORDER BY contype = 'f' DESC`,
    [TABLES],
  );
  for (const { drop } of constraints.rows) await pool.query(drop);
  const indexes = await pool.query<Statement & { drop: string }>(
    `SELECT pg_get_indexdef(indexrelid) AS sql, format('DROP INDEX %s', indexrelid::regclass) AS drop
    FROM pg_index WHERE indrelid = ANY ($1::regclass[])`,
    [TABLES],
  );
  for (const { drop } of indexes.rows) await pool.query(drop);
  const keys = constraints.rows.filter(({ foreign }) => !foreign);
  // A primary key locks its table against other builders of indexes.
  return [indexes.rows, keys, constraints.rows.filter(({ foreign }) => foreign)];
}

function merchants(until: Date): pg.QueryConfig {
  return {
    text: `WITH merchants AS (
      INSERT INTO merchant (id, merchant_number, name, created_at, updated_at)
      SELECT id, (100000 + place)::text, 'Merchant ' || place, $1::timestamptz - interval '366 days', $1::timestamptz - interval '366 days'
      FROM bench_merchant WHERE place < ${MERCHANTS} RETURNING id),
    tenants AS (INSERT INTO tenant SELECT id FROM merchants ON CONFLICT DO NOTHING)
    INSERT INTO gateway_account (merchant_id, id, mode, gateway, label, enabled, credential_hint, currencies, methods, min_amount,
      created_at, updated_at)
    SELECT merchant_id, id, 'live', gateway, 'account-' || place, true, '{}', '{NGN}', '{CARD,TRANSFER,USSD}', 50,
      $1::timestamptz - interval '366 days', $1::timestamptz - interval '366 days' FROM bench_account`,
    values: [until],
  };
}
