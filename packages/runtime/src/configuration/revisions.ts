import { isUuid } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

/**
 * Locks a merchant's configuration for writing until the transaction ends: changes of one merchant happen one after the other.
 * False when there is no such merchant.
 */
export async function lockConfiguration(transaction: Prisma.TransactionClient, merchantId: string): Promise<boolean> {
  if (!isUuid(merchantId)) return false;
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT revision FROM configuration_revision WHERE merchant_id = ${merchantId}::uuid FOR UPDATE`;
  return rows.length === 1;
}

/** Increments the merchant's revision and notifies listening processes at commit. Returns the new revision. */
export async function raiseConfigurationRevision(transaction: Prisma.TransactionClient, merchantId: string): Promise<number> {
  const { revision } = await transaction.configurationRevision.upsert({
    where: { merchantId },
    create: { merchantId, revision: 1 },
    update: { revision: { increment: 1 } },
  });
  await transaction.$executeRaw`SELECT pg_notify('configuration', ${merchantId})`;
  return revision;
}
