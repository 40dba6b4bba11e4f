import type { Database } from '@switchyard/db';
import { MET, type MetQuery } from '../incident-impact/read-met-payments.ts';

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

const MEASURE = `
WITH hit AS MATERIALIZED (${MET}),
met AS (
  SELECT p.currency::text AS currency, p.amount, p.account_id IS NOT NULL AND p.account_id <> ALL (hit.failed) AS caught,
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

/** Impact of incidents on payments so far, the currency of the most payments first; at most 20,000 payments. */
export async function measureOutage(database: Database, { merchantIds, incidentIds }: MetQuery): Promise<OutageImpact[]> {
  const { rows } = await database.pool.query<ImpactRow>(MEASURE, [merchantIds, incidentIds]);
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    caughtAmount: BigInt(row.caughtAmount),
    failedAmount: BigInt(row.failedAmount),
  }));
}
