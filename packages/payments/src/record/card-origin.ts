import type { Database } from '@switchyard/db';
import type { CardOrigin } from '@switchyard/routing';
import { namedPayment } from './plan.ts';

/**
 * SQL of where the card that paid `payment` is from: `local` for the country of the naira, else `international`. Null where its gateway did not
 * report it, and of payments in other currencies, whose own country's cards are local too.
 */
export const CARD_ORIGIN = `(SELECT CASE WHEN payment.currency <> 'NGN' OR event.detail->>'cardCountry' IS NULL THEN NULL
    WHEN event.detail->>'cardCountry' = 'NG' THEN 'local' ELSE 'international' END
  FROM timeline_event AS event
  WHERE event.merchant_id = payment.merchant_id AND event.payment_id = payment.id AND event.type = 'payment.succeeded'
  ORDER BY event.id DESC LIMIT 1)`;

/** Where the card is from that paid at an account under a reference; null where it is not known. */
export async function findCardOrigin(
  { pool }: Pick<Database, 'pool'>,
  { merchantId, accountId, reference }: { readonly merchantId: string; readonly accountId: string; readonly reference: string },
): Promise<CardOrigin | null> {
  const { rows } = await pool.query<{ origin: CardOrigin | null }>({
    name: 'card-origin-by-reference',
    text: `
SELECT ${CARD_ORIGIN} AS origin FROM attempt
JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
WHERE attempt.merchant_id = $1 AND attempt.payment_id = ${namedPayment('$3')} AND attempt.account_id = $2 AND attempt.reference = $3`,
    values: [merchantId, accountId, reference],
  });
  return rows[0]?.origin ?? null;
}
