import { appendAuditEntry } from '@switchyard/db/audit';
import { Prisma } from '@switchyard/db/client';
import type { ReconciliationContext } from './context.ts';

/** The largest tolerance, in main units. */
export const TOLERANCE_MAX = 1_000_000;

/** A merchant's tolerance: staff may accept amounts that differ by no more than it, several at once. Nothing is accepted by itself. */
export interface MerchantTolerance {
  readonly merchantId: string;
  /** Exact decimal of the main unit; `0` where none is set. */
  readonly tolerance: string;
  /** Null where it was never set. */
  readonly updatedAt: Date | null;
}

/** The tolerances of these merchants. */
export async function listTolerances(
  { resources }: ReconciliationContext,
  merchantIds: readonly string[],
): Promise<MerchantTolerance[]> {
  const { prisma } = resources.database;
  const rows = await prisma.reconciliationSetting.findMany({ where: { merchantId: { in: [...merchantIds] } } });
  const known = new Map(rows.map((row) => [row.merchantId, row]));
  return merchantIds.map((merchantId) => {
    const row = known.get(merchantId);
    return { merchantId, tolerance: row?.tolerance.toFixed() ?? '0', updatedAt: row?.updatedAt ?? null };
  });
}

/** Sets a merchant's tolerance, `0` for none. Discrepancies that are already closed stay closed. */
export async function changeTolerance(
  context: ReconciliationContext,
  { merchantId, tolerance, actor }: { readonly merchantId: string; readonly tolerance: string; readonly actor: string },
): Promise<{ readonly kind: 'changed' | 'unchanged' }> {
  const { database, auditKeys } = context.resources;
  return database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const before = await lockTolerance(transaction, merchantId);
    if (new Prisma.Decimal(before).equals(tolerance)) return { kind: 'unchanged' };
    const data = { tolerance, updatedAt: now };
    await transaction.reconciliationSetting.upsert({ where: { merchantId }, create: { merchantId, ...data }, update: data });
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor,
      action: 'reconciliation.tolerance_changed',
      objectType: 'merchant',
      objectId: merchantId,
      before: { tolerance: before },
      after: { tolerance },
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'changed' };
  });
}

/** A merchant's tolerance, locked until the transaction ends. */
export async function lockTolerance(transaction: Prisma.TransactionClient, merchantId: string): Promise<string> {
  const [row] = await transaction.$queryRaw<{ tolerance: string }[]>`
    SELECT trim_scale(tolerance)::text AS tolerance FROM reconciliation_setting WHERE merchant_id = ${merchantId}::uuid FOR UPDATE`;
  return row?.tolerance ?? '0';
}

/** True if an amount is larger than a tolerance; exact decimals of the same unit. */
export function exceeds(amount: string, tolerance: string): boolean {
  return new Prisma.Decimal(amount).greaterThan(tolerance);
}
