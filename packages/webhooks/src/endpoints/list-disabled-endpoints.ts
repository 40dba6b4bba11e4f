import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

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
