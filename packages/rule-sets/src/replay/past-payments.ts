import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '@switchyard/db';
import type { Mode, PaymentStatus } from '@switchyard/db/client';
import type { PaymentKeys, RoutablePayment, UsedKeys } from '@switchyard/routing';
import type { PastPayment } from '@switchyard/routing/replay';
import { type KeyColumns, keyColumns, pastKeys, withPastKeys } from '../past-keys.ts';
import { readDecision, readStoredInputs } from '../snapshot/read-inputs.ts';
import { ROUTABLE_COLUMNS, type RoutableRow, withRoutablePayment } from '../snapshot/routing-snapshot.ts';

/** A past payment as replay input; `past` is null where its stored inputs are in an unsupported form. */
export interface ReplayablePayment {
  readonly row: Omit<PastPaymentRow, 'inputs' | 'payment' | 'servedBy' | keyof KeyColumns> & Pick<PastPaymentRow, 'createdAt'>;
  readonly past: PastPayment | null;
}

const BATCH_ROWS = 1_000;
/** Small enough to delay concurrent payments by little. */
const SLICE_ROWS = 50;

/**
 * Yields a merchant's payments of a period, newest first, in small slices; the event loop runs between slices. The next batch is
 * read while one is processed; at most two are in memory. Ends when `signal` is aborted.
 */
export async function* pastPayments(
  database: Database,
  query: PastPaymentsQuery & KeysQuery & { readonly after: PastPaymentKey | null; readonly limit: number },
  signal: AbortSignal,
  batchRows = BATCH_ROWS,
): AsyncGenerator<readonly ReplayablePayment[], void, void> {
  let left = query.limit;
  let next = read(query.after);
  while (left > 0) {
    const rows = await next;
    left -= rows.length;
    const last = rows.at(-1);
    const isEnd = last === undefined || rows.length < batchRows;
    if (!isEnd && left > 0) next = read({ createdAt: last.createdAt, paymentId: last.paymentId });
    for (let from = 0; from < rows.length; from += SLICE_ROWS) {
      if (signal.aborted) return;
      yield await Promise.all(rows.slice(from, from + SLICE_ROWS).map((row) => toReplayable(database, query, row)));
      await yieldToEventLoop();
    }
    if (isEnd) return;
  }

  function read(after: PastPaymentKey | null): Promise<PastPaymentRow[]> {
    const reading = readPastPayments(database, query, after, Math.min(batchRows, left));
    // A consumer that stops early never awaits this read; one that continues gets its error from the await above.
    reading.catch(() => undefined);
    return reading;
  }
}

async function toReplayable(
  database: Database,
  { merchantId, used, timeZone }: PastPaymentsQuery & KeysQuery,
  { inputs, payment, servedBy, metadata, hasPaidBefore, ...row }: PastPaymentRow,
): Promise<ReplayablePayment> {
  const stored = await readStoredInputs(database, { merchantId, inputs, payment });
  if (stored === null) return { row, past: null };
  const read = withPastKeys(stored, used, { metadata, hasPaidBefore, createdAt: row.createdAt }, timeZone);
  const paid = row.status === 'SUCCESS' || row.status === 'REFUNDED';
  const outcome = paid ? 'paid' : row.status === 'FAILED' ? 'unpaid' : 'open';
  return { row, past: { inputs: read, servedBy, outcome } };
}

/** Keys that the rules to replay compare, and the merchant's time zone. */
interface KeysQuery {
  /** Null for none. */
  readonly used: UsedKeys | null;
  readonly timeZone: string;
}

/** Payments of one merchant and mode that were created in a period. */
interface PastPaymentsQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

/** Payments that every rule treats alike, counted. */
export interface SimilarPayments {
  readonly currency: string;
  /** Main unit. */
  readonly amount: bigint;
  readonly method: string | null;
  readonly customerCountry: string | null;
  /** Values of the keys that the rules compare; absent where they compare none. */
  readonly keys?: PaymentKeys;
  readonly payments: number;
}

/**
 * Payments of a period grouped by everything that rule conditions compare; at most the newest `limit`. Payments with a requested
 * gateway are left out, because rules do not decide them.
 */
export async function countSimilarPayments(
  database: Database,
  query: PastPaymentsQuery & KeysQuery,
  limit: number,
): Promise<SimilarPayments[]> {
  const { used, timeZone } = query;
  if (used !== null) return countByKeys(database, query, used, timeZone, limit);
  const { rows } = await database.pool.query<Omit<SimilarPayments, 'amount'> & { readonly amount: string }>(
    `SELECT currency, amount::text, payment_method AS method, customer_country AS "customerCountry", count(*)::int AS payments FROM (
      SELECT currency, amount, payment_method, customer_country FROM payment
      WHERE merchant_id = $1 AND mode = $2 AND created_at >= $3 AND created_at < $4 AND requested_gateway IS NULL
      ORDER BY created_at DESC LIMIT $5) AS counted
    GROUP BY currency, amount, payment_method, customer_country`,
    [query.merchantId, query.mode, query.from, query.to, limit],
  );
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) }));
}

