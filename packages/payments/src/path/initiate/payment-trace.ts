import type { Database } from '@switchyard/db';

/** The `traceparent` of the request that began a payment; null where it was not traced, or there is no such payment. */
export async function findPaymentTrace(
  database: Database,
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
): Promise<string | null> {
  const { rows } = await database.pool.query<{ traceparent: string | null }>({
    name: 'find-payment-trace',
    text: `SELECT detail->>'traceparent' AS traceparent FROM timeline_event
      WHERE merchant_id = $1 AND payment_id = $2 AND type = 'payment.initiated' ORDER BY created_at, id LIMIT 1`,
    values: [merchantId, paymentId],
  });
  return rows[0]?.traceparent ?? null;
}
