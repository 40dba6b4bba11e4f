import type { Prisma } from '@switchyard/db/client';
import type { PaymentsContext } from '@switchyard/payments/context';
import { auditDifference, type StoredRow, toStored } from './audit.ts';
import { insertDifferences, lockDifferences, updateDifference } from './differences-queries.ts';
import { askAboutAttempts, recordPaymentFee } from './facts-queries.ts';
import type { Comparison, FoundDifference, ReconciliationKey } from './ledger.ts';
import { type DifferenceChanges, RECONCILIATION_ACTOR, resolveDiscrepancies } from './resolve-discrepancies.ts';
import { completeReconciliationRun, type LockedRun } from './runs-queries.ts';

const PATIENCE = { timeout: 30_000, maxWait: 10_000 };

/**
 * Writes all that a comparison found, or nothing: differences, fees, questions to the gateway, and that the day is done. False
 * when the run is no longer the caller's.
 */
export async function writeComparison(
  context: PaymentsContext,
  key: ReconciliationKey,
  held: LockedRun,
  comparison: Comparison,
): Promise<boolean> {
  const now = context.now();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    if (!(await completeReconciliationRun(transaction, held, totalsJson(comparison), now))) return false;
    const stored = (await lockDifferences(transaction, key)).map(toStored);
    await writeDifferences(context, transaction, key, resolveDiscrepancies(stored, comparison.differences), now);
    for (const fee of comparison.fees) await recordPaymentFee(transaction, key.merchantId, fee);
    await askAboutAttempts(transaction, key.merchantId, comparison.askAgain);
    return true;
  }, PATIENCE);
}

async function writeDifferences(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  key: ReconciliationKey,
  { added, changed, reopened, gone }: DifferenceChanges<StoredRow>,
  now: Date,
): Promise<void> {
  const { mode, gateway, merchantId } = key;
  const rows = added.map((found) => ({
    ...factsOf(found),
    ...{ differenceId: context.newId(), mode, gateway, kind: found.kind, subject: found.subject },
  }));
  await insertDifferences(transaction, key, rows, now);
  for (const { stored, found } of changed) {
    await updateDifference(transaction, { merchantId, id: stored.id }, { facts: factsOf(found) }, now);
  }
  for (const { stored, found } of reopened) {
    const after = await updateDifference(
      transaction,
      { merchantId, id: stored.id },
      { facts: factsOf(found), settled: null },
      now,
    );
    if (stored.resolvedBy === RECONCILIATION_ACTOR) continue;
    const change = { action: 'reconciliation.reopened', actor: RECONCILIATION_ACTOR, before: stored.row, after };
    await auditDifference(context, transaction, change, now);
  }
  const settled = { state: 'RESOLVED', by: RECONCILIATION_ACTOR, why: 'Both sides agree in a later comparison.' } as const;
  for (const { id } of gone) await updateDifference(transaction, { merchantId, id }, { settled }, now);
}

function factsOf({ ours, theirs, paymentId, refundId, reference, transactionId }: FoundDifference) {
  return { ledger: ours, statement: theirs, paymentId, refundId, reference, transactionId };
}

function totalsJson({ totals }: Comparison) {
  return totals.map((sum) => ({ ...sum }));
}
