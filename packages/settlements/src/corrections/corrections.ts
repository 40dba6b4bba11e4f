import { readStaffNames } from '@switchyard/staff/staff-names';
import { z } from 'zod';
import { staffIdOf } from '../console/names.ts';
import type { SettlementContext } from '../context.ts';
import type { CorrectionAction } from './compare-file.ts';

export { previewWithdrawal, type WithdrawalOutcome, type WithdrawalPreview, withdraw } from './withdraw.ts';
export {
  previewStatementWithdrawal,
  type StatementWithdrawalOutcome,
  type StatementWithdrawalPreview,
  withdrawStatement,
} from './withdraw-statement.ts';

const figuresSchema = z.object({
  currency: z.string(),
  gross: z.string(),
  fees: z.string(),
  deductions: z.string(),
  net: z.string(),
  settledOn: z.string().nullable(),
  lines: z.int(),
});

/** A change of a payout that people made, the newest first. */
export interface PayoutChangeItem {
  readonly changeId: string;
  readonly action: CorrectionAction;
  readonly before: z.output<typeof figuresSchema>;
  /** Null where it was withdrawn. */
  readonly after: z.output<typeof figuresSchema> | null;
  readonly reason: string;
  /** The file by which it was changed; null where it was withdrawn by itself. */
  readonly fileName: string | null;
  readonly changedByName: string | null;
  readonly changedAt: Date;
}

const CHANGES_MAX = 200;
const actionSchema = z.enum(['replaced', 'extended', 'reduced', 'withdrawn'] satisfies CorrectionAction[]);

/** The changes of a payout, the newest first; null when none of these merchants has it. */
export async function listPayoutChanges(
  { resources }: SettlementContext,
  { merchantIds, settlementId }: { readonly merchantIds: readonly string[]; readonly settlementId: string },
): Promise<PayoutChangeItem[] | null> {
  const { database } = resources;
  const payout = await database.prisma.settlement.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: settlementId },
    select: { merchantId: true },
  });
  if (payout === null) return null;
  const { merchantId } = payout;
  const rows = await database.prisma.intakeChange.findMany({
    where: { merchantId, settlementId },
    orderBy: [{ changedAt: 'desc' }, { id: 'desc' }],
    take: CHANGES_MAX,
  });
  const fileIds = rows.flatMap(({ fileId }) => fileId ?? []);
  const [files, names] = await Promise.all([
    database.prisma.settlementFile.findMany({ where: { merchantId, id: { in: fileIds } }, select: { id: true, name: true } }),
    readStaffNames(
      database,
      rows.flatMap(({ changedBy }) => staffIdOf(changedBy) ?? []),
    ),
  ]);
  const nameOf = new Map(files.map(({ id, name }) => [id, name]));
  return rows.map((row): PayoutChangeItem => {
    return {
      changeId: row.id,
      action: actionSchema.parse(row.action),
      before: figuresSchema.parse(row.before),
      after: row.after === null ? null : figuresSchema.parse(row.after),
      reason: row.reason,
      fileName: nameOf.get(row.fileId ?? '') ?? null,
      changedByName: names.get(staffIdOf(row.changedBy) ?? '') ?? null,
      changedAt: row.changedAt,
    };
  });
}

export type { DiscrepancyEffect, Look } from './rehearse.ts';
export { rehearseWithdrawal, type Withdrawn } from './withdraw.ts';
export { rehearseStatementWithdrawal, type WithdrawnStatement } from './withdraw-statement.ts';
