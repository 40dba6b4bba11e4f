import type { Database } from '@switchyard/db';
import { isUuid } from '@switchyard/db';
import type { Mode, Prisma, WebhookEndpoint } from '@switchyard/db/client';

/** The public fields of an endpoint, without its secrets, which only {@link findEndpointSecrets} returns. */
export type ListedWebhookEndpoint = Omit<WebhookEndpoint, 'secrets'>;

const withoutSecrets = { secrets: true } as const;

/** Identifies an endpoint of a merchant. */
export interface WebhookEndpointKey {
  readonly merchantId: string;
  readonly endpointId: string;
}

/** An endpoint to store, its secrets encrypted. */
export type NewWebhookEndpoint = Pick<
  WebhookEndpoint,
  'merchantId' | 'id' | 'mode' | 'url' | 'description' | 'types' | 'format' | 'secrets' | 'enabled'
>;

/** Inserts an endpoint in the caller's transaction and returns it without its secrets. */
export async function insertWebhookEndpoint(
  transaction: Prisma.TransactionClient,
  endpoint: NewWebhookEndpoint,
  now: Date,
): Promise<ListedWebhookEndpoint> {
  return transaction.webhookEndpoint.create({ data: { ...endpoint, createdAt: now, updatedAt: now }, omit: withoutSecrets });
}

/** An endpoint that has not been removed, or null. Any text is accepted as id. */
export async function findWebhookEndpoint(
  client: Prisma.TransactionClient,
  { merchantId, endpointId }: WebhookEndpointKey,
): Promise<ListedWebhookEndpoint | null> {
  if (!isUuid(merchantId) || !isUuid(endpointId)) return null;
  return client.webhookEndpoint.findUnique({
    where: { merchantId_id: { merchantId, id: endpointId }, removedAt: null },
    omit: withoutSecrets,
  });
}

/** The sealed signing secrets of an endpoint, newest first. */
export async function findEndpointSecrets(
  transaction: Prisma.TransactionClient,
  { merchantId, endpointId }: WebhookEndpointKey,
): Promise<readonly string[]> {
  const found = await transaction.webhookEndpoint.findUnique({
    where: { merchantId_id: { merchantId, id: endpointId } },
    select: { secrets: true },
  });
  return found?.secrets ?? [];
}

/** Changes the fields given. Throws when the merchant has no such endpoint. */
export async function updateWebhookEndpoint(
  transaction: Prisma.TransactionClient,
  { merchantId, endpointId }: WebhookEndpointKey,
  changes: Partial<Omit<WebhookEndpoint, 'merchantId' | 'id' | 'mode' | 'createdAt' | 'updatedAt'>>,
  now: Date,
): Promise<ListedWebhookEndpoint> {
  return transaction.webhookEndpoint.update({
    where: { merchantId_id: { merchantId, id: endpointId } },
    data: { ...changes, updatedAt: now },
    omit: withoutSecrets,
  });
}

/** Endpoints of a merchant and mode that have not been removed. */
export async function countWebhookEndpoints(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  mode: Mode,
): Promise<number> {
  return transaction.webhookEndpoint.count({ where: { merchantId, mode, removedAt: null } });
}

/** Selects endpoints of these merchants in one mode, at most `limit`. */
export interface WebhookEndpointQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Only endpoints that are failing, or were disabled because of it. */
  readonly inTrouble?: boolean;
  readonly limit: number;
}

/** Endpoints of merchants that have not been removed, oldest first. */
export async function listWebhookEndpoints(
  database: Database,
  { merchantIds, mode, inTrouble = false, limit }: WebhookEndpointQuery,
): Promise<ListedWebhookEndpoint[]> {
  const trouble = { OR: [{ enabled: true, failingSince: { not: null } }, { disabledReason: { in: ['failing', 'gone'] } }] };
  return database.prisma.webhookEndpoint.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode, removedAt: null, ...(inTrouble && trouble) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit,
    omit: withoutSecrets,
  });
}

/** The results of deliveries to an endpoint since a time, and its pending ones. */
export interface EndpointTraffic {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly attempts: number;
  readonly delivered: number;
  readonly waiting: number;
  readonly oldestWaitingAt: Date | null;
}

// An attempt that delivers at once is counted by when it was recorded.
const TRAFFIC = `
SELECT e.merchant_id AS "merchantId", e.id AS "endpointId", t.attempts + o.delivered AS attempts, t.delivered + o.delivered AS delivered,
  w.waiting, w.oldest AS "oldestWaitingAt"
FROM webhook_endpoint AS e,
  LATERAL (SELECT count(*)::int AS attempts, (count(*) FILTER (WHERE delivered))::int AS delivered FROM webhook_delivery_attempt
    WHERE merchant_id = e.merchant_id AND endpoint_id = e.id AND started_at >= $3) AS t,
  LATERAL (SELECT count(*)::int AS delivered FROM webhook_delivery
    WHERE merchant_id = e.merchant_id AND endpoint_id = e.id AND created_at >= $3 AND url IS NOT NULL) AS o,
  LATERAL (SELECT count(*)::int AS waiting, min(d.created_at) AS oldest FROM due_delivery AS due
    JOIN webhook_delivery AS d ON d.merchant_id = due.merchant_id AND d.id = due.delivery_id
    WHERE due.merchant_id = e.merchant_id AND due.endpoint_id = e.id) AS w
WHERE e.merchant_id = ANY ($1::uuid[]) AND e.id = ANY ($2::uuid[])`;

/** Attempts and pending deliveries of endpoints since a time. Endpoints that no longer exist are left out. */
export async function readEndpointTraffic(
  database: Database,
  endpoints: readonly { readonly merchantId: string; readonly id: string }[],
  since: Date,
): Promise<EndpointTraffic[]> {
  if (endpoints.length === 0) return [];
  const values = [endpoints.map((one) => one.merchantId), endpoints.map((one) => one.id), since];
  const { rows } = await database.pool.query<EndpointTraffic>({ name: 'read-endpoint-traffic', text: TRAFFIC, values });
  return rows;
}

/** Gives up all pending deliveries of an endpoint. Returns how many. */
export async function giveUpDeliveries(
  transaction: Prisma.TransactionClient,
  { merchantId, endpointId }: WebhookEndpointKey,
  now: Date,
): Promise<number> {
  return transaction.$executeRaw`
    UPDATE webhook_delivery AS d SET state = 'FAILED', next_attempt_at = NULL, due_at = NULL,
      settled_attempts = CASE WHEN d.attempts <> 1 THEN d.attempts END, updated_at = ${now}::timestamptz
    FROM due_delivery AS due
    WHERE due.merchant_id = ${merchantId}::uuid AND due.endpoint_id = ${endpointId}::uuid
      AND d.merchant_id = due.merchant_id AND d.id = due.delivery_id AND d.state = 'PENDING'`;
}
