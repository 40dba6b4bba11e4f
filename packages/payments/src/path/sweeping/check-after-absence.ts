import { type Database, enqueueJob, firstIdAt } from '@switchyard/db';
import type { PaymentsContext } from '../../record/context.ts';

/** Within so much time the open payments are looked up, as long as that is not too many at once. */
const WINDOW_MS = 40_000;
/** Lookups a second of all merchants together: most of a gateway's merchants may have open payments. Each account has its own limit as well. */
const PER_SECOND_MAX = 100;
/** Longer than any session: older payments are not open any more. */
const OPEN_MAX_MS = 25 * 3_600_000;
/** Those of a merchant that are looked up sooner than planned: the newest, which customers most probably paid just now. */
const PAYMENTS_MAX = 5_000;

const COUNT_OPEN = `
SELECT payment_check.merchant_id AS "merchantId", least(count(*), $4)::int AS count
FROM payment_check JOIN payment ON payment.merchant_id = payment_check.merchant_id AND payment.id = payment_check.payment_id
WHERE payment_check.payment_id >= $1 AND NOT initiating AND next_check_at > $2 AND status = 'PENDING' AND expires_at > $3
GROUP BY payment_check.merchant_id`;

const CHECK_SOON = `
WITH open AS MATERIALIZED (
  SELECT payment_id AS id, row_number() OVER (ORDER BY payment_id DESC) AS position
  FROM payment_check JOIN payment ON payment.merchant_id = payment_check.merchant_id AND payment.id = payment_check.payment_id
  WHERE payment_check.merchant_id = $1 AND payment_check.payment_id >= $2 AND NOT initiating AND next_check_at > $3
    AND status = 'PENDING' AND expires_at > $4
  ORDER BY payment_id DESC LIMIT $5),
soon AS MATERIALIZED (SELECT id, $3::timestamptz + position * $6::float8 * interval '1 millisecond' AS at FROM open)
UPDATE payment_check SET next_check_at = soon.at
FROM soon WHERE merchant_id = $1 AND payment_id = soon.id AND NOT initiating AND next_check_at > soon.at`;

/**
 * Has payments looked up soon that were open while no process received gateways' webhooks, from `since` on: a webhook that said how one
 * ended may never come again, and its next look-up may be half an hour away. The newest go first, spread evenly over 40 seconds, or over as
 * long as a hundred a second take. A payment that another process is looking up just then is looked up twice. Returns how many there were.
 */
export async function checkAfterAbsence(
  { resources, now }: Pick<PaymentsContext, 'resources' | 'now'>,
  { since }: { readonly since: Date },
): Promise<number> {
  const { pool } = resources.database;
  const at = now();
  const oldest = firstIdAt(since.getTime() - OPEN_MAX_MS);
  const counted = await pool.query<{ merchantId: string; count: number }>({
    name: 'count-open-after-absence',
    text: COUNT_OPEN,
    values: [oldest, at, since, PAYMENTS_MAX],
  });
  const total = counted.rows.reduce((sum, { count }) => sum + count, 0);
  const windowMs = Math.max(WINDOW_MS, (total / PER_SECOND_MAX) * 1_000);
  for (const { merchantId, count } of counted.rows) {
    await pool.query({
      name: 'check-soon-after-absence',
      text: CHECK_SOON,
      values: [merchantId, oldest, at, since, PAYMENTS_MAX, windowMs / count],
    });
  }
  return total;
}

/** Has what was open looked up soon after no process received webhooks since a moment: what gateways sent meanwhile may never come again. */
export async function requestCheckAfterAbsence({ prisma }: Pick<Database, 'prisma'>, since: Date): Promise<void> {
  const payload = { since: since.toISOString() };
  await prisma.$transaction((transaction) =>
    enqueueJob(transaction, 'check-after-absence', payload, { key: 'check-after-absence' }),
  );
}
