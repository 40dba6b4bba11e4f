import type { Database } from '@switchyard/db';
import type { Prisma, RetentionProgress, RetentionSetting } from '@switchyard/db/client';
import type { RetentionKind } from './kinds.ts';

const ROWS_MAX = 1_000_000;

/** All settings, or those of these owners. */
export function readSettings(
  prisma: Database['prisma'] | Prisma.TransactionClient,
  merchantIds?: readonly string[],
): Promise<RetentionSetting[]> {
  const where = merchantIds === undefined ? {} : { merchantId: { in: [...merchantIds] } };
  return prisma.retentionSetting.findMany({ where, take: ROWS_MAX });
}

/** Stores a setting; null days removes it, so that the next wider one applies. */
export async function writeSetting(
  transaction: Prisma.TransactionClient,
  { merchantId, kind, days }: { readonly merchantId: string; readonly kind: RetentionKind; readonly days: number | null },
): Promise<void> {
  if (days === null) {
    await transaction.retentionSetting.deleteMany({ where: { merchantId, kind } });
    return;
  }
  const where = { merchantId_kind: { merchantId, kind } };
  await transaction.retentionSetting.upsert({ where, create: { merchantId, kind, days }, update: { days } });
}

/** The progress of every kind, of all owners or of these. */
export function readProgress({ prisma }: Database, merchantIds?: readonly string[]): Promise<RetentionProgress[]> {
  const where = merchantIds === undefined ? {} : { merchantId: { in: [...merchantIds] } };
  return prisma.retentionProgress.findMany({ where, take: ROWS_MAX });
}

/** Stores the progress of one kind of one owner. */
export async function writeProgress({ prisma }: Database, progress: RetentionProgress): Promise<void> {
  const { merchantId, kind, ...values } = progress;
  const where = { merchantId_kind: { merchantId, kind } };
  await prisma.retentionProgress.upsert({ where, create: progress, update: values });
}

/** Ids of all merchants. */
export async function readMerchantIds({ prisma }: Database): Promise<string[]> {
  const rows = await prisma.merchant.findMany({ select: { id: true }, orderBy: { id: 'asc' }, take: ROWS_MAX });
  return rows.map(({ id }) => id);
}
