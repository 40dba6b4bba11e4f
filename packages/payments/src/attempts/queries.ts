import { type Database, gathered } from '@switchyard/db';
import type { AttemptRecord } from '../life-cycle/payment-record.ts';

/** Most attempts of one payment that are read. */
const ATTEMPTS_MAX = 100;

const COLUMNS = `
  attempt.id, attempt.payment_id AS "paymentId", attempt.position, attempt.account_id AS "accountId", attempt.gateway, attempt.reference,
  attempt.state::text AS state, attempt.failure_code AS "failureCode", attempt.failure_message AS "failureMessage",
  attempt.transaction_id AS "transactionId", trim_scale(attempt.received_amount)::text AS "receivedAmount",
  attempt.received_currency::text AS "receivedCurrency"`;

const LIST = `
SELECT key.place::int AS place, ${COLUMNS}
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant_id, payment_id, place)
CROSS JOIN LATERAL (
  SELECT * FROM attempt WHERE attempt.merchant_id = key.merchant_id AND attempt.payment_id = key.payment_id
  ORDER BY attempt.position LIMIT ${ATTEMPTS_MAX}) AS attempt
ORDER BY key.place, attempt.position`;

const list = gathered<{ readonly merchantId: string; readonly paymentId: string }, AttemptRecord[]>({
  async run({ batches }, keys) {
    const { rows } = await batches.query<AttemptRecord & { readonly place: number }>({
      name: 'list-attempts',
      text: LIST,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ paymentId }) => paymentId)],
    });
    const attempts = keys.map((): AttemptRecord[] => []);
    for (const { place, ...attempt } of rows) attempts[place - 1]?.push(attempt);
    return attempts;
  },
});

/** The attempts of one payment, in the order they were made. */
export function listAttempts(database: Database, merchantId: string, paymentId: string): Promise<AttemptRecord[]> {
  return list(database, { merchantId, paymentId });
}

/** The attempt at an account under a reference, or null. */
export async function findAttemptByReference(
  database: Database,
  merchantId: string,
  accountId: string,
  reference: string,
): Promise<AttemptRecord | null> {
  const { rows } = await database.pool.query<AttemptRecord>({
    name: 'find-attempt-by-reference',
    text: `SELECT ${COLUMNS} FROM attempt WHERE merchant_id = $1 AND account_id = $2 AND reference = $3`,
    values: [merchantId, accountId, reference],
  });
  return rows[0] ?? null;
}

/** One attempt of a merchant, or null. */
export async function findAttempt(database: Database, merchantId: string, attemptId: string): Promise<AttemptRecord | null> {
  const { rows } = await database.pool.query<AttemptRecord>({
    name: 'find-attempt',
    text: `SELECT ${COLUMNS} FROM attempt WHERE merchant_id = $1 AND id = $2`,
    values: [merchantId, attemptId],
  });
  return rows[0] ?? null;
}
