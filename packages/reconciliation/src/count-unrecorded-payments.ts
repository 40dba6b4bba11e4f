import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** Payments on one account's statements that are not in our ledger. */
export interface UnrecordedPayments {
  readonly merchantId: string;
  readonly accountId: string;
  readonly count: number;
}

const COUNT = `
SELECT merchant_id AS "merchantId", account_id AS "accountId", count(*)::int AS count FROM reconciliation_discrepancy
WHERE merchant_id = ANY ($1::uuid[]) AND mode = $2::mode AND day >= $3::date AND kind = 'MISSING_HERE' AND subject NOT LIKE 'refund%'
GROUP BY merchant_id, account_id`;

/** Statement lines of payments that are missing here, of days since one (`2026-11-22`); accounts without any are left out. */
export async function countUnrecordedPayments(
  { pool }: Database,
  { merchantIds, mode, since }: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly since: string },
): Promise<UnrecordedPayments[]> {
  const { rows } = await pool.query<UnrecordedPayments>({
    name: 'count-unrecorded-payments',
    text: COUNT,
    values: [merchantIds, mode, since],
  });
  return rows;
}
