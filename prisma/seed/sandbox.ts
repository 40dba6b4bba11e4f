import type { Database } from '@switchyard/db';
import { simulators } from '@switchyard/sandbox';
import type { DemoMerchant } from './demo.ts';
import type { SeedSettings } from './settings.ts';

/** The sandbox keeps 100,000 of a gateway, shared by four merchants. */
const PER_ACCOUNT = 20_000;
/** Ids in the gateway's format. */
const NUMERIC = '^[1-9][0-9]{0,14}$';

/** Keeps a body well below the megabyte that the sandbox takes. */
const TRANSACTIONS_AT_ONCE = 1_500;
const ANSWER_MS = 20_000;

/**
 * Registers the demo merchants' accounts at the sandbox: their credentials with the webhook addresses, as a merchant enters them on the
 * gateway's dashboard; and the received and refunded money, read from our own records, so that the sandbox has the payments that were
 * never made there: generated history, and all others after its own records were lost. What it has already stays as it is. Throws with
 * the answer when it refuses.
 */
export async function registerAtSandbox(
  database: Database,
  merchants: readonly DemoMerchant[],
  { webUrl, sandboxUrl }: Pick<SeedSettings, 'webUrl' | 'sandboxUrl'>,
): Promise<void> {
  for (const { merchantId, accounts } of merchants) {
    for (const { accountId, gateway, credentials } of accounts) {
      const webhookUrl = `${webUrl}/webhooks/${gateway}/${accountId}`;
      await put(`${sandboxUrl}/control/${gateway}/keys`, { ...credentials, webhookUrl });
      const key = credentials[simulators[gateway].keyField] ?? '';
      const hasWalkIn = accountId === merchants[0]?.paystackId;
      const values = [merchantId, accountId, simulators[gateway].unitsPerMain, PER_ACCOUNT, NUMERIC, hasWalkIn];
      const { rows } = await database.pool.query<object>(RECEIVED, values);
      for (let from = 0; from < rows.length; from += TRANSACTIONS_AT_ONCE) {
        const transactions = rows.slice(from, from + TRANSACTIONS_AT_ONCE);
        await put(`${sandboxUrl}/control/${gateway}/history`, { key, transactions });
      }
    }
  }
}

async function put(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The sandbox answered ${url} with ${response.status}: ${answer}`);
}

/*
 * Money of attempts, duplicate charges under one reference, and at one account a payment that did not come through the switch: on the
 * 33rd day of five weeks of generated history, which begin when the account was connected. The oldest first.
 */
const RECEIVED = `
WITH received AS (
  SELECT attempt.payment_id, attempt.transaction_id, attempt.reference, attempt.received_amount AS amount,
    attempt.received_currency AS currency, attempt.created_at,
    CASE WHEN attempt.duplicate THEN attempt.updated_at ELSE coalesce(payment.paid_at, attempt.updated_at) END AS paid_at,
    payment.customer_email AS email, coalesce(payment.paid_method, payment.payment_method) AS method
  FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
  WHERE attempt.merchant_id = $1 AND attempt.account_id = $2 AND attempt.received_amount IS NOT NULL
  UNION ALL
  SELECT charge.payment_id, charge.transaction_id, charge.reference, charge.amount, charge.currency, charge.created_at,
    charge.created_at, payment.customer_email, payment.payment_method
  FROM duplicate_charge AS charge
  JOIN payment ON payment.merchant_id = charge.merchant_id AND payment.id = charge.payment_id
  WHERE charge.merchant_id = $1 AND charge.account_id = $2 AND NOT EXISTS (
    SELECT FROM attempt WHERE attempt.merchant_id = charge.merchant_id AND attempt.payment_id = charge.payment_id
      AND attempt.account_id = charge.account_id AND attempt.transaction_id = charge.transaction_id)
  UNION ALL
  SELECT NULL, '4217730951', 'terminal-4217730951', 18500, 'NGN', taken_at, taken_at, 'walk-in@example.com', NULL
  FROM (
    SELECT created_at + interval '32 days 15 hours' AS taken_at FROM gateway_account WHERE merchant_id = $1 AND id = $2
  ) AS walk_in
  WHERE $6 AND taken_at < now())
SELECT transaction_id::int8::float8 AS id, reference, (amount * $3)::float8 AS amount, currency::text AS currency, email,
  CASE WHEN method = 'CARD' THEN 'card' ELSE 'bank_transfer' END AS channel,
  created_at AS "createdAt", greatest(created_at, paid_at) AS "paidAt",
  (SELECT coalesce(json_agg(json_build_object(
      'id', refund.gateway_refund_id::int8,
      'amount', refund.amount * $3,
      'status', CASE refund.state WHEN 'SUCCEEDED' THEN 'processed' WHEN 'FAILED' THEN 'failed'
        WHEN 'NEEDS_ATTENTION' THEN 'needs-attention' ELSE 'processing' END,
      'note', concat_ws(' ', refund.reference, refund.reason),
      'createdAt', refund.created_at, 'updatedAt', refund.updated_at) ORDER BY refund.created_at), '[]')
    FROM refund WHERE refund.merchant_id = $1 AND refund.payment_id = received.payment_id AND refund.account_id = $2
      AND refund.transaction_id = received.transaction_id AND refund.gateway_refund_id ~ $5) AS refunds
FROM received WHERE transaction_id ~ $5 ORDER BY created_at, transaction_id LIMIT $4`;
