import type { Database } from '@switchyard/db';
import { simulators } from '@switchyard/sandbox';
import { z } from 'zod';
import { paidOutSchema, plantBankStatement } from './bank-statement.ts';
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
      if (hasWalkIn && rows.length > 0) {
        const { rows: faults } = await database.pool.query<object>(FAULTS_OF_SETTLEMENTS, [merchantId, accountId]);
        const formed = await send('POST', `${sandboxUrl}/control/${gateway}/settlements`, { key, dueOnly: true, faults });
        const { settlements } = formedSchema.parse(JSON.parse(formed));
        await plantBankStatement(database, merchantId, settlements, new Date());
      }
      if (merchantId === merchants[0]?.merchantId && rows.length > 0) {
        const { rows: payments } = await database.pool.query<{ reference: string }>(DISPUTED, [merchantId, accountId]);
        await plantDisputes(`${sandboxUrl}/control/${gateway}/transactions`, PLANTED_DISPUTES[gateway] ?? [], payments);
      }
    }
  }
}

const formedSchema = z.object({ settlements: z.array(paidOutSchema) });

const HOUR_MS = 3_600_000;

/** A dispute of the demo: within how many hours it has to be answered, and how the bank has decided it. */
interface PlantedDispute {
  readonly category: string;
  /** Negative for one that was not answered in time. */
  readonly dueInHours: number;
  readonly resolution?: 'declined';
}

/** Disputes of the first merchant's payments, by gateway: one is due soon, one was won, and one was not answered. */
const PLANTED_DISPUTES: Readonly<Record<string, readonly PlantedDispute[]>> = {
  paystack: [
    { category: 'chargeback', dueInHours: 3 },
    { category: 'fraud', dueInHours: 15 },
    { category: 'chargeback', dueInHours: 12, resolution: 'declined' },
    { category: 'chargeback', dueInHours: -1 },
  ],
  flutterwave: [{ category: 'chargeback', dueInHours: 24 }],
};

/** Opens the disputes, each of a payment of its own. A payment that has had one stays as it is. */
async function plantDisputes(
  url: string,
  planted: readonly PlantedDispute[],
  payments: readonly { readonly reference: string }[],
): Promise<void> {
  for (const [at, { category, dueInHours, resolution }] of planted.entries()) {
    const reference = payments[at]?.reference;
    if (reference === undefined) continue;
    const dueAt = new Date(Date.now() + dueInHours * HOUR_MS).toISOString();
    await send('POST', `${url}/${reference}/dispute`, { category, dueAt, once: true });
    if (resolution !== undefined) await send('POST', `${url}/${reference}/dispute`, { resolution, once: true });
  }
}

const put = (url: string, body: object) => send('PUT', url, body);

/** Calls the sandbox's control. Returns its answer, and throws with it when it refuses. */
export async function send(method: 'POST' | 'PUT', url: string, body: object): Promise<string> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The sandbox answered ${url} with ${response.status}: ${answer}`);
  return answer;
}

/*
 * Faults of settlements of generated history: one payment each, of so many working days ago. A settlement is formed once, so
 * what was planted before stays as it is.
 */
const FAULTS_OF_SETTLEMENTS = `
WITH working_day AS (
  SELECT day::date, row_number() OVER (ORDER BY day DESC) AS age
  FROM generate_series((now() AT TIME ZONE 'Africa/Lagos')::date - 21, (now() AT TIME ZONE 'Africa/Lagos')::date - 1, interval '1 day') AS day
  WHERE extract(isodow FROM day) < 6),
planted AS (
  SELECT fault.kind, (
    SELECT attempt.reference FROM payment JOIN attempt ON attempt.merchant_id = payment.merchant_id
      AND attempt.payment_id = payment.id AND attempt.account_id = payment.account_id AND attempt.state = 'PAID'
    WHERE payment.merchant_id = $1 AND payment.account_id = $2 AND payment.status = 'SUCCESS' AND payment.fee_amount > 0
      AND (payment.paid_at AT TIME ZONE 'Africa/Lagos')::date = working_day.day
    ORDER BY payment.paid_at LIMIT 1) AS reference
  FROM (VALUES ('late_settlement', 2), ('split_settlement', 5), ('wrong_settlement_fee', 6), ('missing_settlement_line', 8)) AS fault (kind, age)
  JOIN working_day ON working_day.age = fault.age)
SELECT kind, reference FROM planted WHERE reference IS NOT NULL`;

/** Payments to dispute: the first ones after thirty days of generated history, so that a later start finds the same. */
const DISPUTED = `
SELECT attempt.reference FROM payment JOIN attempt ON attempt.merchant_id = payment.merchant_id
  AND attempt.payment_id = payment.id AND attempt.account_id = payment.account_id AND attempt.state = 'PAID' AND NOT attempt.duplicate
WHERE payment.merchant_id = $1 AND payment.account_id = $2 AND payment.status = 'SUCCESS' AND payment.refunded_amount = 0
  AND payment.review IS NULL AND payment.paid_at >= (SELECT created_at + interval '30 days' FROM gateway_account WHERE merchant_id = $1 AND id = $2)
ORDER BY payment.paid_at LIMIT 8`;

/*
 * Money of attempts, duplicate charges under one reference, and at one account a payment that did not come through the switch: on the
 * 30th day of five weeks of generated history, which begin when the account was connected, so that a weekend after it does not keep it from
 * being settled. The oldest first.
 */
const RECEIVED = `
WITH received AS (
  SELECT attempt.payment_id, attempt.transaction_id, attempt.reference, attempt.received_amount AS amount,
    attempt.received_currency AS currency, attempt.created_at,
    CASE WHEN attempt.duplicate THEN attempt.updated_at ELSE coalesce(payment.paid_at, attempt.updated_at) END AS paid_at,
    CASE WHEN attempt.duplicate THEN NULL ELSE payment.fee_amount END AS fee,
    payment.customer_email AS email, coalesce(payment.paid_method, payment.payment_method) AS method
  FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
  WHERE attempt.merchant_id = $1 AND attempt.account_id = $2 AND attempt.received_amount IS NOT NULL
  UNION ALL
  SELECT charge.payment_id, charge.transaction_id, charge.reference, charge.amount, charge.currency, charge.created_at,
    charge.created_at, NULL, payment.customer_email, payment.payment_method
  FROM duplicate_charge AS charge
  JOIN payment ON payment.merchant_id = charge.merchant_id AND payment.id = charge.payment_id
  WHERE charge.merchant_id = $1 AND charge.account_id = $2 AND NOT EXISTS (
    SELECT FROM attempt WHERE attempt.merchant_id = charge.merchant_id AND attempt.payment_id = charge.payment_id
      AND attempt.account_id = charge.account_id AND attempt.transaction_id = charge.transaction_id)
  UNION ALL
  SELECT NULL, '4217730951', 'terminal-4217730951', 18500, 'NGN', taken_at, taken_at, NULL, 'walk-in@example.com', NULL
  FROM (
    SELECT created_at + interval '29 days 15 hours' AS taken_at FROM gateway_account WHERE merchant_id = $1 AND id = $2
  ) AS walk_in
  WHERE $6 AND taken_at < now())
SELECT transaction_id::int8::float8 AS id, reference, (amount * $3)::float8 AS amount, currency::text AS currency, email,
  CASE WHEN method = 'CARD' THEN 'card' ELSE 'bank_transfer' END AS channel,
  created_at AS "createdAt", greatest(created_at, paid_at) AS "paidAt", (fee * $3)::float8 AS fee,
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
