import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';
import { type FloorSettings, floorSettingsSchema } from './settings.ts';

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
