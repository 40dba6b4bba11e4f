import { type Database, isUuid, NIL_ID } from '@switchyard/db';
import type { Mode, Prisma, RoutingOverride } from '@switchyard/db/client';

/** Inserts an override in the caller's transaction. */
export async function insertRoutingOverride(
  transaction: Prisma.TransactionClient,
  override: Omit<RoutingOverride, 'endedAt' | 'endedBy' | 'troubledAt' | 'recoveredAt'>,
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

/** Identifies what overrides replace each other for: an account, or a gateway in one mode. */
export interface OverrideKey {
  readonly merchantId: string;
  /** Null for a gateway. */
  readonly accountId: string | null;
  readonly gateway: string | null;
  readonly mode: Mode | null;
  /** Null for all methods. */
  readonly method: string | null;
}

/** The active override for exactly this account and method, or null. Those that are planned are not. */
export async function findActiveOverride(
  transaction: Prisma.TransactionClient,
  key: OverrideKey,
  now: Date,
): Promise<RoutingOverride | null> {
  return transaction.routingOverride.findFirst({
    where: { ...key, endedAt: null, OR: [{ startsAt: null }, { startsAt: { lte: now } }] },
    orderBy: { id: 'desc' },
  });
}

/** The first override of exactly this account and method that is planned and would apply within a time; null without one. */
export async function findPlannedOverride(
  transaction: Prisma.TransactionClient,
  key: OverrideKey,
  { now, from, to }: { readonly now: Date; readonly from: Date; readonly to: Date | null },
): Promise<RoutingOverride | null> {
  const planned = { gt: now, ...(to !== null && { lt: to }) };
  return transaction.routingOverride.findFirst({
    where: {
      ...key,
      endedAt: null,
      startsAt: planned,
      OR: [{ expiresAt: null }, { expiresAt: { gt: from } }],
    },
    orderBy: { startsAt: 'asc' },
  });
}

const LISTED_MAX = 200;

/**
 * Overrides of these accounts, and those of whole gateways in a mode, that applied at some time of a period, or were set in it, in the order
 * they were set; at most 200.
 */
export async function listOverridesWithin(
  { prisma }: Database,
  {
    merchantIds,
    accountIds,
    gateways,
    mode,
  }: {
    readonly merchantIds: readonly string[];
    readonly accountIds: readonly string[];
    readonly gateways: readonly string[];
    readonly mode: Mode;
  },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<RoutingOverride[]> {
  return prisma.routingOverride.findMany({
    where: {
      merchantId: { in: [...merchantIds, NIL_ID] },
      createdAt: { lte: to },
      AND: [
        { OR: [{ accountId: { in: [...accountIds] } }, { gateway: { in: [...gateways] }, mode }] },
        { OR: [{ endedAt: null }, { endedAt: { gte: from } }] },
        { OR: [{ expiresAt: null }, { expiresAt: { gte: from } }] },
      ],
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

/** Notes the gateway's health at an override that is as it was read. False where it has changed or ended meanwhile. */
export async function noteHealth(
  transaction: Prisma.TransactionClient,
  { merchantId, id, troubledAt, recoveredAt }: RoutingOverride,
  next: Pick<RoutingOverride, 'troubledAt' | 'recoveredAt'>,
): Promise<boolean> {
  const where = { merchantId, id, troubledAt, recoveredAt, endedAt: null };
  return (await transaction.routingOverride.updateMany({ where, data: next })).count === 1;
}

/** Closes the rows of a merchant's expired overrides, so that few open rows remain. */
export async function closeExpiredOverrides(transaction: Prisma.TransactionClient, merchantId: string, now: Date): Promise<void> {
  await transaction.$executeRaw`
    UPDATE routing_override SET ended_at = expires_at, ended_by = 'system:expiry'
    WHERE merchant_id = ${merchantId}::uuid AND ended_at IS NULL AND expires_at <= ${now}`;
}
