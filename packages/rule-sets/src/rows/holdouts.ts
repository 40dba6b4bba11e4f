import { type Database, isUuid, NIL_ID, toPrismaJson } from '@switchyard/db';
import type { HoldoutMonth, HoldoutProgress, Mode, Prisma } from '@switchyard/db/client';
import type { CanaryState } from '@switchyard/routing/canary';

/** The merchant and mode of the payments. */
export interface HoldoutScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** Begins to look at a merchant's payments from a moment on, unless it has begun. */
export async function beginHoldout({ prisma }: Database, { merchantId, mode }: HoldoutScope, from: Date): Promise<void> {
  const data = { merchantId, mode, scannedTo: from, scannedId: NIL_ID };
  await prisma.holdoutProgress.createMany({ data, skipDuplicates: true });
}

/** How far a merchant's payments were looked at, locked until the transaction ends; null when another process works on it. */
export async function lockHoldout(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: HoldoutScope,
): Promise<HoldoutProgress | null> {
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT mode FROM holdout_progress WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode FOR UPDATE SKIP LOCKED`;
  if (locked.length === 0) return null;
  return transaction.holdoutProgress.findUnique({ where: { merchantId_mode: { merchantId, mode } } });
}

/** A payment whose time to pay is over. Amount in whole main units, the fee as an exact decimal. */
export interface HoldoutPayment {
  readonly paymentId: string;
  readonly createdAt: Date;
  /** The month in the merchant's zone: `2026-11`. */
  readonly month: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly fee: string;
  readonly customerEmail: string;
  readonly isErased: boolean;
  readonly packedDecision: Uint8Array;
  readonly paid: boolean;
}

/** The next payments after the last one looked at that were initiated before a time, in order; none that bypassed the rules. */
export async function readHoldoutPayments(
  transaction: Prisma.TransactionClient,
  { merchantId, mode, scannedTo, scannedId }: HoldoutProgress,
  { before, horizonMinutes, timeZone }: { readonly before: Date; readonly horizonMinutes: number; readonly timeZone: string },
  limit: number,
): Promise<HoldoutPayment[]> {
  return transaction.$queryRaw<HoldoutPayment[]>`
    SELECT id AS "paymentId", created_at AS "createdAt", to_char(created_at AT TIME ZONE ${timeZone}, 'YYYY-MM') AS month, currency,
      amount, coalesce(fee_amount, 0)::text AS fee, customer_email AS "customerEmail",
      customer_erased_at IS NOT NULL AS "isErased", packed_decision AS "packedDecision",
      status IN ('SUCCESS', 'REFUNDED')
        AND coalesce(paid_at, status_changed_at) <= created_at + make_interval(mins => ${horizonMinutes}::int) AS paid
    FROM payment
    WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND requested_gateway IS NULL
      AND (created_at, id) > (${scannedTo}::timestamptz, ${scannedId}::uuid) AND created_at < ${before}
    ORDER BY created_at, id LIMIT ${limit}`;
}

/** Those of these customers who count already. */
export async function knownHoldoutCustomers(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  customers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.holdoutCustomer.findMany({
    where: { merchantId, customer: { in: [...customers] } },
    select: { customer: true },
  });
  return new Set(rows.map(({ customer }) => customer));
}

/** A month as it is stored. */
export type MonthSums = Omit<HoldoutMonth, 'sums' | 'merchantId' | 'mode'> & { readonly sums: CanaryState };

/** A month's stored sums, or null. */
export async function findHoldoutMonth(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: HoldoutScope,
  { month, currency }: Pick<HoldoutMonth, 'month' | 'currency'>,
): Promise<HoldoutMonth | null> {
  return transaction.holdoutMonth.findUnique({
    where: { merchantId_mode_month_currency: { merchantId, mode, month, currency } },
  });
}

/** Stores months and customers, with the last payment that was looked at. */
export async function writeHoldout(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: HoldoutScope,
  months: readonly MonthSums[],
  customers: readonly { readonly customer: string; readonly paymentId: string; readonly createdAt: Date }[],
  scanned: { readonly scannedTo: Date; readonly scannedId: string },
): Promise<void> {
  for (const { sums, ...row } of months) {
    const { month, currency } = row;
    const data = { ...row, sums: toPrismaJson(sums) };
    // Not an upsert, whose condition on the mode a cluster refuses: the writer of a month holds the lock of its merchant's progress.
    const { count } = await transaction.holdoutMonth.updateMany({ where: { merchantId, mode, month, currency }, data });
    if (count === 0) await transaction.holdoutMonth.create({ data: { ...data, merchantId, mode } });
  }
  await transaction.holdoutCustomer.createMany({ data: customers.map((customer) => ({ ...customer, merchantId })) });
  await transaction.holdoutProgress.update({ where: { merchantId_mode: { merchantId, mode } }, data: scanned });
}

/** A month of a merchant as reports read it. Money as exact decimals of main units. */
export interface HoldoutMonthRow {
  readonly merchantId: string;
  readonly month: string;
  readonly currency: string;
  readonly percent: number;
  readonly sums: unknown;
  readonly routedPayments: number;
  readonly routedAmount: string;
  readonly routedFees: string;
  readonly heldOutAmount: string;
  readonly heldOutFees: string;
}

const MONTHS = `
SELECT merchant_id AS "merchantId", month, currency, percent, sums, routed_payments AS "routedPayments",
  routed_amount::text AS "routedAmount", routed_fees::text AS "routedFees",
  held_out_amount::text AS "heldOutAmount", held_out_fees::text AS "heldOutFees"
FROM holdout_month WHERE merchant_id = ANY ($1::uuid[]) AND mode = $2
ORDER BY month DESC, merchant_id, currency LIMIT $3`;

/** Months of these merchants, the latest first. */
export async function listHoldoutMonths(
  client: Pick<Database['pool'], 'query'>,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
  limit: number,
): Promise<HoldoutMonthRow[]> {
  const { rows } = await client.query<HoldoutMonthRow>(MONTHS, [merchantIds.filter(isUuid), mode, limit]);
  return rows;
}

const DELETE_CUSTOMERS = `
DELETE FROM holdout_customer WHERE merchant_id = $1 AND customer IN (
  SELECT customer FROM holdout_customer WHERE merchant_id = $1 AND created_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes customers who counted before a time, at most `limit`; sums stay. Their month is over by then. Returns how many. */
export async function ageOutHoldoutCustomers(
  { pool }: Database,
  merchantId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await pool.query(DELETE_CUSTOMERS, [merchantId, before, limit]);
  return rowCount ?? 0;
}

/** Removes the hash of an erased customer's address. Returns how many. */
export async function eraseHoldoutCustomers(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<number> {
  return transaction.$executeRaw`
    UPDATE holdout_customer SET customer = payment_id::text
    WHERE merchant_id = ${merchantId}::uuid AND payment_id = ANY (${[...paymentIds]}::uuid[]) AND customer <> payment_id::text`;
}
