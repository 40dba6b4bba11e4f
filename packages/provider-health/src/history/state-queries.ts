import type { Database } from '@switchyard/db';

/** A change of health in the feed. */
export interface HealthStateRow {
  readonly accountId: string;
  /** Null for the account as a whole. */
  readonly method: string | null;
  readonly state: string;
  /** JSON; see `readHealthReason`. */
  readonly why: unknown;
  readonly at: Date;
}

const STATES = `
(SELECT DISTINCT ON (account_id, method) account_id AS "accountId", nullif(method, '*') AS method, to_state AS state, why, created_at AS at
FROM health_event
WHERE merchant_id = ANY ($1::uuid[]) AND account_id = ANY ($2::uuid[]) AND created_at <= $3 AND created_at > $3 - interval '31 days'
ORDER BY account_id, method, created_at DESC, id DESC)
UNION ALL
(SELECT account_id, nullif(method, '*'), to_state, why, created_at
FROM health_event
WHERE merchant_id = ANY ($1::uuid[]) AND account_id = ANY ($2::uuid[]) AND created_at > $3 AND created_at <= $4
ORDER BY created_at DESC, id DESC LIMIT $5)`;

/**
 * The latest `limit` changes of health in a period, and for each account and method the last one before it; unordered. Steps of
 * probing are included; they do not change the state.
 */
export async function readHealthStates(
  database: Database,
  { merchantIds, accountIds }: { readonly merchantIds: readonly string[]; readonly accountIds: readonly string[] },
  { from, to }: { readonly from: Date; readonly to: Date },
  limit: number,
): Promise<HealthStateRow[]> {
  const { rows } = await database.pool.query<HealthStateRow>(STATES, [merchantIds, accountIds, from, to, limit]);
  return rows;
}
