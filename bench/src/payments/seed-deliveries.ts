import { packEventBody } from '@switchyard/webhooks/events/packed';
import type pg from 'pg';
import type { Schema } from './seed-payments.ts';

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
