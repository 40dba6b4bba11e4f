import type { Database } from '@switchyard/db';

/** The usage of an account. */
export interface AccountUseRow {
  readonly accountId: string;
  /** Payments that tried to open a checkout there. */
  readonly payments: number;
  /** Time of the latest of them. */
  readonly lastAt: Date;
}

const USE = `
SELECT account_id AS "accountId", count(DISTINCT payment_id)::int AS payments, max(created_at) AS "lastAt"
FROM attempt
WHERE merchant_id = ANY ($1::uuid[]) AND account_id = ANY ($2::uuid[]) AND created_at >= $3
GROUP BY account_id`;

/** Usage of accounts since a time; unused accounts are left out. */
export async function readAccountUse(
  database: Database,
  { merchantIds, accountIds }: { readonly merchantIds: readonly string[]; readonly accountIds: readonly string[] },
  since: Date,
): Promise<AccountUseRow[]> {
  const { rows } = await database.pool.query<AccountUseRow>(USE, [merchantIds, accountIds, since]);
  return rows;
}
