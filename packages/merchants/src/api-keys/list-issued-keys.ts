import type { MerchantsContext } from '../context.ts';
import type { ListedApiKey } from './queries.ts';

const KEYS_MAX = 500;

/** Keys of these merchants that a staff user issued or rotated and that still work, newest first, at most 500. */
export function listIssuedKeys(
  { resources, now }: MerchantsContext,
  { merchantIds, actor }: { readonly merchantIds: readonly string[]; readonly actor: string },
): Promise<ListedApiKey[]> {
  return resources.database.prisma.apiKey.findMany({
    where: {
      merchantId: { in: [...merchantIds] },
      createdBy: actor,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now() } }],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: KEYS_MAX,
    omit: { secretHash: true },
  });
}
