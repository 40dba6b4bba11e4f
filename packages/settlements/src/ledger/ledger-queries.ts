import type { Database } from '@switchyard/db';
import type { DisputeState, RefundState } from '@switchyard/db/client';
import { namedPayment } from '@switchyard/payments/attempts';
import type { AccountKey } from '../context.ts';

/* The ledger of one account, for settlements. Each query is bounded by its arguments or by a page. */

/** Money that an attempt received. Amounts are exact decimals of the main unit. */
export interface ReceivedRow {
  readonly paymentId: string;
  readonly attemptId: string;
  readonly reference: string;
  readonly transactionId: string | null;
  readonly amount: string;
  readonly currency: string;
  /** Null where it is not known. */
  readonly fee: string | null;
  /** Paid although another attempt had paid the payment: its duplicate charge has the money. */
  readonly duplicate: boolean;
  readonly paidAt: Date;
  /** Amount that the gateway took back beside refunds and disputes of ours; `0` where none. */
  readonly reversed: string;
  readonly reversedAt: Date | null;
}

/** Money that attempts of these payments received. */
export async function readReceived(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  paymentIds: readonly string[],
): Promise<ReceivedRow[]> {
  const { rows } = await pool.query<ReceivedRow>({
    name: 'settlements-received',
    text: `
SELECT attempt.payment_id AS "paymentId", attempt.id AS "attemptId", attempt.reference, attempt.transaction_id AS "transactionId",
  trim_scale(coalesce(attempt.received_amount, payment.amount))::text AS amount,
  coalesce(attempt.received_currency, payment.currency)::text AS currency, trim_scale(payment.fee_amount)::text AS fee, attempt.duplicate,
  coalesce(payment.paid_at, attempt.updated_at) AS "paidAt",
  trim_scale(payment.reversed_amount - CASE WHEN payment.reversal_cause = 'gateway' THEN 0
    ELSE coalesce((SELECT CASE WHEN bool_or(dispute.state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW')) THEN payment.reversed_amount
      ELSE sum(dispute.taken_back) END FROM dispute WHERE dispute.merchant_id = $1 AND dispute.payment_id = payment.id
      AND dispute.attempt_id = attempt.id), 0) END)::text AS reversed,
  payment.reversed_at AS "reversedAt"
FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
WHERE attempt.merchant_id = $1 AND attempt.account_id = $2 AND attempt.payment_id = ANY ($3::uuid[]) AND attempt.state = 'PAID'`,
    values: [merchantId, accountId, paymentIds],
  });
  return rows;
}

/** A duplicate charge. */
export interface DuplicateRow {
  readonly id: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly transactionId: string;
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: Date;
}

/** The duplicate charges of these payments. */
export async function readDuplicates(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  paymentIds: readonly string[],
): Promise<DuplicateRow[]> {
  const { rows } = await pool.query<DuplicateRow>({
    name: 'settlements-duplicates',
    text: `
SELECT id, payment_id AS "paymentId", reference, transaction_id AS "transactionId", trim_scale(amount)::text AS amount,
  currency::text AS currency, created_at AS "createdAt"
FROM duplicate_charge WHERE merchant_id = $1 AND account_id = $2 AND payment_id = ANY ($3::uuid[])`,
    values: [merchantId, accountId, paymentIds],
  });
  return rows;
}

export interface RefundRow {
  readonly id: string;
  readonly paymentId: string;
  readonly attemptId: string;
  readonly reference: string;
  readonly gatewayRefundId: string | null;
  readonly transactionId: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: RefundState;
  /** When it succeeded, as far as we know; of any other, when it was requested. */
  readonly at: Date;
}

/** The refunds of these payments. */
export async function readRefunds(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  paymentIds: readonly string[],
): Promise<RefundRow[]> {
  const { rows } = await pool.query<RefundRow>({
    name: 'settlements-refunds',
    text: `
SELECT id, payment_id AS "paymentId", attempt_id AS "attemptId", reference, gateway_refund_id AS "gatewayRefundId",
  transaction_id AS "transactionId", amount::text AS amount, currency::text AS currency, state::text AS state,
  CASE WHEN state = 'SUCCEEDED' THEN updated_at ELSE created_at END AS at
FROM refund WHERE merchant_id = $1 AND account_id = $2 AND payment_id = ANY ($3::uuid[])`,
    values: [merchantId, accountId, paymentIds],
  });
  return rows;
}

