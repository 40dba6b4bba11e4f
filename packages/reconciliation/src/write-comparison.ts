import type { Prisma } from '@switchyard/db/client';
import { auditDiscrepancy, type StoredRow, toStored } from './audit.ts';
import type { ReconciliationContext } from './context.ts';
import {
  insertDiscrepancies,
  lockDiscrepancies,
  reopenDiscrepancies,
  resolveFoundNoMore,
  updateDiscrepancies,
} from './discrepancies-queries.ts';
import type { Comparison, FoundDiscrepancy, ReconciliationKey } from './ledger.ts';
import { batches, recordPaymentFees, requestAttemptChecks } from './ledger-queries.ts';
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
    for (const some of batches(comparison.fees)) await recordPaymentFees(transaction, key.merchantId, some);
    for (const some of batches(comparison.attemptsToVerify)) await requestAttemptChecks(transaction, key.merchantId, some);
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
  for (const some of batches(rows)) await insertDiscrepancies(transaction, key, some, now);
  const facts = [...changed, ...reopened].map(({ stored, found }) => ({ ...factsOf(found), discrepancyId: stored.id }));
  for (const some of batches(facts)) await updateDiscrepancies(transaction, merchantId, some);
  for (const some of batches(reopened)) {
    const opened = await reopenDiscrepancies(
      transaction,
      merchantId,
      some.map(({ stored }) => stored.id),
    );
    const rowOf = new Map(opened.map((row) => [row.id, row]));
    for (const { stored } of some) {
      const after = rowOf.get(stored.id);
      if (after === undefined || stored.resolvedBy === RECONCILIATION_ACTOR) continue;
      const change = { action: 'reconciliation.reopened', actor: RECONCILIATION_ACTOR, before: stored.row, after };
      await auditDiscrepancy(context, transaction, change, now);
    }
  }
  const resolution = { by: RECONCILIATION_ACTOR, why: 'Both sides agree in a later comparison.', at: now };
  for (const some of batches(resolved.map(({ id }) => id))) await resolveFoundNoMore(transaction, merchantId, some, resolution);
}

function factsOf({ ledger, statement, paymentId, refundId, reference, transactionId }: FoundDiscrepancy) {
  return { ledger, statement, paymentId, refundId, reference, transactionId };
}

function totalsJson({ totals }: Comparison) {
  return totals.map((sum) => ({ ...sum }));
}
