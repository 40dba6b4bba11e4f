import type { Database } from '@switchyard/db';
import { listExpiringKeys } from '@switchyard/merchants/api-keys';
import { listSwitchedOffEndpoints } from '@switchyard/webhooks/endpoints';
import type { Condition } from '../incidents/decide-incidents.ts';
import { KINDS } from '../incidents/kinds.ts';

/** Webhook endpoints that were switched off because they failed. */
export async function endpointConditions(database: Database): Promise<Condition[]> {
  const endpoints = await listSwitchedOffEndpoints(database);
  return endpoints.map(({ merchantId, endpointId, mode, url, reason, disabledAt }) => ({
    merchantId,
    mode,
    kind: 'webhook_endpoint_off',
    subject: endpointId,
    severity: KINDS.webhook_endpoint_off.severity,
    since: disabledAt,
    facts: { of: 'endpoint', endpointId, host: URL.parse(url)?.host ?? '', reason },
    opens: true,
  }));
}

/** API keys that will be refused soon. */
export async function keyConditions(database: Database, now: Date): Promise<Condition[]> {
  const keys = await listExpiringKeys(database, now);
  return keys.map(({ merchantId, keyId, mode, name, lastFour, expiresAt, lastUsedAt, replaced }) => ({
    merchantId,
    mode,
    kind: 'api_key_expiring',
    subject: keyId,
    severity: KINDS.api_key_expiring.severity,
    since: now,
    facts: {
      of: 'key',
      name,
      lastFour,
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      replaced,
    },
    opens: true,
  }));
}