export interface DisputeRow {
  readonly id: string;
  readonly paymentId: string;
  readonly attemptId: string;
  readonly gatewayDisputeId: string;
  readonly amount: string;
  /** The amount that it took back, where it is lost: no more than was left of the payment. */
  readonly takenBack: string;
  readonly currency: string;
  readonly state: DisputeState;
  /** When it was closed, else opened. */
  readonly at: Date;
}

/** The disputes of these payments. */
export async function readDisputes(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  paymentIds: readonly string[],
): Promise<DisputeRow[]> {
  const { rows } = await pool.query<DisputeRow>({
    name: 'settlements-disputes',
    text: `
SELECT id, payment_id AS "paymentId", attempt_id AS "attemptId", gateway_dispute_id AS "gatewayDisputeId", trim_scale(amount)::text AS amount,
  trim_scale(taken_back)::text AS "takenBack", currency::text AS currency, state::text AS state, coalesce(closed_at, opened_at) AS at
FROM dispute WHERE merchant_id = $1 AND account_id = $2 AND payment_id = ANY ($3::uuid[])`,
    values: [merchantId, accountId, paymentIds],
  });
  return rows;
}

/** The payments that these references are of: of attempts, refunds and disputes, ours and the gateway's own. */
export async function findByReference(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  references: readonly string[],
): Promise<{ readonly paymentId: string; readonly reference: string }[]> {
  const { rows } = await pool.query<{ paymentId: string; reference: string }>({
    name: 'settlements-by-reference',
    text: `
SELECT payment_id AS "paymentId", reference FROM attempt WHERE merchant_id = $1 AND account_id = $2 AND reference = ANY ($3::text[])
  AND payment_id = ANY (ARRAY(SELECT ${namedPayment('reference')} FROM unnest($3::text[]) AS reference))
UNION SELECT payment_id, reference FROM refund WHERE merchant_id = $1 AND account_id = $2 AND reference = ANY ($3::text[])
UNION SELECT payment_id, gateway_refund_id FROM refund
  WHERE merchant_id = $1 AND account_id = $2 AND gateway_refund_id = ANY ($3::text[])
UNION SELECT payment_id, gateway_dispute_id FROM dispute
  WHERE merchant_id = $1 AND account_id = $2 AND gateway_dispute_id = ANY ($3::text[]) AND payment_id IS NOT NULL`,
    values: [merchantId, accountId, references],
  });
  return rows;
}

/** The payments that these transactions are of: of attempts since a moment, duplicate charges, refunds and disputes. */
export async function findByTransaction(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  transactionIds: readonly string[],
  since: Date,
): Promise<string[]> {
  const { rows } = await pool.query<{ paymentId: string }>({
    name: 'settlements-by-transaction',
    text: `
SELECT payment_id AS "paymentId" FROM attempt WHERE merchant_id = $1 AND account_id = $2 AND created_at >= $4 AND state = 'PAID'
  AND transaction_id = ANY ($3::text[]) AND payment_id IN (
    SELECT payment_id FROM timeline_event WHERE merchant_id = $1 AND detail ->> 'transactionId' = ANY ($3::text[]))
UNION SELECT payment_id FROM duplicate_charge WHERE merchant_id = $1 AND account_id = $2 AND transaction_id = ANY ($3::text[])
UNION SELECT payment_id FROM refund WHERE merchant_id = $1 AND account_id = $2 AND gateway_refund_id = ANY ($3::text[])
UNION SELECT payment_id FROM dispute WHERE merchant_id = $1 AND account_id = $2 AND gateway_dispute_id = ANY ($3::text[])
  AND payment_id IS NOT NULL`,
    values: [merchantId, accountId, transactionIds, since],
  });
  return rows.map(({ paymentId }) => paymentId);
}

