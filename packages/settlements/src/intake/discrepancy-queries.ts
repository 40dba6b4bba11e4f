import type { Database } from '@switchyard/db';
import type { AccountKey } from '../account.ts';
import { SETTLEMENTS_ACTOR } from '../audit.ts';
import type { UnmatchedLine } from './line-queries.ts';

const OPEN_MAX = 100_000;

/** The payments of the account about which something is open. */
export async function readDisputedPayments({ pool }: Database, { merchantId, accountId }: AccountKey): Promise<string[]> {
  const { rows } = await pool.query<{ paymentId: string }>({
    name: 'settlements-payments-with-discrepancies',
    text: `
SELECT DISTINCT payment_id AS "paymentId" FROM settlement_discrepancy
WHERE merchant_id = $1 AND account_id = $2 AND state = 'OPEN' AND payment_id IS NOT NULL LIMIT ${OPEN_MAX}`,
    values: [merchantId, accountId],
  });
  return rows.map(({ paymentId }) => paymentId);
}

/** The subjects of the account's open discrepancies that begin in one of these ways. */
export async function readOpenSubjects(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  beginnings: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ subject: string }>({
    name: 'settlements-open-subjects',
    text: `
SELECT subject FROM settlement_discrepancy
WHERE merchant_id = $1 AND account_id = $2 AND state = 'OPEN' AND subject LIKE ANY ($3::text[]) ORDER BY subject LIMIT ${OPEN_MAX}`,
    values: [merchantId, accountId, beginnings.map((beginning) => `${beginning}%`)],
  });
  return rows.map(({ subject }) => subject);
}

/**
 * Those of these subjects that have a discrepancy which is open or was closed by a person or a rule. Each is looked up by its key: one condition for
 * all would read every discrepancy of an account where the table has no statistics yet.
 */
export async function readKnownSubjects(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ subject: string }>({
    name: 'settlements-known-subjects',
    text: `
SELECT wanted.subject FROM unnest($3::text[]) AS wanted(subject) CROSS JOIN LATERAL (
  SELECT FROM settlement_discrepancy AS found WHERE found.merchant_id = $1 AND found.account_id = $2 AND found.subject = wanted.subject
    AND found.resolved_by IS DISTINCT FROM '${SETTLEMENTS_ACTOR}' LIMIT 1) AS known`,
    values: [merchantId, accountId, subjects],
  });
  return new Set(rows.map(({ subject }) => subject));
}

/** An open discrepancy about a line. */
export interface OpenUnmatched extends UnmatchedLine {
  readonly discrepancyId: string;
  /** True if the line is still not linked, and its settlement still paid. */
  readonly unmatched: boolean;
}

/** A page of them, by their ids. */
export async function readOpenUnmatched(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  after: string | null,
  limit: number,
): Promise<OpenUnmatched[]> {
  const { rows } = await pool.query<OpenUnmatched>({
    name: 'settlements-open-unmatched',
    text: `
SELECT found.id AS "discrepancyId", line.id AS "lineId", line.settlement_id AS "settlementId", line.kind::text AS kind,
  trim_scale(line.amount)::text AS amount, line.currency::text AS currency,
  line.linked_by IS NULL AND settlement.status = 'PAID' AS unmatched
FROM settlement_discrepancy AS found
JOIN settlement_line AS line ON line.merchant_id = found.merchant_id AND line.id = found.line_id
JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id
WHERE found.merchant_id = $1 AND found.account_id = $2 AND found.state = 'OPEN' AND found.kind = 'UNMATCHED'
  AND ($3::uuid IS NULL OR found.id > $3)
ORDER BY found.id LIMIT $4`,
    values: [merchantId, accountId, after, limit],
  });
  return rows;
}
