import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { CARD_ORIGIN } from '@switchyard/payments/attempts';
import type { CardOrigin } from '@switchyard/routing';
import type { AccountKey } from '../context.ts';
import type { WrittenAccount } from '../discrepancies/write-discrepancies.ts';
import { BAND_STARTS } from './figures.ts';

/** A paid payment with what it was charged. Amounts are exact decimals of the main unit. */
export interface ChargedRow {
  readonly paymentId: string;
  readonly currency: string;
  readonly method: string | null;
  readonly amount: string;
  readonly reported: string | null;
  /** Fees in settlements; null while none is known. */
  readonly settledFee: string | null;
  /** Other charges in settlements. */
  readonly settledDuty: string;
  /** Where the card that paid is from; null where it is not known. */
  readonly cardOrigin: CardOrigin | null;
  readonly settlementId: string | null;
  /** `YYYY-MM-DD`. */
  readonly settledOn: string | null;
  readonly createdAt: Date;
  readonly paidAt: Date;
}

/** Charges of these payments of an account; those that it did not receive are left out. */
export async function readCharged(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  paymentIds: readonly string[],
): Promise<ChargedRow[]> {
  const { rows } = await pool.query<ChargedRow>({
    name: 'fees-charged',
    // Materialized: where rows were never counted, each settlement would go through the lines of all payments, and each payment would sum them.
    text: `
WITH line AS MATERIALIZED (
  SELECT merchant_id, payment_id, settlement_id, kind, amount FROM settlement_line
  WHERE merchant_id = $1 AND account_id = $2 AND payment_id = ANY ($3::uuid[]) AND 'payment/' || payment_id = ANY (subjects)
), settled AS MATERIALIZED (
  SELECT line.merchant_id, line.payment_id, -sum(line.amount) FILTER (WHERE line.kind = 'FEE') AS fee,
    -sum(line.amount) FILTER (WHERE line.kind = 'OTHER' AND line.amount < 0) AS duty, max(settlement.settled_on) AS settled_on,
    (array_agg(settlement.id ORDER BY settlement.settled_on DESC NULLS LAST, settlement.id))[1] AS settlement_id
  FROM line
  JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id AND settlement.status = 'PAID'
  GROUP BY line.merchant_id, line.payment_id
)
SELECT payment.id AS "paymentId", coalesce(attempt.received_currency, payment.currency)::text AS currency,
  coalesce(payment.paid_method, payment.payment_method) AS method,
  trim_scale(coalesce(attempt.received_amount, payment.amount))::text AS amount, trim_scale(payment.fee_amount)::text AS reported,
  trim_scale(settled.fee)::text AS "settledFee", trim_scale(coalesce(settled.duty, 0))::text AS "settledDuty",
  settled.settlement_id AS "settlementId", settled.settled_on::text AS "settledOn",
  ${CARD_ORIGIN} AS "cardOrigin", payment.created_at AS "createdAt", coalesce(payment.paid_at, attempt.updated_at) AS "paidAt"
FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
LEFT JOIN settled ON settled.merchant_id = payment.merchant_id AND settled.payment_id = payment.id
WHERE attempt.merchant_id = $1 AND attempt.account_id = $2 AND attempt.payment_id = ANY ($3::uuid[]) AND attempt.state = 'PAID'
  AND NOT attempt.duplicate AND payment.account_id = $2`,
    values: [merchantId, accountId, paymentIds],
  });
  return rows;
}

/** An audited payment as it is stored. */
export interface PaymentFeeRow extends ChargedRow {
  readonly contractId: string | null;
  readonly expected: string | null;
  readonly settled: string | null;
  readonly charged: string | null;
  readonly excess: string;
}

/** Writes what was found of payments, in place of what was found before. */
export async function writePaymentFees(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, mode, gateway }: WrittenAccount,
  rows: readonly PaymentFeeRow[],
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO payment_fee (merchant_id, payment_id, mode, account_id, gateway, currency, method, amount, contract_id, expected, reported,
      settled, charged, excess, settlement_id, settled_on, created_at, paid_at)
    SELECT ${merchantId}::uuid, "paymentId", ${mode}::mode, ${accountId}::uuid, ${gateway}, currency, method, amount, "contractId", expected,
      reported, settled, charged, excess, "settlementId", "settledOn", "createdAt", "paidAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS fee("paymentId" uuid, currency text, method text, amount numeric,
      "contractId" uuid, expected numeric, reported numeric, settled numeric, charged numeric, excess numeric, "settlementId" uuid,
      "settledOn" date, "createdAt" timestamptz, "paidAt" timestamptz)
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET account_id = excluded.account_id, gateway = excluded.gateway,
      currency = excluded.currency, method = excluded.method, amount = excluded.amount, contract_id = excluded.contract_id,
      expected = excluded.expected, reported = excluded.reported, settled = excluded.settled, charged = excluded.charged,
      excess = excluded.excess, settlement_id = excluded.settlement_id, settled_on = excluded.settled_on, paid_at = excluded.paid_at`;
}

/** Those of these payments that are not audited yet. */
export async function withoutFees(
  { pool }: Database,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ paymentId: string }>({
    name: 'fees-audited',
    text: `SELECT payment_id AS "paymentId" FROM payment_fee WHERE merchant_id = $1 AND payment_id = ANY ($2::uuid[])`,
    values: [merchantId, paymentIds],
  });
  const audited = new Set(rows.map(({ paymentId }) => paymentId));
  return paymentIds.filter((id) => !audited.has(id));
}

/** The charge of an account for payments of one method and band. */
export interface ChargedRate {
  readonly currency: string;
  readonly method: string;
  /** Its place among the bands, from 0. */
  readonly band: number;
  readonly payments: number;
  readonly rateMillionths: number;
}

/** The share of its payments since a moment that an account was charged, of cells with enough payments. */
export async function readChargedRates(
  { pool }: Database,
  { merchantId, accountId, mode }: WrittenAccount,
  { since, minPayments }: { readonly since: Date; readonly minPayments: number },
): Promise<ChargedRate[]> {
  const { rows } = await pool.query<ChargedRate>({
    name: 'fees-rates',
    text: `
SELECT currency::text AS currency, method, width_bucket(amount, $5::numeric[]) - 1 AS band, count(*)::int AS payments,
  round(1000000 * sum(charged) / sum(amount))::int AS "rateMillionths"
FROM payment_fee
WHERE merchant_id = $1 AND account_id = $2 AND mode = $3::mode AND paid_at >= $4 AND charged IS NOT NULL AND method IS NOT NULL
GROUP BY 1, 2, 3 HAVING count(*) >= $6 AND sum(amount) > 0 ORDER BY 1, 2, 3`,
    values: [merchantId, accountId, mode, since, [...BAND_STARTS], minPayments],
  });
  return rows;
}