/** Transactions with the payments that they are of: of attempts since a moment, and duplicate charges. */
export async function findTransactions(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  transactionIds: readonly string[],
  since: Date,
): Promise<{ readonly transactionId: string; readonly paymentId: string }[]> {
  const { rows } = await pool.query<{ transactionId: string; paymentId: string }>({
    name: 'settlements-transactions',
    text: `
SELECT transaction_id AS "transactionId", payment_id AS "paymentId" FROM attempt
WHERE merchant_id = $1 AND account_id = $2 AND created_at >= $4 AND state = 'PAID' AND transaction_id = ANY ($3::text[])
  AND payment_id IN (SELECT payment_id FROM timeline_event WHERE merchant_id = $1 AND detail ->> 'transactionId' = ANY ($3::text[]))
UNION SELECT transaction_id, payment_id FROM duplicate_charge WHERE merchant_id = $1 AND account_id = $2 AND transaction_id = ANY ($3::text[])`,
    values: [merchantId, accountId, transactionIds, since],
  });
  return rows;
}

/** How many of these references are of attempts at other accounts of the merchant, by account. */
export async function findElsewhere(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  references: readonly string[],
): Promise<{ readonly accountId: string; readonly count: number }[]> {
  const { rows } = await pool.query<{ accountId: string; count: number }>({
    name: 'settlements-references-elsewhere',
    text: `
SELECT account_id AS "accountId", count(DISTINCT reference)::int AS count FROM attempt
WHERE merchant_id = $1 AND account_id <> $2 AND reference = ANY ($3::text[])
  AND payment_id = ANY (ARRAY(SELECT ${namedPayment('reference')} FROM unnest($3::text[]) AS reference))
GROUP BY account_id ORDER BY count DESC, account_id`,
    values: [merchantId, accountId, references],
  });
  return rows;
}

/** Payments that a payout has already, with the references of the payouts. */
export async function findSettled(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  paymentIds: readonly string[],
): Promise<{ readonly paymentId: string; readonly payout: string }[]> {
  const { rows } = await pool.query<{ paymentId: string; payout: string }>({
    name: 'settlements-settled-payments',
    text: `
SELECT DISTINCT line.payment_id AS "paymentId", settlement.reference AS payout FROM settlement_line AS line
JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id AND settlement.status = 'PAID'
WHERE line.merchant_id = $1 AND line.account_id = $2 AND line.payment_id = ANY ($3::uuid[]) AND line.kind = 'PAYMENT' AND line.amount > 0`,
    values: [merchantId, accountId, paymentIds],
  });
  return rows;
}

/** An attempt as the place in a list. */
export interface AttemptPlace {
  readonly createdAt: Date;
  readonly attemptId: string;
}

/** A page of the payments that attempts made in `[from, to)` paid, oldest first. */
export async function readPaidPage(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  { from, to }: { readonly from: Date; readonly to: Date },
  after: AttemptPlace | null,
  limit: number,
): Promise<(AttemptPlace & { readonly paymentId: string })[]> {
  const { rows } = await pool.query<AttemptPlace & { paymentId: string }>({
    name: 'settlements-paid-page',
    text: `
SELECT id AS "attemptId", payment_id AS "paymentId", created_at AS "createdAt" FROM attempt
WHERE merchant_id = $1 AND account_id = $2 AND state = 'PAID' AND created_at >= $3 AND created_at < $4
  AND ($5::timestamptz IS NULL OR (created_at, id) > ($5, $6::uuid))
ORDER BY created_at, id LIMIT $7`,
    values: [merchantId, accountId, from, to, after?.createdAt ?? null, after?.attemptId ?? null, limit],
  });
  return rows;
}

const DEDUCTED_MAX = 100_000;

/** The payments of which money went back since a moment: refunded, disputed, or charged twice. */
export async function findDeductedPayments(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  since: Date,
): Promise<string[]> {
  const { rows } = await pool.query<{ paymentId: string }>({
    name: 'settlements-deducted-payments',
    text: `
SELECT payment_id AS "paymentId" FROM refund WHERE merchant_id = $1 AND account_id = $2 AND created_at >= $3
UNION SELECT payment_id FROM dispute WHERE merchant_id = $1 AND account_id = $2 AND updated_at >= $3 AND payment_id IS NOT NULL
UNION SELECT payment_id FROM duplicate_charge WHERE merchant_id = $1 AND account_id = $2 AND created_at >= $3
LIMIT ${DEDUCTED_MAX}`,
    values: [merchantId, accountId, since],
  });
  return rows.map(({ paymentId }) => paymentId);
}