/** The same where rules compare keys, which are read from each payment. */
async function countByKeys(
  database: Database,
  query: PastPaymentsQuery,
  used: UsedKeys,
  timeZone: string,
  limit: number,
): Promise<SimilarPayments[]> {
  const { rows } = await database.pool.query<
    Omit<SimilarPayments, 'amount' | 'payments' | 'keys'> & KeyColumns & { readonly amount: string }
  >(
    `SELECT payment.currency, payment.amount::text, payment.payment_method AS method,
      payment.customer_country AS "customerCountry", payment.created_at AS "createdAt", ${keyColumns(used)}
    FROM payment
    WHERE merchant_id = $1 AND mode = $2 AND created_at >= $3 AND created_at < $4 AND requested_gateway IS NULL
    ORDER BY created_at DESC LIMIT $5`,
    [query.merchantId, query.mode, query.from, query.to, limit],
  );
  const alike = new Map<string, SimilarPayments>();
  for (const { currency, amount, method, customerCountry, ...row } of rows) {
    const keys = pastKeys(used, row, timeZone);
    const name = JSON.stringify([currency, amount, method, customerCountry, keys]);
    const payments = (alike.get(name)?.payments ?? 0) + 1;
    alike.set(name, { currency, amount: BigInt(amount), method, customerCountry, keys, payments });
  }
  return Array.from(alike.values());
}

/** How many payments a period holds; counting ends at `limit`. */
export async function countPastPayments(database: Database, query: PastPaymentsQuery, limit: number): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
      SELECT FROM payment WHERE merchant_id = $1 AND mode = $2 AND created_at >= $3 AND created_at < $4 LIMIT $5) AS counted`,
    [query.merchantId, query.mode, query.from, query.to, limit],
  );
  return rows[0]?.count ?? 0;
}

/** The columns needed to route a past payment again. */
export interface PastPaymentRow extends KeyColumns {
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly createdAt: Date;
  readonly status: PaymentStatus;
  /** Decision inputs as JSON. */
  readonly inputs: unknown;
  /** The payment as routing read it. */
  readonly payment: RoutablePayment;
  /** Account whose session the customer had; null when none opened. */
  readonly servedBy: string | null;
}

/** Cursor of a scan of past payments: the last one read. */
export interface PastPaymentKey {
  readonly createdAt: Date;
  readonly paymentId: string;
}

const readPast = (used: UsedKeys | null) => `
SELECT payment.id AS "paymentId", payment.merchant_order_id AS "merchantOrderId", payment.created_at AS "createdAt",
  payment.status, payment.packed_decision AS "packedDecision", attempt.account_id AS "servedBy", ${ROUTABLE_COLUMNS},
  ${keyColumns(used)}
FROM payment LEFT JOIN attempt ON attempt.merchant_id = payment.merchant_id AND attempt.id = payment.current_attempt_id
WHERE payment.merchant_id = $1 AND payment.mode = $2 AND payment.created_at >= $3
  AND (payment.created_at, payment.id) < ($4, $5::uuid)
ORDER BY payment.created_at DESC, payment.id DESC LIMIT $6`;

interface PackedRow {
  readonly packedDecision: Uint8Array;
}

/** Less than every id, so that a scan from a moment excludes that moment. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The `limit` newest payments of a period after the cursor. Each call is a short statement on the index that leads with merchant,
 * mode and time, so that a long scan keeps no transaction open. Not prepared: a generic plan would sort the whole period each time.
 */
async function readPastPayments(
  database: Database,
  query: PastPaymentsQuery & KeysQuery,
  after: PastPaymentKey | null,
  limit: number,
): Promise<PastPaymentRow[]> {
  const begin = after ?? { createdAt: query.to, paymentId: FIRST_ID };
  const { rows } = await database.pool.query<Omit<PastPaymentRow, 'payment' | 'inputs'> & RoutableRow & PackedRow>(
    readPast(query.used),
    [query.merchantId, query.mode, query.from, begin.createdAt, begin.paymentId, limit],
  );
  return rows.map(({ packedDecision, ...row }) =>
    withRoutablePayment({ ...row, inputs: readDecision({ packedDecision }).inputs }),
  );
}
