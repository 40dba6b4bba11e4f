import { type Database, transactWithHints } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { changePayment } from '../../record/apply-change.ts';
import type { PaymentsContext } from '../../record/context.ts';
import { recordOf } from '../../record/event-record.ts';
import { merchantOf } from '../../record/find-payment.ts';
import { lockPayment } from '../../record/refund-queries.ts';

/** Two paid payments, of which the second was begun because the first did not look paid. */
interface Repeat {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly paymentId: string;
  readonly repeatsId: string;
  readonly repeatsOrderId: string;
}

/** Found by one statement; the next goes on with the others. */
const REPEATS_MAX = 100;

/*
 * Payments that became paid since $1, with others of the same customer and amount: begun within the session of the first, while we did not
 * know yet that it was paid. Merchants may have one address for all customers, who then differ by id and phone. Each merchant's events are
 * read by their index.
 */
const FIND = `
SELECT first.merchant_id AS "merchantId", first.mode::text AS mode, second.id AS "paymentId", first.id AS "repeatsId",
  first.merchant_order_id AS "repeatsOrderId"
FROM merchant CROSS JOIN (VALUES ('test'::mode), ('live')) AS modes(mode)
JOIN merchant_event told ON told.merchant_id = merchant.id AND told.mode = modes.mode AND told.created_at >= $1
  AND told.type = 'payment.succeeded'
JOIN payment paid ON paid.merchant_id = told.merchant_id AND paid.id = told.payment_id AND paid.customer_erased_at IS NULL
JOIN payment other ON other.merchant_id = told.merchant_id AND other.mode = paid.mode
  AND lower(other.customer_email) = lower(paid.customer_email)
  AND other.created_at BETWEEN paid.created_at - interval '1 day' AND paid.created_at + interval '1 day'
  AND other.id <> paid.id AND other.amount = paid.amount AND other.currency = paid.currency AND other.status = 'SUCCESS'
JOIN payment first ON first.merchant_id = told.merchant_id
  AND first.id = CASE WHEN (other.created_at, other.id) < (paid.created_at, paid.id) THEN other.id ELSE paid.id END
JOIN payment second ON second.merchant_id = told.merchant_id AND second.id = CASE WHEN first.id = paid.id THEN other.id ELSE paid.id END
WHERE paid.status = 'SUCCESS' AND second.created_at < first.expires_at AND second.created_at < first.status_changed_at
  AND COALESCE(first.customer_id = second.customer_id, true)
  AND COALESCE(right(regexp_replace(first.customer_phone, '\\D', '', 'g'), 7) = right(regexp_replace(second.customer_phone, '\\D', '', 'g'), 7), true)
  AND NOT EXISTS (
    SELECT FROM repeated_payment known
    WHERE known.merchant_id = told.merchant_id AND known.payment_id = second.id AND known.repeats_id = first.id)
GROUP BY first.merchant_id, first.mode, second.id, first.id, first.merchant_order_id
LIMIT ${REPEATS_MAX}`;

/**
 * Finds orders that were paid again by a new payment, among payments that became paid since a moment, and announces each pair once to its
 * merchant, by the event `payment.repeated` of the second. Rejects once all are tried when one could not be announced: the same moment finds
 * it again.
 */
export async function announceRepeatedPayments(context: PaymentsContext, paidSince: Date): Promise<void> {
  const { pool } = context.resources.database;
  for (;;) {
    const { rows } = await pool.query<Repeat>({ name: 'find-repeated-payments', text: FIND, values: [paidSince] });
    const errors: unknown[] = [];
    for (const repeat of rows) await announceRepeat(context, repeat).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} repeated payments could not be announced`);
    if (rows.length < REPEATS_MAX) return;
  }
}

async function announceRepeat(context: PaymentsContext, repeat: Repeat): Promise<void> {
  const { merchantId, mode, paymentId, repeatsId, repeatsOrderId } = repeat;
  const { merchantNumber } = await merchantOf(context, merchantId);
  await transactWithHints(context.resources.database, async (transaction) => {
    const locked = await lockPayment(transaction, merchantId, paymentId);
    if (locked === null) throw new Error(`payment ${paymentId} is gone`);
    const now = context.now();
    const { count } = await transaction.repeatedPayment.createMany({
      data: [{ merchantId, paymentId, repeatsId, mode, createdAt: now }],
      skipDuplicates: true,
    });
    if (count === 0) return;
    const eventId = context.newId();
    const type = 'payment.repeated';
    const repeats = { paymentId: repeatsId, merchantOrderId: repeatsOrderId };
    const after = { ...locked, version: locked.version + 1 };
    const record = recordOf(after, merchantNumber, { id: eventId, type, at: now, repeats });
    const body = JSON.stringify(record);
    const applied = await changePayment(
      transaction,
      {
        merchantId,
        paymentId,
        version: locked.version,
        events: [{ eventId, type, fromStatus: null, toStatus: null, cause: 'schedule', actor: null, detail: repeats }],
        announcements: [{ merchantId, eventId, mode, paymentId, position: after.version, type, body }],
      },
      now,
    );
    if (applied !== 'applied') throw new Error(`payment ${paymentId} changed while it was locked`);
  });
}

/** How long after it was found a repeated payment needs attention. */
const SHOWN_MS = 7 * 24 * 3_600_000;
const SHOWN_MAX = 200;

/** A repeated payment of which neither has been refunded. */
export interface UnresolvedRepeat {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly repeatsId: string;
  readonly repeatsOrderId: string;
  /** Whole main units. */
  readonly amount: string;
  readonly currency: string;
  readonly foundAt: Date;
}

const LIST = `
SELECT second.merchant_id AS "merchantId", second.mode::text AS mode, second.id AS "paymentId",
  second.merchant_order_id AS "merchantOrderId", first.id AS "repeatsId", first.merchant_order_id AS "repeatsOrderId", second.amount::text AS amount,
  second.currency::text AS currency, repeated.created_at AS "foundAt"
FROM repeated_payment repeated
JOIN payment second ON second.merchant_id = repeated.merchant_id AND second.id = repeated.payment_id
JOIN payment first ON first.merchant_id = repeated.merchant_id AND first.id = repeated.repeats_id
WHERE repeated.created_at >= $1 AND ($2::uuid[] IS NULL OR repeated.merchant_id = ANY ($2))
  AND first.refunded_amount = 0 AND second.refunded_amount = 0 AND first.reversed_amount = 0 AND second.reversed_amount = 0
ORDER BY repeated.created_at DESC, repeated.payment_id, repeated.repeats_id LIMIT ${SHOWN_MAX}`;

/**
 * Payments that were found to be repeated in the last seven days, with nothing of either refunded, newest first: of these merchants, of
 * all with null.
 */
export async function listUnresolvedRepeats(
  { pool }: Pick<Database, 'pool'>,
  merchantIds: readonly string[] | null,
  now: Date,
): Promise<UnresolvedRepeat[]> {
  const values = [new Date(now.getTime() - SHOWN_MS), merchantIds];
  const { rows } = await pool.query<UnresolvedRepeat>({ name: 'list-unresolved-repeats', text: LIST, values });
  return rows;
}
