import type { Database } from '@switchyard/db';

/** How much an account is used. */
export interface AccountUseRow {
  readonly accountId: string;
  /** Payments that tried to open a checkout there. */
  readonly payments: number;
  /** When the latest of them did. */
  readonly lastAt: Date;
}

const USE = `
SELECT account_id AS "accountId", count(DISTINCT payment_id)::int AS payments, max(created_at) AS "lastAt"
FROM attempt
WHERE merchant_id = ANY ($1::uuid[]) AND account_id = ANY ($2::uuid[]) AND created_at >= $3
GROUP BY account_id`;

/** Use of accounts since a time; an account nothing went to is left out. */
export async function readAccountUse(
  database: Database,
  { merchantIds, accountIds }: { readonly merchantIds: readonly string[]; readonly accountIds: readonly string[] },
  since: Date,
): Promise<AccountUseRow[]> {
  const { rows } = await database.pool.query<AccountUseRow>(USE, [merchantIds, accountIds, since]);
  return rows;
}
