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
