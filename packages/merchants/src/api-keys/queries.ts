import type { Database } from '@switchyard/db';
import { isUuid } from '@switchyard/db';
import type { ApiKey, Mode, Prisma } from '@switchyard/db/client';

/** A key as it may be shown: without the hash of its secret. */
export type ListedApiKey = Omit<ApiKey, 'secretHash'>;

const withoutHash = { secretHash: true } as const;

/** Inserts a key in the caller's transaction and returns it without its hash. */
export async function insertApiKey(
  transaction: Prisma.TransactionClient,
  key: Omit<ApiKey, 'lastUsedAt' | 'revokedAt'>,
): Promise<ListedApiKey> {
  return transaction.apiKey.create({ data: { ...key, secretHash: new Uint8Array(key.secretHash) }, omit: withoutHash });
}

/** A key without its hash; null when the merchant has none of this id. */
export async function findApiKey(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  keyId: string,
): Promise<ListedApiKey | null> {
  if (!isUuid(keyId)) return null;
  return transaction.apiKey.findUnique({ where: { merchantId_id: { merchantId, id: keyId } }, omit: withoutHash });
}

/** The names of merchants' keys by id; of those that exist. */
export async function readApiKeyNames(
  database: Database,
  merchantIds: readonly string[],
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keyIds.length === 0) return new Map();
  const keys = await database.prisma.apiKey.findMany({
    where: { merchantId: { in: [...merchantIds] }, id: { in: keyIds.filter(isUuid) } },
    select: { id: true, name: true },
  });
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** Where clause of keys that authenticate at `now`. */
export async function countUsableApiKeys(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  mode: Mode,
  now: Date,
): Promise<number> {
  return transaction.apiKey.count({
    where: { merchantId, mode, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
}

/** Revokes a key, or sets when it expires. Throws when the merchant has no such key. */
export async function endApiKey(
  transaction: Prisma.TransactionClient,
  key: { merchantId: string; id: string },
  end: { expiresAt: Date } | { revokedAt: Date },
): Promise<ListedApiKey> {
  const { merchantId, id } = key;
  return transaction.apiKey.update({ where: { merchantId_id: { merchantId, id } }, data: end, omit: withoutHash });
}

/** Changes a key's name and restrictions. Throws when the merchant has no such key. */
export async function updateApiKey(
  transaction: Prisma.TransactionClient,
  { merchantId, id }: Pick<ApiKey, 'merchantId' | 'id'>,
  { name, scopes, allowedAddresses }: Pick<ApiKey, 'name' | 'scopes' | 'allowedAddresses'>,
): Promise<ListedApiKey> {
  const data = { name, scopes, allowedAddresses };
  return transaction.apiKey.update({ where: { merchantId_id: { merchantId, id } }, data, omit: withoutHash });
}

/** A merchant's keys, newest first. */
export async function listApiKeys(
  database: Database,
  merchantId: string,
  filter: { mode?: Mode; limit: number },
): Promise<ListedApiKey[]> {
  if (!isUuid(merchantId)) return [];
  return database.prisma.apiKey.findMany({
    where: { merchantId, ...(filter.mode && { mode: filter.mode }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: filter.limit,
    omit: withoutHash,
  });
}

/** How many requests each of a merchant's keys authenticated since a day, by key id. */
export async function readApiKeyRequests(
  database: Database,
  merchantId: string,
  since: Date,
): Promise<ReadonlyMap<string, number>> {
  const sums = await database.prisma.apiKeyDay.groupBy({
    by: ['keyId'],
    where: { merchantId, day: { gte: since } },
    _sum: { requests: true },
  });
  return new Map(sums.map(({ keyId, _sum }) => [keyId, Number(_sum.requests ?? 0n)]));
}
