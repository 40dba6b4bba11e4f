import type pg from 'pg';

const TABLES = [
  'payment',
  'attempt',
  'timeline_event',
  'merchant_event',
  'gateway_webhook',
  'webhook_delivery',
  'webhook_delivery_attempt',
] as const;

/** Texts as the floor stores them, which packs nothing. */
const UNPACKED = [
  `ALTER TABLE floor.payment ADD COLUMN routing json, ADD COLUMN routing_inputs json, ADD COLUMN session json,
    ADD COLUMN fallback_gateways json, DROP COLUMN packed_decision, DROP COLUMN packed_session`,
  'ALTER TABLE floor.attempt ADD COLUMN call json, DROP COLUMN packed_call',
  'ALTER TABLE floor.merchant_event ADD COLUMN body text NOT NULL, DROP COLUMN packed_body',
  'ALTER TABLE floor.gateway_webhook ADD COLUMN body text NOT NULL, DROP COLUMN packed_body',
];

/**
 * Makes the floor's tables: the product's columns and indexes, without its triggers and foreign keys. When a payment is checked next, and
 * which deliveries are to be made, is in the rows themselves, which the product has tables for.
 */
export async function createFloorTables(pool: pg.Pool): Promise<void> {
  await pool.query('CREATE SCHEMA floor');
  for (const table of TABLES) await pool.query(`CREATE TABLE floor.${table} (LIKE public.${table} INCLUDING ALL)`);
  for (const statement of UNPACKED) await pool.query(statement);
  await pool.query(
    `ALTER TABLE floor.payment ADD COLUMN next_check_at timestamptz(3), ADD COLUMN check_count int NOT NULL DEFAULT 0`,
  );
  await pool.query('CREATE INDEX ON floor.payment (next_check_at) WHERE next_check_at IS NOT NULL');
  await pool.query("CREATE INDEX ON floor.webhook_delivery (merchant_id, endpoint_id, next_attempt_at) WHERE state = 'PENDING'");
}
