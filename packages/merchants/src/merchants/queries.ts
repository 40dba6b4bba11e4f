import type { Database } from '@switchyard/db';
import { isUuid, toPrismaJson } from '@switchyard/db';
import type { Merchant, Prisma } from '@switchyard/db/client';
import type { MetadataKey } from '@switchyard/routing';

/** Inserts a merchant in the caller's transaction; a number in use breaks its unique index. */
export async function insertMerchant(
  transaction: Prisma.TransactionClient,
  merchant: Omit<Merchant, 'metadataKeys'>,
): Promise<Merchant> {
  const inserted = await transaction.merchant.create({ data: merchant });
  await transaction.tenant.createMany({ data: [{ id: merchant.id }], skipDuplicates: true });
  return inserted;
}

/** Changes the given columns in the caller's transaction. Throws when there is no such merchant. */
export async function updateMerchantRow(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  changes: Partial<Omit<Merchant, 'id' | 'merchantNumber' | 'metadataKeys' | 'createdAt' | 'updatedAt'>>,
  now: Date,
): Promise<Merchant> {
  return transaction.merchant.update({ where: { id: merchantId }, data: { ...changes, updatedAt: now } });
}

/** Replaces the metadata keys that the merchant declares, in the caller's transaction. */
export async function updateMetadataKeys(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  keys: readonly MetadataKey[],
  now: Date,
): Promise<void> {
  await transaction.merchant.update({
    where: { id: merchantId },
    data: { metadataKeys: toPrismaJson(keys), updatedAt: now },
    select: { id: true },
  });
}

/** The merchant; null when there is none, or the id is no UUID. */
export async function findMerchantRow(client: Prisma.TransactionClient, merchantId: string): Promise<Merchant | null> {
  if (!isUuid(merchantId)) return null;
  return client.merchant.findUnique({ where: { id: merchantId } });
}

/** The merchant with this public number; null when there is none. */
export async function findMerchantByNumber(client: Prisma.TransactionClient, merchantNumber: string): Promise<Merchant | null> {
  return client.merchant.findUnique({ where: { merchantNumber } });
}

/** Merchants oldest first, after `afterId`; `search` looks in name and number, in either case. */
export async function listMerchantRows(
  database: Database,
  query: { search?: string; afterId?: string; limit: number },
): Promise<Merchant[]> {
  const contains = query.search === undefined ? undefined : { contains: escapeLike(query.search), mode: 'insensitive' as const };
  return database.prisma.merchant.findMany({
    where: {
      ...(query.afterId !== undefined && { id: { gt: query.afterId } }),
      ...(contains && { OR: [{ name: contains }, { merchantNumber: contains }] }),
    },
    orderBy: { id: 'asc' },
    take: query.limit,
  });
}

/** Prisma passes `%` and `_` to LIKE unescaped. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
