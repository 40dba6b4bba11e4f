import type { Mode } from '@switchyard/db/client';
import type { WebhooksContext } from '../context.ts';

const LISTED_MAX = 500;
const LIST = `
SELECT endpoint.merchant_id AS "merchantId", endpoint.id AS "endpointId", endpoint.mode, endpoint.url, max(entry.created_at) AS at
FROM webhook_endpoint AS endpoint
JOIN audit_entry AS entry ON entry.tenant_id = endpoint.merchant_id AND entry.object_id = endpoint.id::text
WHERE endpoint.merchant_id = ANY($1::uuid[]) AND endpoint.removed_at IS NULL AND entry.actor = $2
GROUP BY 1, 2, 3, 4 ORDER BY at DESC LIMIT ${LISTED_MAX}`;

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
