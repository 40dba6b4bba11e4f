import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

/** How many of these payments have something unfinished that erasing would take the evidence of. */
export interface ErasureBlockers {
  readonly openPayments: number;
  /** Ended, and still watched for late money: for 72 hours. */
  readonly watchedPayments: number;
  readonly openReviews: number;
  /** Requested, waiting for a second person, being processed or in need of attention, and unresolved failed ones. */
  readonly unfinishedRefunds: number;
  readonly openDuplicateCharges: number;
  readonly openDiscrepancies: number;
  readonly openDisputes: number;
}

const COUNT = `
SELECT
  (SELECT count(*)::int FROM payment WHERE merchant_id = $1::uuid AND id = ANY ($2::uuid[]) AND status IN ('INITIATED', 'PENDING'))
    AS "openPayments",
  (SELECT count(*)::int FROM payment_check JOIN payment ON payment.merchant_id = payment_check.merchant_id
      AND payment.id = payment_check.payment_id
    WHERE payment_check.merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND status NOT IN ('INITIATED', 'PENDING'))
    AS "watchedPayments",
  (SELECT count(*)::int FROM payment WHERE merchant_id = $1::uuid AND id = ANY ($2::uuid[]) AND review = 'OPEN') AS "openReviews",
  (SELECT count(*)::int FROM refund WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND (state IN ('REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION') OR state = 'FAILED' AND resolved_at IS NULL))
  + (SELECT count(*)::int FROM refund_approval WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state = 'WAITING' AND expires_at > now()) AS "unfinishedRefunds",
  (SELECT count(*)::int FROM duplicate_charge WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state IN ('OPEN', 'REFUNDING')) AS "openDuplicateCharges",
  (SELECT count(*)::int FROM reconciliation_discrepancy WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state = 'OPEN') + (SELECT count(*)::int FROM settlement_discrepancy WHERE merchant_id = $1::uuid
    AND payment_id = ANY ($2::uuid[]) AND state = 'OPEN') AS "openDiscrepancies",
  (SELECT count(*)::int FROM dispute WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW')) AS "openDisputes"`;

const NONE: ErasureBlockers = {
  openPayments: 0,
  watchedPayments: 0,
  openReviews: 0,
  unfinishedRefunds: 0,
  openDuplicateCharges: 0,
  openDiscrepancies: 0,
  openDisputes: 0,
};

/** Counts of the records that stand against erasing the customer of these payments now. */
export async function blockersOf(
  client: Database['prisma'] | Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<ErasureBlockers> {
  const rows = await client.$queryRawUnsafe<ErasureBlockers[]>(COUNT, merchantId, paymentIds);
  return rows[0] ?? NONE;
}
