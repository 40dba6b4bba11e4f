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

/** Makes the floor's tables: the product's columns and indexes, without its triggers and foreign keys. */
export async function createFloorTables(pool: pg.Pool): Promise<void> {
  await pool.query('CREATE SCHEMA floor');
  for (const table of TABLES) await pool.query(`CREATE TABLE floor.${table} (LIKE public.${table} INCLUDING ALL)`);
}
