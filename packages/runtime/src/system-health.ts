import { type Database, pingDatabase } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { RuntimeContext } from './resources.ts';

/** The health of the dependencies of this process. */
export interface SystemHealth {
  readonly checkedAt: Date;
  readonly database: { readonly up: boolean; readonly latencyMs: number | null };
  /** Configuration is served from memory and refreshed every second; stale when that fails. */
  readonly configuration: { readonly readAt: Date | null; readonly ageMs: number | null; readonly current: boolean };
  readonly gateways: readonly GatewayPresence[];
}

/** The number of accounts of the given merchants at a gateway. */
export interface GatewayPresence {
  readonly gateway: string;
  readonly mode: Mode;
  readonly accounts: number;
  readonly enabled: number;
}

const CURRENT_MS = 5_000;

/** Checks the database and the configuration in memory. Never throws: an unavailable part is reported as down. */
export async function readSystemHealth(
  { resources, now }: RuntimeContext<'configuration' | 'database'>,
  merchantIds: readonly string[],
): Promise<SystemHealth> {
  const { configuration } = resources;
  const database = await timePing(resources.database);
  const checkedAt = now();
  const readAt = configuration.readAt();
  const ageMs = readAt === null ? null : Math.max(0, checkedAt.getTime() - readAt.getTime());
  return {
    checkedAt,
    database,
    configuration: { readAt, ageMs, current: ageMs !== null && ageMs <= CURRENT_MS },
    gateways: countGateways(configuration, merchantIds),
  };
}

async function timePing(database: Database): Promise<SystemHealth['database']> {
  const started = performance.now();
  try {
    await pingDatabase(database);
    return { up: true, latencyMs: Math.round((performance.now() - started) * 10) / 10 };
  } catch {
    return { up: false, latencyMs: null };
  }
}

function countGateways(
  configuration: RuntimeContext['resources']['configuration'],
  merchantIds: readonly string[],
): GatewayPresence[] {
  const counts = new Map<string, { gateway: string; mode: Mode; accounts: number; enabled: number }>();
  for (const merchantId of merchantIds) {
    for (const { gateway, mode, enabled } of configuration.merchant(merchantId)?.accounts ?? []) {
      const known = counts.get(`${gateway} ${mode}`) ?? { gateway, mode, accounts: 0, enabled: 0 };
      counts.set(`${gateway} ${mode}`, { ...known, accounts: known.accounts + 1, enabled: known.enabled + (enabled ? 1 : 0) });
    }
  }
  return [...counts.values()].sort((a, b) => a.gateway.localeCompare(b.gateway, 'en') || a.mode.localeCompare(b.mode, 'en'));
}
