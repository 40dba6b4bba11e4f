import { type DecisionInputs, type PaymentKeys, readPaymentKeys, type UsedKeys } from '@switchyard/routing';

/** Columns of `payment` that keys are read from, for a SELECT of past payments. */
export interface KeyColumns {
  readonly metadata: unknown;
  readonly createdAt: Date;
  /** Null where it was not read. */
  readonly hasPaidBefore: boolean | null;
}

/**
 * The columns of {@link KeyColumns} beside `createdAt`: nothing is read that no rule compares. The statement's first parameter is the
 * merchant: a cluster joins the payments of one only where both sides name it.
 */
export function keyColumns(used: UsedKeys | null): string {
  const metadata = used === null || used.metadata.length === 0 ? 'NULL::jsonb' : 'payment.metadata';
  const history =
    used?.customer === true
      ? `EXISTS (SELECT FROM payment AS earlier
    WHERE earlier.merchant_id = $1 AND earlier.mode = payment.mode
      AND lower(earlier.customer_email) = lower(payment.customer_email)
      AND (earlier.created_at, earlier.id) < (payment.created_at, payment.id) AND earlier.status IN ('SUCCESS', 'REFUNDED'))`
      : 'NULL::boolean';
  return `${metadata} AS metadata, ${history} AS "hasPaidBefore"`;
}

/**
 * A past payment's values of the keys that are used. What its own decision compared is as it was then; the rest is read from its row. A
 * customer has paid before if payments that began earlier are paid by now.
 */
export function pastKeys(used: UsedKeys, row: KeyColumns, timeZone: string, stored: PaymentKeys = {}): PaymentKeys {
  const history = row.hasPaidBefore === null ? null : row.hasPaidBefore ? ('returning' as const) : ('new' as const);
  const read = readPaymentKeys(used, { metadata: row.metadata, at: row.createdAt, timeZone, customer: history });
  const { metadata, ...kept } = stored;
  // Metadata is gone once a customer was erased.
  const isErased = row.metadata === null && metadata !== undefined;
  return {
    ...read,
    ...(used.time && kept.time !== undefined && { time: kept.time }),
    ...(used.customer && kept.customer !== undefined && { customer: kept.customer }),
    ...(isErased && { metadata }),
  };
}

/** Inputs of a past decision with the values of the keys that are used. */
export function withPastKeys(inputs: DecisionInputs, used: UsedKeys | null, row: KeyColumns, timeZone: string): DecisionInputs {
  if (used === null) return inputs;
  const { payment } = inputs;
  return { ...inputs, payment: { ...payment, keys: pastKeys(used, row, timeZone, payment.keys) } };
}
