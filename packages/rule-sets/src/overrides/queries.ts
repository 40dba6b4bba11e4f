import { type Database, isUuid } from '@switchyard/db';
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

interface OverrideKey {
  readonly merchantId: string;
  readonly accountId: string;
  /** Null for all methods. */
  readonly method: string | null;
}

/** The override in force for exactly this account and method, or null. Those that are planned are not. */
export async function findActiveOverride(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, method }: OverrideKey,
  now: Date,
): Promise<RoutingOverride | null> {
  return transaction.routingOverride.findFirst({
    where: { merchantId, accountId, method, endedAt: null, OR: [{ startsAt: null }, { startsAt: { lte: now } }] },
    orderBy: { id: 'desc' },
  });
}

/** The first override of exactly this account and method that is planned and would apply within a time; null without one. */
export async function findPlannedOverride(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, method }: OverrideKey,
  { now, from, to }: { readonly now: Date; readonly from: Date; readonly to: Date | null },
): Promise<RoutingOverride | null> {
  const planned = { gt: now, ...(to !== null && { lt: to }) };
  return transaction.routingOverride.findFirst({
    where: {
      merchantId,
      accountId,
      method,
      endedAt: null,
      startsAt: planned,
      OR: [{ expiresAt: null }, { expiresAt: { gt: from } }],
    },
    orderBy: { startsAt: 'asc' },
  });
}

const LISTED_MAX = 200;

/** Overrides of these accounts that applied at some time of a period, or were set in it, in the order they were set; at most 200. */
export async function listOverridesWithin(
  { prisma }: Database,
  { merchantIds, accountIds }: { readonly merchantIds: readonly string[]; readonly accountIds: readonly string[] },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<RoutingOverride[]> {
  return prisma.routingOverride.findMany({
    where: {
      merchantId: { in: [...merchantIds] },
      accountId: { in: [...accountIds] },
      createdAt: { lte: to },
      AND: [{ OR: [{ endedAt: null }, { endedAt: { gte: from } }] }, { OR: [{ expiresAt: null }, { expiresAt: { gte: from } }] }],
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: LISTED_MAX,
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
