import { unpackSession } from '@switchyard/payments/testing';
import { unpackDecision } from '@switchyard/rule-sets/store-inputs';
import { packEventBody } from '@switchyard/webhooks/events/packed';
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

export interface SeedDeliveriesOptions {
  readonly schema: Schema;
  readonly merchantId: string;
  readonly endpointId: string;
  /** Sets these apart from all others. */
  readonly label: string;
  readonly count: number;
  readonly dueAt: Date;
}

interface NewEvent {
  readonly id: string;
  readonly paymentId: string;
  readonly body: string;
}

const RECORDS = `
SELECT md5('event' || $1::text || n)::uuid AS id, md5('payment' || $1::text || n)::uuid AS "paymentId",
  json_build_object('id', md5('event' || $1::text || n)::uuid, 'type', 'payment.succeeded', 'createdAt', $3::timestamptz,
    'merchantNumber', '100001', 'data', json_build_object('paymentId', md5('payment' || $1::text || n)::uuid,
      'merchantOrderId', $1::text || '-' || n, 'status', 'SUCCESS', 'executionStatus', 'succeeded', 'currency', 'NGN', 'amount', 2500,
      'gatewayReference', 'sy' || md5($1::text || n) || '00'))::text AS body
FROM generate_series(1, $2::int) AS n`;

/** The floor packs nothing. */
const EVENTS: Readonly<Record<Schema, string>> = {
  public: `INSERT INTO public.merchant_event (merchant_id, id, mode, payment_id, position, type, packed_body, created_at)
    SELECT $1, id, 'test', "paymentId", 3, 'payment.succeeded', decode(body, 'base64'), $2
    FROM json_to_recordset($3) AS event (id uuid, "paymentId" uuid, body text)`,
  floor: `INSERT INTO floor.merchant_event (merchant_id, id, mode, payment_id, position, type, body, created_at)
    SELECT $1, id, 'test', "paymentId", 3, 'payment.succeeded', body, $2
    FROM json_to_recordset($3) AS event (id uuid, "paymentId" uuid, body text)`,
};

const DELIVERIES = `
INSERT INTO SCHEMA.webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts,
  next_attempt_at, due_at, created_at, updated_at)
SELECT $1, md5('delivery' || $2::text || n)::uuid, $5, md5('event' || $2::text || n)::uuid, md5('payment' || $2::text || n)::uuid, 3,
  'payment.succeeded', 'PENDING', 0, $4, $4, $4, $4
FROM generate_series(1, $3::int) AS n`;

/** Writes events of payments that were paid, each with a delivery to one endpoint, due at that moment. */
export async function seedDeliveries(pool: pg.Pool, options: SeedDeliveriesOptions): Promise<void> {
  const { schema, merchantId, label, count, dueAt, endpointId } = options;
  const { rows } = await pool.query<NewEvent>(RECORDS, [label, count, dueAt]);
  const events =
    schema === 'floor' ? rows : rows.map((event) => ({ ...event, body: packEventBody(event, event.body).toString('base64') }));
  await pool.query(EVENTS[schema], [merchantId, dueAt, JSON.stringify(events)]);
  await pool.query(DELIVERIES.replace('SCHEMA', schema), [merchantId, label, count, dueAt, endpointId]);
}

/** How many deliveries of a label have been delivered. */
export async function countDelivered(
  pool: pg.Pool,
  { schema, merchantId, label, count }: SeedDeliveriesOptions,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${schema}.webhook_delivery
    WHERE merchant_id = $1 AND state = 'DELIVERED' AND id IN (SELECT md5('delivery' || $2::text || n)::uuid FROM generate_series(1, $3::int) AS n)`,
    [merchantId, label, count],
  );
  return rows[0]?.count ?? 0;
}
