import { isUuid } from '@switchyard/db';
import type { Prisma, RoutingOverride } from '@switchyard/db/client';

/** Inserts an override in the caller's transaction. */
export async function insertRoutingOverride(
  transaction: Prisma.TransactionClient,
  override: Omit<RoutingOverride, 'endedAt' | 'endedBy'>,
): Promise<RoutingOverride> {
  return transaction.routingOverride.create({ data: override });
}

/** An override, ended or not; null when the merchant has none of this id. */
export async function findRoutingOverride(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  overrideId: string,
): Promise<RoutingOverride | null> {
  if (!isUuid(overrideId)) return null;
  return transaction.routingOverride.findUnique({ where: { merchantId_id: { merchantId, id: overrideId } } });
}

/** The override in force for exactly this account and method (null: all methods), or null. */
export async function findActiveOverride(
  transaction: Prisma.TransactionClient,
  key: { merchantId: string; accountId: string; method: string | null },
): Promise<RoutingOverride | null> {
  const { merchantId, accountId, method } = key;
  return transaction.routingOverride.findFirst({
    where: { merchantId, accountId, method, endedAt: null },
    orderBy: { id: 'desc' },
  });
}

/** Records who ended an override and when. Throws when the merchant has no such override. */
export async function endRoutingOverride(
  transaction: Prisma.TransactionClient,
  override: { merchantId: string; id: string },
  end: { endedAt: Date; endedBy: string },
): Promise<RoutingOverride> {
  const { merchantId, id } = override;
  return transaction.routingOverride.update({ where: { merchantId_id: { merchantId, id } }, data: end });
}

/** Closes the rows of a merchant's expired overrides, so that few open rows remain. */
export async function closeExpiredOverrides(transaction: Prisma.TransactionClient, merchantId: string, now: Date): Promise<void> {
  await transaction.$executeRaw`
    UPDATE routing_override SET ended_at = expires_at, ended_by = 'system:expiry'
    WHERE merchant_id = ${merchantId}::uuid AND ended_at IS NULL AND expires_at <= ${now}`;
}
