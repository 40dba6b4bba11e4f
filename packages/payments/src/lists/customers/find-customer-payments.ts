import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { canonicalPhone } from '../../record/phone.ts';

/** The person of a request, within a merchant and mode. A payment that matches any identifier that is given is the person's. */
export interface CustomerSubject {
  readonly merchantId: string;
  readonly mode: Mode;
  /** In any case. */
  readonly email: string | null;
  /** In any spelling. */
  readonly phone: string | null;
  /** The merchant's id of the customer. */
  readonly customerId: string | null;
}

const BY_EMAIL = `
SELECT id FROM payment WHERE merchant_id = $1 AND mode = $2::mode AND lower(customer_email) = lower($3) AND customer_erased_at IS NULL
LIMIT $4`;
const BY_CUSTOMER = `
SELECT id FROM payment WHERE merchant_id = $1 AND mode = $2::mode AND customer_id = $3 AND customer_erased_at IS NULL LIMIT $4`;
/** By the last digits, which the index has; spellings of the whole number are compared afterwards. */
const BY_PHONE = `
SELECT id, customer_phone AS phone FROM payment
WHERE merchant_id = $1 AND mode = $2::mode AND customer_phone IS NOT NULL
  AND reverse(right(regexp_replace(customer_phone, '\\D', '', 'g'), 7)) COLLATE "C" = reverse(right($3, 7))`;

/** Ids of the person's payments from which their data was not erased, oldest first, at most `limit`. */
export async function findCustomerPayments(database: Database, subject: CustomerSubject, limit: number): Promise<string[]> {
  const { merchantId, mode, email, phone, customerId } = subject;
  const found = new Set<string>();
  const add = async (statement: string, value: string) => {
    const { rows } = await database.pool.query<{ id: string }>(statement, [merchantId, mode, value, limit]);
    for (const { id } of rows) found.add(id);
  };
  if (email !== null) await add(BY_EMAIL, email);
  if (customerId !== null) await add(BY_CUSTOMER, customerId);
  if (phone !== null) for (const id of await findByPhone(database, subject, canonicalPhone(phone))) found.add(id);
  return [...found].sort().slice(0, limit);
}

async function findByPhone(
  database: Database,
  { merchantId, mode }: Pick<CustomerSubject, 'merchantId' | 'mode'>,
  phone: string,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string; phone: string }>(BY_PHONE, [merchantId, mode, phone]);
  return rows.filter((one) => canonicalPhone(one.phone) === phone).map(({ id }) => id);
}

/** Ids of the person's payments from which their data was not erased, newest first, at most `limit`: each identifier is read by its index. */
export async function findNewestPayments(
  { prisma }: Pick<Database, 'prisma'>,
  { merchantId, mode, email, phone, customerId }: CustomerSubject,
  limit: number,
): Promise<string[]> {
  const canonical = phone === null ? '' : canonicalPhone(phone);
  const end = [...canonical.slice(-7)].reverse().join('');
  const [byEmail, byCustomer, byPhone] = await Promise.all([
    email === null
      ? []
      : prisma.$queryRaw<Seen[]>`
          SELECT id, created_at AS "createdAt", NULL AS phone FROM payment
          WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND lower(customer_email) = lower(${email})
            AND customer_erased_at IS NULL
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
    customerId === null
      ? []
      : prisma.$queryRaw<Seen[]>`
          SELECT id, created_at AS "createdAt", NULL AS phone FROM payment
          WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND customer_id = ${customerId} AND customer_erased_at IS NULL
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
    canonical === ''
      ? []
      : prisma.$queryRaw<Seen[]>`
          SELECT id, created_at AS "createdAt", customer_phone AS phone FROM payment
          WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND customer_phone IS NOT NULL
            AND reverse(right(regexp_replace(customer_phone, '\\D', '', 'g'), 7)) COLLATE "C" = ${end}
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
  ]);
  const seen = [...byEmail, ...byCustomer, ...byPhone.filter((one) => canonicalPhone(one.phone ?? '') === canonical)];
  const times = new Map(seen.map(({ id, createdAt }) => [id, createdAt.getTime()]));
  return [...times]
    .sort(([id, at], [otherId, otherAt]) => otherAt - at || (id < otherId ? 1 : -1))
    .slice(0, limit)
    .map(([id]) => id);
}

interface Seen {
  readonly id: string;
  readonly createdAt: Date;
  /** As it was sent; null where it was not looked up by. */
  readonly phone: string | null;
}

/** Identifiers of the person on these payments, each as it was sent. */
export interface CustomerIdentifiers {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly customerIds: readonly string[];
}

/** The identifiers of the customers of these payments. */
export async function identifiersOf(
  { pool }: Pick<Database, 'pool'>,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<CustomerIdentifiers> {
  const { rows } = await pool.query<CustomerIdentifiers>(
    `SELECT COALESCE(array_agg(DISTINCT customer_email), '{}') AS emails,
       COALESCE(array_agg(DISTINCT customer_phone) FILTER (WHERE customer_phone IS NOT NULL), '{}') AS phones,
       COALESCE(array_agg(DISTINCT customer_id) FILTER (WHERE customer_id IS NOT NULL), '{}') AS "customerIds"
     FROM payment WHERE merchant_id = $1 AND id = ANY ($2::uuid[]) AND customer_erased_at IS NULL`,
    [merchantId, paymentIds],
  );
  return rows[0] ?? { emails: [], phones: [], customerIds: [] };
}
