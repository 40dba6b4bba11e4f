import type { Prisma } from '@switchyard/db/client';
import { auditDiscrepancy, type StoredRow, toStored } from './audit.ts';
import type { ReconciliationContext } from './context.ts';
import { insertDiscrepancies, lockDiscrepancies, updateDiscrepancy } from './discrepancies-queries.ts';
import type { Comparison, FoundDiscrepancy, ReconciliationKey } from './ledger.ts';
import { recordPaymentFee, requestAttemptChecks } from './ledger-queries.ts';
import { type DiscrepancyChanges, RECONCILIATION_ACTOR, resolveDiscrepancies } from './resolve-discrepancies.ts';
import { completeReconciliationRun, type LockedRun } from './runs-queries.ts';

const TRANSACTION_LIMITS = { timeout: 30_000, maxWait: 10_000 };

/**
 * Writes the result of a comparison in one transaction: discrepancies, fees, attempt checks and the completed run. False when the
 * caller's lease on the run has expired.
 */
export async function writeComparison(
  context: ReconciliationContext,
  key: ReconciliationKey,
  run: LockedRun,
  comparison: Comparison,
): Promise<boolean> {
  const now = context.now();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    if (!(await completeReconciliationRun(transaction, run, totalsJson(comparison), now))) return false;
    const stored = (await lockDiscrepancies(transaction, key)).map(toStored);
    await writeDiscrepancies(context, transaction, key, resolveDiscrepancies(stored, comparison.discrepancies), now);
    for (const fee of comparison.fees) await recordPaymentFee(transaction, key.merchantId, fee);
    await requestAttemptChecks(transaction, key.merchantId, comparison.attemptsToVerify);
    return true;
  }, TRANSACTION_LIMITS);
}

async function writeDiscrepancies(
  context: ReconciliationContext,
  transaction: Prisma.TransactionClient,
  key: ReconciliationKey,
  { added, changed, reopened, resolved }: DiscrepancyChanges<StoredRow>,
  now: Date,
): Promise<void> {
  const { mode, gateway, merchantId } = key;
  const rows = added.map((found) => ({
    ...factsOf(found),
    discrepancyId: context.newId(),
    mode,
    gateway,
    kind: found.kind,
    subject: found.subject,
  }));
  await insertDiscrepancies(transaction, key, rows, now);
  for (const { stored, found } of changed) {
    await updateDiscrepancy(transaction, { merchantId, id: stored.id }, { facts: factsOf(found) }, now);
  }
  for (const { stored, found } of reopened) {
    const after = await updateDiscrepancy(
      transaction,
      { merchantId, id: stored.id },
      { facts: factsOf(found), resolution: null },
      now,
    );
    if (stored.resolvedBy === RECONCILIATION_ACTOR) continue;
    const change = { action: 'reconciliation.reopened', actor: RECONCILIATION_ACTOR, before: stored.row, after };
    await auditDiscrepancy(context, transaction, change, now);
  }
  const resolution = { state: 'RESOLVED', by: RECONCILIATION_ACTOR, why: 'Both sides agree in a later comparison.' } as const;
  for (const { id } of resolved) await updateDiscrepancy(transaction, { merchantId, id }, { resolution }, now);
}

function factsOf({ ledger, statement, paymentId, refundId, reference, transactionId }: FoundDiscrepancy) {
  return { ledger, statement, paymentId, refundId, reference, transactionId };
}

function totalsJson({ totals }: Comparison) {
  return totals.map((sum) => ({ ...sum }));
}
