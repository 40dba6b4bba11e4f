import { listDisabledEndpoints, listEndpoints, listExpiringCertificates } from '@switchyard/webhooks/endpoints';
import { z } from 'zod';
import { incidentKind, taskKind } from './kind.ts';
import { instant, isWas, plural } from './words.ts';

/** Webhook endpoints that were switched off because they failed. */
export const webhookEndpointOff = incidentKind({
  title: 'Webhook endpoint disabled',
  severity: 'warning',
  permission: 'webhook:read',
  sendsRecovery: true,
  /** The host of the address only: a path may hold a secret. */
  facts: z.object({
    of: z.literal('endpoint'),
    endpointId: z.string(),
    host: z.string(),
    reason: z.enum(['gone', 'failing']),
  }),
  async find({ resources }, { merchantIds }) {
    const endpoints = await listDisabledEndpoints(resources.database, merchantIds);
    return endpoints.map(({ merchantId, endpointId, mode, url, reason, disabledAt }) => ({
      merchantId,
      mode,
      kind: 'webhook_endpoint_off' as const,
      subject: endpointId,
      since: disabledAt,
      facts: { of: 'endpoint' as const, endpointId, host: hostOf(url), reason },
    }));
  },
  describe({ endpointId, host, reason }, { ended }) {
    const because = reason === 'gone' ? 'it responded with HTTP 410 Gone' : 'every delivery of five days failed';
    return {
      title: `Webhook endpoint at ${host} ${isWas(ended)} disabled`,
      why: `The endpoint at ${host} was disabled because ${because}; its merchant ${ended ? 'received' : 'receives'} no events.`,
      figures: [],
      action: { path: `/webhooks/endpoints/${endpointId}`, query: {}, label: 'View endpoint' },
    };
  },
});

/** Webhook endpoints that are on and whose deliveries fail. */
export const webhookEndpointFailing = taskKind({
  title: 'Webhook endpoint failing',
  severity: 'warning',
  permission: 'webhook:read',
  /** The attempts of the last 24 hours. Of the address only its host: a path may hold a secret. */
  facts: z.object({
    of: z.literal('failing_endpoint'),
    endpointId: z.string(),
    host: z.string(),
    attempts: z.number(),
    failed: z.number(),
    waiting: z.number(),
  }),
  async find(context, { merchantIds, mode }) {
    const endpoints = await listEndpoints(context, { merchantIds, mode, inTrouble: true });
    return endpoints.flatMap(({ merchantId, id, url, enabled, failingSince, traffic: { attempts, delivered, waiting } }) => {
      if (!enabled) return [];
      const failed = attempts - delivered;
      const facts = { of: 'failing_endpoint' as const, endpointId: id, host: hostOf(url), attempts, failed, waiting };
      return [{ merchantId, subject: id, since: failingSince, facts }];
    });
  },
  describe: ({ endpointId, host, attempts, failed, waiting }, { ended }) => ({
    title: `Webhooks to ${host} ${ended ? 'failed' : 'fail'}`,
    why: ended
      ? `${failed} of ${plural(attempts, 'attempt', 'attempts')} of 24 hours failed.`
      : `${failed} of ${plural(attempts, 'attempt', 'attempts')} of the last 24 hours failed, ${plural(waiting, 'delivery is', 'deliveries are')} waiting.`,
    figures: [],
    action: { path: `/webhooks/endpoints/${endpointId}`, query: {}, label: 'View deliveries' },
  }),
});

const DAY_MS = 24 * 3_600_000;
const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
const CERTIFICATE_CRITICAL_MS = 3 * DAY_MS;

/** Webhook endpoints whose certificate expires soon: a warning in the last 14 days, critical in the last three and afterwards. */
export const certificateExpiring = incidentKind({
  title: 'Certificate expires soon',
  severity: 'warning',
  permission: 'webhook:read',
  sendsRecovery: true,
  facts: z.object({ of: z.literal('certificate'), endpointId: z.string(), host: z.string(), expiresAt: instant }),
  async find({ resources }, { merchantIds, now }) {
    const before = new Date(now.getTime() + CERTIFICATE_WARNING_MS);
    const found = await listExpiringCertificates(resources.database, merchantIds, before);
    return found.map(({ merchantId, endpointId, mode, url, expiresAt }) => ({
      merchantId,
      mode,
      kind: 'certificate_expiring' as const,
      subject: endpointId,
      since: new Date(expiresAt.getTime() - CERTIFICATE_WARNING_MS),
      facts: { of: 'certificate' as const, endpointId, host: hostOf(url), expiresAt: expiresAt.toISOString() },
      ...(expiresAt.getTime() - now.getTime() < CERTIFICATE_CRITICAL_MS && { severity: 'critical' as const }),
    }));
  },
  describe({ endpointId, host, expiresAt }, { clock }) {
    const end = clock.dateAndTimeOf(expiresAt);
    return {
      title: `Certificate of ${host} expires`,
      why: `The certificate of ${host} expires on ${end}; deliveries to it fail from then on.`,
      figures: [{ label: 'Expires', value: end }],
      action: { path: `/webhooks/endpoints/${endpointId}`, query: {}, label: 'View endpoint' },
    };
  },
});

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
