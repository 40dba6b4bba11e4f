import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

// By the index of e-mail addresses, whose rows of one address are in the order of their time.
const FIRST = `
SELECT wanted.place::int AS place, first.id
FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS wanted (mode, email, place)
CROSS JOIN LATERAL (
  SELECT id FROM payment WHERE merchant_id = $1::uuid AND mode = wanted.mode::mode AND lower(customer_email) = lower(wanted.email)
  ORDER BY created_at, id LIMIT 1) AS first`;

/** A customer of a mode by the e-mail address, in any case. */
interface CustomerOfMode {
  readonly mode: Mode;
  readonly email: string;
}

/**
 * The id of each customer's first payment, in the order of the customers. It identifies the customer, who has no row of its own: it stays
 * the same with each new payment, and leads back to the address.
 */
export async function findFirstPayments(
  { pool }: Database,
  merchantId: string,
  customers: readonly CustomerOfMode[],
): Promise<readonly (string | undefined)[]> {
  const keyOf = ({ mode, email }: CustomerOfMode) => `${mode} ${email}`;
  const distinct = [...new Map(customers.map((customer) => [keyOf(customer), customer])).values()];
  const { rows } = await pool.query<{ place: number; id: string }>({
    name: 'find-first-payments',
    text: FIRST,
    values: [merchantId, distinct.map(({ mode }) => mode), distinct.map(({ email }) => email)],
  });
  const idAt = new Map(rows.map(({ place, id }) => [place, id]));
  const idOf = new Map(distinct.map((customer, index) => [keyOf(customer), idAt.get(index + 1)]));
  return customers.map((customer) => idOf.get(keyOf(customer)));
}

const EMAIL = `SELECT customer_email AS email FROM payment WHERE merchant_id = $1::uuid AND id = $2::uuid AND mode = $3::mode`;

/** The e-mail address of the customer of a merchant's payment of a mode, or null. */
export async function findCustomerEmail(
  { pool }: Database,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
  paymentId: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ email: string }>({
    name: 'find-customer-email',
    text: EMAIL,
    values: [merchantId, paymentId, mode],
  });
  return rows[0]?.email ?? null;
}
