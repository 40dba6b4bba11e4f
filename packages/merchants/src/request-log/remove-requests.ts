import { type Database, firstIdAt } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

// Ids follow the time at which requests ended.
const AGE_OUT = `
DELETE FROM api_request WHERE merchant_id = $1 AND mode = ANY ('{test,live}'::mode[]) AND id IN (
  SELECT id FROM api_request WHERE merchant_id = $1 AND mode = ANY ('{test,live}'::mode[]) AND id < $2
  LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes requests that ended before a time, at most `limit` of them. Returns how many. */
export async function ageOutApiRequests(database: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(AGE_OUT, [merchantId, firstIdAt(before.getTime()), limit]);
  return rowCount ?? 0;
}

/** A customer, by payments and by texts that name the person. */
export interface NamedCustomer {
  readonly merchantId: string;
  readonly paymentIds: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Removes the bodies of refused requests about these payments, and of those that hold one of these texts in any case, inside the caller's
 * transaction. Returns how many. Addresses, numbers and the fields of a customer were not kept in the first place.
 */
export function eraseRequestBodies(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentIds, texts }: NamedCustomer,
): Promise<number> {
  return transaction.$executeRaw`
    UPDATE api_request SET request_body = NULL, response_body = NULL
    WHERE merchant_id = ${merchantId}::uuid AND mode = ANY ('{test,live}'::mode[]) AND status >= 400
      AND (request_body IS NOT NULL OR response_body IS NOT NULL)
      AND (payment_id = ANY (${[...paymentIds]}::uuid[]) OR EXISTS (
        SELECT FROM unnest(${[...texts]}::text[]) AS named (text)
        WHERE position(lower(named.text) IN lower(concat(request_body, ' ', response_body))) > 0))`;
}
