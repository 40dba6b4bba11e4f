import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { WebhooksContext } from '../context.ts';
import {
  type EndpointTraffic,
  findWebhookEndpoint,
  type ListedWebhookEndpoint,
  listWebhookEndpoints,
  readEndpointTraffic,
  type WebhookEndpointKey,
} from './queries.ts';

const ENDPOINTS_LISTED_MAX = 500;
const DAY_MS = 24 * 3_600_000;

/** An endpoint with the attempts of the last 24 hours. */
export interface EndpointInList extends ListedWebhookEndpoint {
  readonly traffic: Pick<EndpointTraffic, 'attempts' | 'delivered' | 'waiting' | 'oldestWaitingAt'>;
}

/** Selects endpoints of these merchants in one mode. */
export interface ListEndpointsQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Only endpoints that are failing, or were disabled because of it. */
  readonly inTrouble?: boolean;
}

/** Endpoints of merchants, oldest first, at most 500. Never their secrets. */
export async function listEndpoints(context: WebhooksContext, query: ListEndpointsQuery): Promise<EndpointInList[]> {
  const endpoints = await listWebhookEndpoints(context.resources.database, { ...query, limit: ENDPOINTS_LISTED_MAX });
  return withTraffic(context, endpoints);
}

/** One endpoint, or null. Any text is accepted as id. */
export async function findEndpoint(context: WebhooksContext, key: WebhookEndpointKey): Promise<EndpointInList | null> {
  const endpoint = await findWebhookEndpoint(context.resources.database.prisma, key);
  const [found] = await withTraffic(context, endpoint === null ? [] : [endpoint]);
  return found ?? null;
}

async function withTraffic(context: WebhooksContext, endpoints: readonly ListedWebhookEndpoint[]): Promise<EndpointInList[]> {
  const since = new Date(context.now().getTime() - DAY_MS);
  const traffic = await readEndpointTraffic(context.resources.database, endpoints, since);
  return endpoints.map((endpoint) => {
    const own = traffic.find(({ endpointId }) => endpointId === endpoint.id);
    const { attempts = 0, delivered = 0, waiting = 0, oldestWaitingAt = null } = own ?? {};
    return { ...endpoint, traffic: { attempts, delivered, waiting, oldestWaitingAt } };
  });
}

/** An endpoint that the worker switched off. */
export interface DisabledEndpoint {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly mode: Mode;
  readonly url: string;
  /** `gone`: it answered 410; `failing`: every attempt failed for days. */
  readonly reason: 'gone' | 'failing';
  readonly disabledAt: Date;
}

/** Most endpoints listed. */
const LISTED_MAX = 1_000;

/** Endpoints of these merchants, all with null, that were switched off because they failed or answered that they are gone, latest first. */
export async function listDisabledEndpoints(
  database: Database,
  merchantIds: readonly string[] | null,
): Promise<DisabledEndpoint[]> {
  const ofMerchants = merchantIds === null ? {} : { merchantId: { in: [...merchantIds] } };
  const rows = await database.prisma.webhookEndpoint.findMany({
    where: { enabled: false, removedAt: null, disabledReason: { in: ['failing', 'gone'] }, ...ofMerchants },
    orderBy: [{ disabledAt: 'desc' }, { id: 'desc' }],
    take: LISTED_MAX,
    select: { merchantId: true, id: true, mode: true, url: true, disabledReason: true, disabledAt: true, updatedAt: true },
  });
  return rows.map(({ merchantId, id, mode, url, disabledReason, disabledAt, updatedAt }) => ({
    merchantId,
    endpointId: id,
    mode,
    url,
    reason: disabledReason === 'gone' ? 'gone' : 'failing',
    disabledAt: disabledAt ?? updatedAt,
  }));
}

const CHANGES_LISTED_MAX = 500;
const LIST = `
SELECT endpoint.merchant_id AS "merchantId", endpoint.id AS "endpointId", endpoint.mode, endpoint.url, max(entry.created_at) AS at
FROM webhook_endpoint AS endpoint
JOIN audit_entry AS entry ON entry.tenant_id = endpoint.merchant_id AND entry.object_id = endpoint.id::text
WHERE endpoint.merchant_id = ANY($1::uuid[]) AND endpoint.removed_at IS NULL AND entry.actor = $2
GROUP BY 1, 2, 3, 4 ORDER BY at DESC LIMIT ${CHANGES_LISTED_MAX}`;

/** An endpoint, and when a staff user added or last changed it. */
export interface ChangedEndpoint {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly mode: Mode;
  readonly url: string;
  readonly at: Date;
}

/** Endpoints of these merchants that a staff user added or changed and that were not removed, latest change first, at most 500. */
export async function listEndpointsChangedBy(
  { resources }: Pick<WebhooksContext, 'resources'>,
  { merchantIds, actor }: { readonly merchantIds: readonly string[]; readonly actor: string },
): Promise<ChangedEndpoint[]> {
  const values = [merchantIds, actor];
  return (await resources.database.pool.query<ChangedEndpoint>({ name: 'list-endpoints-changed-by', text: LIST, values })).rows;
}

/** An endpoint that is switched on and whose certificate expires soon, or has expired. */
export interface ExpiringCertificate {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly mode: Mode;
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Endpoints of these merchants, all with null, whose certificate, as the latest delivery saw it, expires before a time; the first to
 * expire first.
 */
export async function listExpiringCertificates(
  database: Database,
  merchantIds: readonly string[] | null,
  before: Date,
): Promise<ExpiringCertificate[]> {
  const ofMerchants = merchantIds === null ? {} : { merchantId: { in: [...merchantIds] } };
  const rows = await database.prisma.webhookEndpoint.findMany({
    where: { enabled: true, removedAt: null, certificateExpiresAt: { lt: before }, ...ofMerchants },
    orderBy: [{ certificateExpiresAt: 'asc' }, { id: 'asc' }],
    take: LISTED_MAX,
    select: { merchantId: true, id: true, mode: true, url: true, certificateExpiresAt: true },
  });
  return rows.flatMap(({ merchantId, id, mode, url, certificateExpiresAt }) => {
    return certificateExpiresAt === null ? [] : [{ merchantId, endpointId: id, mode, url, expiresAt: certificateExpiresAt }];
  });
}
