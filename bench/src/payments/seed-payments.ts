import { unpackSession } from '@switchyard/payments/testing';
import { unpackDecision } from '@switchyard/rule-sets/store-inputs';
import pg from 'pg';
import { z } from 'zod';

export type Schema = 'public' | 'floor';

export interface SeedOptions {
  readonly schema: Schema;
  readonly merchantId: string;
  /** A payment that the product has made, which all are copies of. */
  readonly templateId: string;
  /** Sets these apart from all others: part of their ids and order ids. */
  readonly label: string;
  readonly count: number;
  /** When they were made, in seconds before now: evenly from the first to the second. */
  readonly ageSeconds: readonly [number, number];
  readonly status: 'PENDING' | 'SUCCESS';
  /** When they are due to be followed up; null for never. */
  readonly dueAt: Date | null;
}

const CHUNK = 50_000;
const columnsSchema = z.array(z.object({ name: z.string() }));

/**
 * Fills a schema with payments, each with an attempt and two timeline events, without triggers: no roll-up counts them.
 * Ids are in the order of time, as the product's are.
 */
export async function seedPayments(pool: pg.Pool, options: SeedOptions): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const documents = options.schema === 'floor' ? await floorDocuments(client, options) : {};
    const statements = [
      await insertOf(client, options, 'payment', { ...paymentColumns(options), ...documents }, 'template.id = $2'),
      await insertOf(client, options, 'attempt', attemptColumns(options), 'template.payment_id = $2'),
      await insertOf(client, options, 'timeline_event', eventColumns, 'template.payment_id = $2'),
      ...(options.schema === 'public' && options.dueAt !== null ? [checkOf(options.dueAt)] : []),
    ];
    const [oldest, newest] = options.ageSeconds;
    const now = new Date();
    for (let start = 0; start < options.count; start += CHUNK) {
      const end = Math.min(start + CHUNK, options.count) - 1;
      const values = [options.merchantId, options.templateId, options.label, start, end, options.count, oldest, newest, now];
      for (const text of statements) await client.query(text, values);
    }
    await client.query('RESET session_replication_role');
  } finally {
    client.release();
  }
  // As autovacuum does within a minute: without statistics the planner finds an attempt through all attempts of its account.
  const tables = [
    'payment',
    'attempt',
    'timeline_event',
    'gateway_webhook',
    ...(options.schema === 'public' ? ['payment_check'] : []),
  ];
  const command = options.count >= CHUNK ? 'VACUUM (ANALYZE)' : 'ANALYZE';
  for (const table of tables) await pool.query(`${command} ${options.schema}.${table}`);
}

type Documents = 'routing' | 'routingInputs' | 'session' | 'fallbackGateways';

/** The JSON of a payment's documents. */
export async function readTemplate(
  pool: Pick<pg.Pool, 'query'>,
  key: { readonly merchantId: string; readonly paymentId: string },
): Promise<Readonly<Record<Documents, string>>> {
  const { rows } = await pool.query<Record<'packedDecision' | 'packedSession', Buffer>>(
    `SELECT packed_decision AS "packedDecision", packed_session AS "packedSession" FROM payment WHERE merchant_id = $1 AND id = $2`,
    [key.merchantId, key.paymentId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the payment that all are copies of is gone');
  const { routing, inputs } = unpackDecision(row.packedDecision);
  return { routing, routingInputs: inputs, ...unpackSession(key, row.packedSession) };
}

/** The documents as columns of the floor, which packs nothing. */
async function floorDocuments(
  client: pg.PoolClient,
  { merchantId, templateId }: SeedOptions,
): Promise<Readonly<Record<string, string>>> {
  const documents = await readTemplate(client, { merchantId, paymentId: templateId });
  return {
    routing: pg.escapeLiteral(documents.routing),
    routing_inputs: pg.escapeLiteral(documents.routingInputs),
    session: pg.escapeLiteral(documents.session),
    fallback_gateways: pg.escapeLiteral(documents.fallbackGateways),
  };
}

const AT = `($9::timestamptz - ($7::float8 + ($8::float8 - $7::float8) * n / $6::float8) * interval '1 second')`;
/** A UUIDv7 of that moment: the same for the same label, number and kind. */
const idOf = (kind: string): string =>
  `overlay(overlay(md5('${kind}' || $3::text || n) PLACING lpad(to_hex(floor(extract(epoch FROM ${AT}) * 1000)::bigint), 12, '0') || '7' FROM 1)
    PLACING '8' FROM 17)::uuid`;

const REFERENCE = `'sy' || replace(${idOf('payment')}::text, '-', '') || '00'`;

function paymentColumns({ schema, status, dueAt }: SeedOptions): Readonly<Record<string, string>> {
  return {
    id: idOf('payment'),
    merchant_order_id: `$3::text || '-' || n`,
    status: `'${status}'`,
    current_attempt_id: idOf('attempt'),
    gateway_reference: REFERENCE,
    status_event_id: `md5('event' || $3::text || n)::uuid`,
    ...(schema === 'floor' && { next_check_at: dueText(dueAt) }),
    expires_at: `${AT} + interval '1 hour'`,
    status_changed_at: AT,
    created_at: AT,
    updated_at: AT,
  };
}

function dueText(dueAt: Date | null): string {
  return dueAt === null ? 'NULL' : `'${dueAt.toISOString()}'`;
}

/** When each of the product's payments is checked next. */
function checkOf(dueAt: Date): string {
  return `INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT $1, ${idOf('payment')}, ${dueText(dueAt)}, false
    FROM payment AS template, generate_series($4::int, $5::int) AS n WHERE template.merchant_id = $1 AND template.id = $2`;
}

function attemptColumns({ status }: SeedOptions): Readonly<Record<string, string>> {
  return {
    id: idOf('attempt'),
    payment_id: idOf('payment'),
    reference: REFERENCE,
    state: status === 'SUCCESS' ? `'PAID'` : `'OPENED'`,
    created_at: AT,
    updated_at: AT,
  };
}

const eventColumns = {
  id: `md5(template.type || $3::text || n)::uuid`,
  payment_id: idOf('payment'),
  created_at: AT,
};

/** Every column not named here is the template's. */
async function insertOf(
  client: pg.PoolClient,
  { schema }: SeedOptions,
  table: string,
  changed: Readonly<Record<string, string>>,
  which: string,
): Promise<string> {
  const { rows } = await client.query(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
     INTERSECT SELECT attname FROM pg_attribute WHERE attrelid = $2::regclass AND attnum > 0 AND NOT attisdropped`,
    [`public.${table}`, `${schema}.${table}`],
  );
  const columns = [...new Set([...columnsSchema.parse(rows).map(({ name }) => name), ...Object.keys(changed)])];
  const values = columns.map((name) => changed[name] ?? `template.${name}`);
  return `INSERT INTO ${schema}.${table} (${columns.join(', ')}) SELECT ${values.join(', ')}
    FROM public.${table} AS template, generate_series($4::int, $5::int) AS n WHERE template.merchant_id = $1 AND ${which}`;
}
