import { type DisputeState, Prisma } from '@switchyard/db/client';
import { sameDecimal } from '@switchyard/db/decimals';
import { writeDisputeEvent } from './dispute-rows.ts';

/** The charge for a dispute as a payout took it off, an exact decimal of the main unit without a sign. */
export interface SettledDisputeFee {
  readonly disputeId: string;
  readonly fee: string;
}

/**
 * Writes what payouts took off for disputes, in place of what was entered or reported before: it is what was paid. A fee that is known so already
 * changes nothing. Returns how many changed.
 */
export async function settleDisputeFees(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  fees: readonly SettledDisputeFee[],
  { now, newId }: { readonly now: Date; readonly newId: () => string },
): Promise<number> {
  let changed = 0;
  for (const { disputeId, fee } of fees) {
    const [dispute] = await transaction.$queryRaw<{ fee: string | null; state: DisputeState; currency: string }[]>(Prisma.sql`
      SELECT trim_scale(fee)::text AS fee, state::text AS state, currency::text AS currency FROM dispute
      WHERE merchant_id = ${merchantId}::uuid AND id = ${disputeId}::uuid FOR UPDATE`);
    if (dispute === undefined || (dispute.fee !== null && sameDecimal(dispute.fee, fee))) continue;
    await transaction.dispute.update({ where: { merchantId_id: { merchantId, id: disputeId } }, data: { fee, updatedAt: now } });
    const { state, currency } = dispute;
    const detail = { fee, currency, before: dispute.fee };
    const event = { merchantId, id: newId(), disputeId, type: 'fee_settled', actor: null, state, detail } as const;
    await writeDisputeEvent(transaction, event, now);
    changed += 1;
  }
  return changed;
}
