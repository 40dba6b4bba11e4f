import type { Database } from '@switchyard/db';

const CLONE = `
INSERT INTO payment SELECT changed.* FROM payment AS original CROSS JOIN generate_series(1, $3::int) AS n
CROSS JOIN LATERAL jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'merchant_order_id', $4::text || n) || CHANGES) AS changed
WHERE original.merchant_id = $1 AND original.id = $2`;

/** Writes a merchant's payment so many times more. `changes` is SQL of a JSON object of columns, and knows `n` and `original`. */
export async function clonePayments(
  { pool }: Database,
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
  { count, prefix, changes }: { readonly count: number; readonly prefix: string; readonly changes: string },
): Promise<void> {
  await pool.query(
    CLONE.replace('CHANGES', () => changes),
    [merchantId, paymentId, count, prefix],
  );
}

const REFUNDS = `
INSERT INTO refund (merchant_id, id, mode, payment_id, attempt_id, account_id, gateway, transaction_id, amount, currency, state, reference,
  requested_by, created_at, updated_at)
SELECT payment.merchant_id, gen_random_uuid(), payment.mode, payment.id, gen_random_uuid(), gen_random_uuid(), 'paystack', '7', 100, 'NGN',
  (ARRAY['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'])[1 + (row_number() OVER (ORDER BY payment.id, n)) % 5]::refund_state,
  payment.id || '-' || n, 'api', payment.created_at + n / 2 * interval '1 minute', payment.created_at
FROM payment CROSS JOIN generate_series(1, 3) AS n`;

/** Writes three refunds of every payment, in every state, of which some have the same time. */
export async function refundEach({ pool }: Database): Promise<void> {
  await pool.query(REFUNDS);
}
