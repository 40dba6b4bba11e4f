import type { Database } from '@switchyard/db';

/** A gateway account in trouble, and since when. */
export interface UnhealthyAccount {
  readonly merchantId: string;
  readonly accountId: string;
  readonly since: Date;
}

/** Payments of one currency that an outage met, counted and added up in whole main units. */
export interface OutageImpact {
  readonly currency: string;
  /** Payments of which one of the accounts failed to open a checkout. */
  readonly payments: number;
  readonly amount: bigint;
  /** Those of them for which a fallback opened one. */
  readonly caught: number;
  readonly caughtAmount: bigint;
  /** Those of them that failed, because no account opened one. */
  readonly failed: number;
  readonly failedAmount: bigint;
}

const PAYMENTS_MAX = 20_000;

const MEASURE = `
WITH hit AS MATERIALIZED (
  SELECT DISTINCT attempt.merchant_id, attempt.payment_id
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS troubled (merchant_id, account_id, since)
  JOIN attempt ON attempt.merchant_id = troubled.merchant_id AND attempt.account_id = troubled.account_id
    AND attempt.created_at >= troubled.since
  WHERE attempt.failure_class = 'provider_fault'
  LIMIT ${PAYMENTS_MAX}),
met AS (
  SELECT p.currency::text AS currency, p.amount, p.account_id IS NOT NULL AND p.account_id <> ALL ($2::uuid[]) AS caught,
    p.status = 'FAILED' AND p.account_id IS NULL AS failed
  FROM hit JOIN payment AS p ON p.merchant_id = hit.merchant_id AND p.id = hit.payment_id)
SELECT currency, count(*)::int AS payments, sum(amount)::text AS amount, count(*) FILTER (WHERE caught)::int AS caught,
  coalesce(sum(amount) FILTER (WHERE caught), 0)::text AS "caughtAmount", count(*) FILTER (WHERE failed)::int AS failed,
  coalesce(sum(amount) FILTER (WHERE failed), 0)::text AS "failedAmount"
FROM met GROUP BY currency ORDER BY payments DESC, currency`;

type ImpactRow = Omit<OutageImpact, 'amount' | 'caughtAmount' | 'failedAmount'> & {
  readonly amount: string;
  readonly caughtAmount: string;
  readonly failedAmount: string;
};

/** Impact of an outage of these accounts on payments so far, the currency of the most payments first; at most 20,000 payments. */
export async function measureOutage(database: Database, accounts: readonly UnhealthyAccount[]): Promise<OutageImpact[]> {
  const { rows } = await database.pool.query<ImpactRow>(MEASURE, [
    accounts.map(({ merchantId }) => merchantId),
    accounts.map(({ accountId }) => accountId),
    accounts.map(({ since }) => since),
  ]);
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    caughtAmount: BigInt(row.caughtAmount),
    failedAmount: BigInt(row.failedAmount),
  }));
}
