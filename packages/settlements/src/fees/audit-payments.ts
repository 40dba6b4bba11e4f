import type { SettlementIgnoreRule } from '@switchyard/db/client';
import { compareDecimals } from '@switchyard/db/decimals';
import { contractAt, type FeeContract } from '@switchyard/runtime/fee-contracts';
import type { SettlementContext } from '../context.ts';
import { batches } from '../intake/batches.ts';
import type { FoundDiscrepancy } from '../intake/found.ts';
import type { AccountLease } from '../intake/source-lease.ts';
import { type WrittenAccount, type WrittenCounts, writeDiscrepancies } from '../intake/write-discrepancies.ts';
import { auditFee } from './audit-fee.ts';
import { type ChargedRow, type PaymentFeeRow, readCharged, writePaymentFees } from './fee-queries.ts';

const TRANSACTION_LIMITS = { timeout: 30_000, maxWait: 10_000 };

/** An account whose fees are audited, by the process that has its lease. */
export interface FeeAudit {
  readonly context: SettlementContext;
  readonly lease: Pick<AccountLease, 'key' | 'renew' | 'confirm'>;
  readonly account: WrittenAccount;
  /** The merchant's. */
  readonly contracts: readonly FeeContract[];
  readonly rules: readonly SettlementIgnoreRule[];
}

/** Compares the fees of these payments with the contracts of when they were paid, and opens a discrepancy for each overcharge. */
export async function auditPayments(audit: FeeAudit, paymentIds: readonly string[]): Promise<WrittenCounts> {
  const { context, lease, account, rules } = audit;
  const { database } = context.resources;
  let counts: WrittenCounts = { found: 0, resolved: 0 };
  for (const some of batches(paymentIds)) {
    const rows = (await readCharged(database, account, some)).map((row) => auditPayment(audit, row));
    if (rows.length === 0) continue;
    await lease.renew();
    const { found, resolved } = await database.prisma.$transaction(async (transaction) => {
      await lease.confirm(transaction);
      await writePaymentFees(transaction, account, rows);
      const subjects = rows.map(({ paymentId }) => `fee/${paymentId}`);
      return writeDiscrepancies(context, transaction, account, { subjects, found: rows.flatMap(overcharge), rules });
    }, TRANSACTION_LIMITS);
    counts = { found: counts.found + found, resolved: counts.resolved + resolved };
  }
  return counts;
}

function auditPayment({ contracts, account }: FeeAudit, row: ChargedRow): PaymentFeeRow {
  const contract = contractAt(contracts, account.accountId, row.paidAt);
  const settled = row.settledFee;
  if (contract === null || contract.schedule === null) {
    const charged = settled ?? row.reported;
    return { ...row, contractId: null, expected: null, settled, charged, excess: '0' };
  }
  const { schedule, tolerance } = contract;
  const { expected, charged, excess } = auditFee({ schedule, tolerance }, row);
  return { ...row, contractId: contract.contractId, expected, settled: settled === null ? null : charged, charged, excess };
}

function overcharge({ paymentId, currency, expected, charged, excess, settlementId }: PaymentFeeRow): FoundDiscrepancy[] {
  if (compareDecimals(excess, '0') <= 0) return [];
  const amounts = { expected, settled: charged, expectedOn: null };
  const about = { settlementId, lineId: null, lineKind: null, paymentId, refundId: null, disputeId: null };
  return [{ subject: `fee/${paymentId}`, kind: 'OVERCHARGED', currency, ...amounts, ...about }];
}
