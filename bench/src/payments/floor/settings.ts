import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';
import { z } from 'zod';

/** Settings of the floor: one merchant, one key, one account, and JSON of the product's to be as large as it. */
const floorSettingsSchema = z.object({
  databaseUrl: z.string(),
  publicUrl: z.string(),
  gatewayOrigin: z.string(),
  gatewayHeaders: z.record(z.string(), z.string()),
  gatewaySecret: z.string(),
  merchantId: z.string(),
  merchantNumber: z.string(),
  accountId: z.string(),
  /** HMAC-SHA256 of the API key, in hexadecimal. */
  keyHash: z.string(),
  endpointId: z.string(),
  endpointPath: z.string(),
  endpointSecret: z.string(),
  routing: z.string(),
  routingInputs: z.string(),
  fallbackGateways: z.string(),
});
export type FloorSettings = z.output<typeof floorSettingsSchema>;

export const settings: FloorSettings = floorSettingsSchema.parse(JSON.parse(process.env.FLOOR_SETTINGS ?? '{}'));
/** As many connections as a process of the product has. */
export const database: pg.Pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 16 });
export const gateway: Pool = new Pool(settings.gatewayOrigin, { connections: 128, pipelining: 1 });

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A UUIDv7, as the product's ids are: rows of one time lie together in the indexes. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

export function refuse(statusCode: number, message: string): Answer {
  return { status: statusCode, body: { success: false, statusCode, message, data: null } };
}

/** Asks the gateway for the transaction under a reference. */
export async function askGateway(
  reference: string,
): Promise<{ id: number; status: string; amount: number; fees: number | null }> {
  const path = `/transaction/verify/${reference}`;
  const reply = await gateway.request({ method: 'GET', path, headers: settings.gatewayHeaders });
  const text = await reply.body.text();
  const found = JSON.parse(text).data;
  if (reply.statusCode !== 200 || found.reference !== reference) throw new Error(`the gateway answered ${reply.statusCode}`);
  return found;
}

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
