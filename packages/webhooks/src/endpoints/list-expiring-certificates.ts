import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** An endpoint that is switched on and whose certificate expires soon, or has expired. */
export interface ExpiringCertificate {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly mode: Mode;
  readonly url: string;
  readonly expiresAt: Date;
}

/** Most endpoints listed. */
const LISTED_MAX = 1_000;

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
