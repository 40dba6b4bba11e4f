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

const EVENTS = `
INSERT INTO SCHEMA.merchant_event (merchant_id, id, mode, payment_id, position, type, body, created_at)
SELECT $1, md5('event' || $2::text || n)::uuid, 'test', md5('payment' || $2::text || n)::uuid, 3, 'payment.succeeded',
  json_build_object('id', md5('event' || $2::text || n)::uuid, 'type', 'payment.succeeded', 'createdAt', $4::timestamptz,
    'merchantNumber', '100001', 'data', json_build_object('paymentId', md5('payment' || $2::text || n)::uuid,
      'merchantOrderId', $2::text || '-' || n, 'status', 'SUCCESS', 'executionStatus', 'succeeded', 'currency', 'NGN', 'amount', 2500,
      'gatewayReference', 'sy' || md5($2::text || n) || '00'))::text,
  $4
FROM generate_series(1, $3::int) AS n`;

const DELIVERIES = `
INSERT INTO SCHEMA.webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts,
  next_attempt_at, created_at, updated_at)
SELECT $1, md5('delivery' || $2::text || n)::uuid, $5, md5('event' || $2::text || n)::uuid, md5('payment' || $2::text || n)::uuid, 3,
  'payment.succeeded', 'PENDING', 0, $4, $4, $4
FROM generate_series(1, $3::int) AS n`;

/** Writes events of payments that were paid, each with a delivery to one endpoint, due at that moment. */
export async function seedDeliveries(pool: pg.Pool, options: SeedDeliveriesOptions): Promise<void> {
  const { schema, merchantId, label, count, dueAt, endpointId } = options;
  await pool.query(EVENTS.replace('SCHEMA', schema), [merchantId, label, count, dueAt]);
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
