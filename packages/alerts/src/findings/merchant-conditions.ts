import { listExpiringKeys } from '@switchyard/merchants/console/api-keys';
import type { HealthContext } from '@switchyard/provider-health';
import { listDisabledEndpoints, listExpiringCertificates } from '@switchyard/webhooks/endpoints';
import type { Condition, ConditionQuery } from './finding.ts';
import { KINDS } from './kinds.ts';

/** Webhook endpoints that were switched off because they failed. */
export async function endpointConditions({ resources }: HealthContext, { merchantIds }: ConditionQuery): Promise<Condition[]> {
  const endpoints = await listDisabledEndpoints(resources.database, merchantIds);
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

const DAY_MS = 24 * 3_600_000;
const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
const CERTIFICATE_CRITICAL_MS = 3 * DAY_MS;

/** Webhook endpoints whose certificate expires soon: a warning in the last 14 days, critical in the last three and afterwards. */
export async function certificateConditions(
  { resources }: HealthContext,
  { merchantIds, now }: ConditionQuery,
): Promise<Condition[]> {
  const before = new Date(now.getTime() + CERTIFICATE_WARNING_MS);
  const found = await listExpiringCertificates(resources.database, merchantIds, before);
  return found.map(({ merchantId, endpointId, mode, url, expiresAt }) => ({
    merchantId,
    mode,
    kind: 'certificate_expiring',
    subject: endpointId,
    severity: expiresAt.getTime() - now.getTime() < CERTIFICATE_CRITICAL_MS ? 'critical' : KINDS.certificate_expiring.severity,
    since: new Date(expiresAt.getTime() - CERTIFICATE_WARNING_MS),
    facts: {
      of: 'certificate',
      endpointId,
      host: URL.parse(url)?.host ?? '',
      expiresAt: expiresAt.toISOString(),
    },
    opens: true,
  }));
}

/** API keys that will be refused soon. */
export async function keyConditions({ resources }: HealthContext, { merchantIds, now }: ConditionQuery): Promise<Condition[]> {
  const keys = await listExpiringKeys(resources.database, merchantIds, now);
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
