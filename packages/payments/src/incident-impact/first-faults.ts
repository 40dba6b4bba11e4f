import type { Database } from '@switchyard/db';

/** The first checkout that a gateway account failed to open by its gateway's fault, in the time of an incident. */
export interface FirstFault {
  readonly accountId: string;
  readonly paymentId: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly at: Date;
}

const FIRST = `
SELECT met.account_id AS "accountId", first."paymentId", first.code, first.message, first.at
FROM incident_account AS met CROSS JOIN LATERAL (
  SELECT attempt.payment_id AS "paymentId", attempt.failure_code AS code, attempt.failure_message AS message, attempt.created_at AS at
  FROM attempt
  WHERE attempt.merchant_id = met.merchant_id AND attempt.account_id = met.account_id AND attempt.created_at >= met.met_from
    AND (met.met_until IS NULL OR attempt.created_at < met.met_until) AND attempt.failure_class = 'provider_fault'
  ORDER BY attempt.created_at, attempt.id LIMIT 1) AS first
WHERE met.merchant_id = ANY ($1::uuid[]) AND met.incident_id = $2
ORDER BY first.at`;

/** The first fault of each of an incident's accounts of these merchants, the earliest first. */
export async function readFirstFaults(
  database: Database,
  { merchantIds, incidentId }: { readonly merchantIds: readonly string[]; readonly incidentId: string },
): Promise<FirstFault[]> {
  const { rows } = await database.pool.query<FirstFault>(FIRST, [merchantIds, incidentId]);
  return rows;
}
