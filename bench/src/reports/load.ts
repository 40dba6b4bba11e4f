import pg from 'pg';

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

/** A deterministic random function, and the merchants with three accounts each. */
const CREATE_HELPERS = `
CREATE FUNCTION bench_random(n bigint, seed bigint) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT (hashint8extended(n, seed) & 2147483647) / 2147483648.0::float8 $$;
CREATE FUNCTION bench_uuid(ms bigint, n bigint, kind text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT overlay(overlay(md5(kind || n) PLACING lpad(to_hex(ms), 12, '0') || '7' FROM 1) PLACING '8' FROM 17)::uuid $$;
CREATE TABLE bench_merchant AS SELECT place, bench_uuid(1760000000000 + place, place, 'merchant') AS id FROM generate_series(0, 199) AS place;
CREATE TABLE bench_account AS SELECT m.place AS merchant, a AS place, m.id AS merchant_id,
    bench_uuid(1760000000000 + a, m.place * 10 + a, 'account') AS id,
    (ARRAY['paystack', 'flutterwave', 'paystack'])[a + 1] AS gateway
  FROM bench_merchant AS m, generate_series(0, 2) AS a;
ANALYZE bench_merchant; ANALYZE bench_account`;

/**
 * Payments $1 to $2 of $3, spread evenly over the year that ends at $4, each with an attempt and, if wanted, its timeline. The
 * largest of the merchants has about a sixth of them.
 */
const insertChunk = (events: boolean): string => `
WITH drawn AS MATERIALIZED (
  SELECT n, floor(extract(epoch FROM $4::timestamptz) * 1000 - 31536000000.0 + 31536000000.0 * n / $3::float8)::bigint AS ms,
    floor(200 * power(bench_random(n, 1), 3))::int AS merchant, 100 + floor(power(bench_random(n, 2), 3) * 500000)::bigint AS amount,
    bench_random(n, 3) AS s, bench_random(n, 4) AS a, bench_random(n, 5) AS m, bench_random(n, 6) AS r, bench_random(n, 7) AS l
  FROM generate_series($1::bigint, $2::bigint) AS n),
rows AS MATERIALIZED (
  SELECT d.*, to_timestamp(d.ms / 1000.0) AS at, bench_uuid(d.ms, n, 'payment') AS id, bench_uuid(d.ms, n, 'attempt') AS attempt_id,
    account.merchant_id, account.id AS account_id, account.gateway,
    (CASE WHEN s < 0.79 THEN 'SUCCESS' WHEN s < 0.92 THEN 'FAILED' WHEN s < 0.95 THEN 'REFUNDED' WHEN s < 0.96 THEN 'PENDING'
      ELSE 'INITIATED' END)::payment_status AS status,
    CASE WHEN m < 0.55 THEN 'CARD' WHEN m < 0.9 THEN 'TRANSFER' ELSE 'USSD' END AS method,
    CASE WHEN r < 0.4 THEN 'large-orders' WHEN r < 0.7 THEN 'cards' END AS rule_id
  FROM drawn AS d JOIN bench_account AS account
    ON account.merchant = d.merchant AND account.place = CASE WHEN d.a < 0.6 THEN 0 WHEN d.a < 0.9 THEN 1 ELSE 2 END),
payments AS (
  INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id, payment_method,
    routing_mode, smart_routing_bypassed, rule_set_version, rule_id, packed_decision, packed_session, recommended_gateway,
    current_attempt_id, account_id, account_gateway, gateway_reference, received_amount, received_currency, fee_amount, paid_method, paid_at, late, refunded_amount,
    expires_at, version, status_event_id, status_changed_at, created_at, updated_at)
  SELECT merchant_id, id, 'live', 'order-' || n, status, amount, 'NGN', 'customer' || (n * 7919) % 1000000 || '@example.com',
    'c-' || (n * 7919) % 1000000, method, 'smart', false, 1, rule_id, '', '', gateway,
    attempt_id, account_id, gateway, 'sy' || replace(id::text, '-', '') || '00', CASE WHEN paid THEN amount END, CASE WHEN paid THEN 'NGN' END,
    CASE WHEN paid THEN round(amount * 0.015, 2) END, CASE WHEN paid THEN method END, CASE WHEN paid THEN at + interval '40 seconds' END,
    paid AND l < 0.01, CASE WHEN status = 'REFUNDED' THEN amount ELSE 0 END, at + interval '1 hour', 3, bench_uuid(ms, n, 'moved'),
    at + interval '41 seconds', at, at + interval '41 seconds'
  FROM (SELECT *, status IN ('SUCCESS', 'REFUNDED') AS paid FROM rows) AS rows),
attempts AS (
  INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, failure_class, latency_ms, created_at,
    updated_at)
  SELECT merchant_id, attempt_id, id, 0, account_id, gateway, 'sy' || replace(id::text, '-', '') || '00',
    (CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN 'PAID' WHEN status = 'FAILED' THEN 'REFUSED' ELSE 'OPENED' END)::attempt_state,
    CASE WHEN status = 'FAILED' THEN 'provider_fault' END, 120 + floor(power(l, 4) * 4000)::int, at, at FROM rows)
${events ? EVENTS : 'SELECT 1'}`;

const EVENTS = `
INSERT INTO timeline_event (merchant_id, id, payment_id, type, from_status, to_status, cause, detail, created_at)
SELECT merchant_id, bench_uuid(ms, n, 'came'), id, 'payment.initiated', NULL::payment_status, 'INITIATED'::payment_status, 'api', '{}'::json, at FROM rows
UNION ALL
SELECT merchant_id, bench_uuid(ms, n, 'moved'), id,
  CASE WHEN status = 'FAILED' THEN 'payment.failed' WHEN status = 'PENDING' THEN 'payment.pending' ELSE 'payment.succeeded' END,
  'INITIATED'::payment_status, status, 'gateway_webhook', '{}'::json, at + interval '41 seconds' FROM rows WHERE status <> 'INITIATED'`;
