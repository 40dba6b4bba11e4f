import type { Prisma, SettlementDiscrepancy } from '@switchyard/db/client';
import { type BulkResult, changeEach, changesOf, type Resolution } from '@switchyard/reconciliation/discrepancy-changes';
import { auditDiscrepancy } from '../audit.ts';
import type { SettlementContext } from '../context.ts';

export const {
  note: noteSettlementDiscrepancy,
  assign: assignSettlementDiscrepancy,
  resolve: resolveSettlementDiscrepancy,
  resolveOpen: resolveOpenSettlementDiscrepancy,
  reopen: reopenSettlementDiscrepancy,
} = changesOf({
  actions: 'settlements',
  lock: lockDiscrepancy,
  update: (transaction, { merchantId, id }, data) =>
    transaction.settlementDiscrepancy.update({ where: { merchantId_id: { merchantId, id } }, data }),
  audit: auditDiscrepancy,
});

async function lockDiscrepancy(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  id: string,
): Promise<SettlementDiscrepancy | null> {
  const locked = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM settlement_discrepancy WHERE merchant_id = ${merchantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  if (locked.length === 0) return null;
  return transaction.settlementDiscrepancy.findUnique({ where: { merchantId_id: { merchantId, id } } });
}

/** A change of several discrepancies. */
export type SettlementBulkChange =
  | { readonly kind: 'assign'; readonly ownerId: string | null }
  | { readonly kind: 'note'; readonly note: string | null }
  /** Only those that are open. */
  | ({ readonly kind: 'resolve' } & Resolution)
  | { readonly kind: 'reopen' };

/** Changes several discrepancies, as {@link changeEach} does. */
export function changeSettlementDiscrepancies(
  context: SettlementContext,
  { change, ...of }: Parameters<typeof changeEach>[1] & { readonly change: SettlementBulkChange },
): Promise<BulkResult[]> {
  return changeEach(context, of, (command) => {
    switch (change.kind) {
      case 'assign':
        return assignSettlementDiscrepancy(context, { ...command, ownerId: change.ownerId });
      case 'note':
        return noteSettlementDiscrepancy(context, { ...command, note: change.note });
      case 'resolve':
        return resolveOpenSettlementDiscrepancy(context, { ...command, as: change.as, why: change.why });
      case 'reopen':
        return reopenSettlementDiscrepancy(context, command);
      default:
        return change satisfies never;
    }
  });
}
