import type { Database } from '@switchyard/db';
import { CARD_ORIGIN } from '../../record/attempt-queries.ts';
import { ERASED_EMAIL } from '../../record/order.ts';
import type { ImpactOutcome, ListedOutcome, MetPayment } from './sum-impact.ts';

/** Payments that met the fault of an incident, at most; of more, the latest are read. */
export const MET_MAX = 20_000;

/** Incidents whose impact is asked for, on payments of these merchants. */
export interface MetQuery {
  readonly merchantIds: readonly string[];
  readonly incidentIds: readonly string[];
}

/**
 * The ids of payments that met the fault of incidents: an account of theirs failed to open a checkout, by its gateway's fault, in the time
 * of the incident. `$1` are merchants, `$2` incidents.
 */
const MET = `
SELECT attempt.merchant_id, attempt.payment_id, min(attempt.created_at) AS met_at,
  array_agg(attempt.account_id ORDER BY attempt.position, attempt.created_at) AS failed
FROM incident_account AS met
JOIN attempt ON attempt.merchant_id = met.merchant_id AND attempt.account_id = met.account_id AND attempt.created_at >= met.met_from
  AND attempt.created_at < coalesce(met.met_until, 'infinity') AND attempt.failure_class = 'provider_fault'
WHERE met.merchant_id = ANY ($1::uuid[]) AND met.incident_id = ANY ($2::uuid[])
GROUP BY attempt.merchant_id, attempt.payment_id
ORDER BY met_at DESC, attempt.payment_id DESC LIMIT ${MET_MAX}`;

/** How long after a failed payment the same customer's next is taken for another try. */
const AGAIN_WITHIN = '24 hours';

const isAgain = (customer: string) => `EXISTS (
    SELECT FROM payment AS again
    WHERE again.merchant_id = payment.merchant_id AND again.mode = payment.mode AND ${customer} AND again.created_at > payment.created_at
      AND again.created_at <= payment.created_at + interval '${AGAIN_WITHIN}' AND again.currency = payment.currency
      AND again.amount = payment.amount AND again.status IN ('SUCCESS', 'REFUNDED'))`;

/** The outcome of a `payment` that `met` the fault, an {@link ImpactOutcome}: the one definition for sums, banners and lists. */
const OUTCOME = `CASE
  WHEN payment.status IN ('SUCCESS', 'REFUNDED') THEN CASE WHEN payment.account_id = ANY (met.failed) THEN 'same_account' ELSE 'recovered' END
  WHEN payment.customer_email <> '${ERASED_EMAIL}' AND (
    ${isAgain('lower(again.customer_email) = lower(payment.customer_email)')}
    OR payment.customer_id IS NOT NULL AND ${isAgain('again.customer_id = payment.customer_id')}) THEN 'retried'
  WHEN payment.status IN ('INITIATED', 'PENDING') THEN 'open'
  ELSE 'lost' END`;

/** True if the customer of a `payment` that `met` the fault had a checkout at another account. */
const IN_CHECKOUT = 'payment.account_id IS NOT NULL AND payment.account_id <> ALL (met.failed)';

const FROM_MET = 'FROM met JOIN payment ON payment.merchant_id = met.merchant_id AND payment.id = met.payment_id';

const READ = `
WITH met AS MATERIALIZED (${MET})
SELECT payment.merchant_id AS "merchantId", payment.id AS "paymentId", payment.currency::text AS currency, payment.amount::text AS amount,
  coalesce(payment.paid_method, payment.payment_method) AS method,
  CASE WHEN payment.status IN ('SUCCESS', 'REFUNDED') THEN coalesce(payment.paid_at, payment.status_changed_at) END AS "paidAt",
  ${OUTCOME} AS outcome, ${IN_CHECKOUT} AS "isInCheckout", payment.account_id AS "accountId", payment.account_gateway AS gateway,
  CASE WHEN payment.status IN ('SUCCESS', 'REFUNDED') THEN ${CARD_ORIGIN} END AS "cardOrigin", met.failed AS "failedAccountIds"
${FROM_MET}
ORDER BY payment.created_at, payment.id`;

/** Payments that met the fault of incidents, in the order in which they were created. */
export async function readMetPayments(
  { pool }: Pick<Database, 'pool'>,
  { merchantIds, incidentIds }: MetQuery,
): Promise<MetPayment[]> {
  const { rows } = await pool.query<Omit<MetPayment, 'amount'> & { readonly amount: string }>(READ, [merchantIds, incidentIds]);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

const FIND = `
WITH met AS MATERIALIZED (${MET}),
known AS (SELECT payment.id, ${OUTCOME} AS outcome, ${IN_CHECKOUT} AS in_checkout ${FROM_MET})
SELECT id FROM known
WHERE outcome = ANY ($3::text[]) OR outcome = 'lost' AND in_checkout AND 'lost_in_checkout' = ANY ($3::text[])`;

/** The ids of the payments that met the fault of incidents, and of which this became; at most 20,000. */
export async function findMetPayments(
  { pool }: Pick<Database, 'pool'>,
  { merchantIds, incidentIds }: MetQuery,
  outcomes: readonly ListedOutcome[],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(FIND, [merchantIds, incidentIds, outcomes]);
  return rows.map(({ id }) => id);
}

/** Payments that met the fault of incidents, counted and added up in whole main units. */
export interface CountedOutcome {
  readonly currency: string;
  readonly outcome: ImpactOutcome;
  readonly payments: number;
  readonly amount: bigint;
}

const COUNT = `
WITH met AS MATERIALIZED (${MET}),
known AS (SELECT payment.currency::text AS currency, payment.amount, ${OUTCOME} AS outcome ${FROM_MET})
SELECT currency, outcome, count(*)::int AS payments, sum(amount)::text AS amount FROM known GROUP BY currency, outcome`;

/** The same payments by currency and outcome. */
export async function countMetPayments(
  { pool }: Pick<Database, 'pool'>,
  { merchantIds, incidentIds }: MetQuery,
): Promise<CountedOutcome[]> {
  const { rows } = await pool.query<Omit<CountedOutcome, 'amount'> & { readonly amount: string }>(COUNT, [
    merchantIds,
    incidentIds,
  ]);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
