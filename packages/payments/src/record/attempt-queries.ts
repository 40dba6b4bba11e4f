import { batched, type Database, type Vault } from '@switchyard/db';
import type { TransferPayer } from '@switchyard/gateways';
import type { CardOrigin } from '@switchyard/routing';
import { z } from 'zod';
import type { AttemptRecord } from './payment-record.ts';
import { namedPayment } from './plan.ts';

/** Attempts of one payment that are read at most: the first ones. */
const ATTEMPTS_MAX = 100;

const COLUMNS = `
  attempt.id, attempt.payment_id AS "paymentId", attempt.position, attempt.account_id AS "accountId", attempt.gateway, attempt.reference,
  attempt.state::text AS state, attempt.duplicate, attempt.failure_code AS "failureCode", attempt.failure_message AS "failureMessage",
  attempt.transaction_id AS "transactionId", trim_scale(attempt.received_amount)::text AS "receivedAmount",
  attempt.received_currency::text AS "receivedCurrency"`;

const LIST = `
SELECT key.place::int AS place, ${COLUMNS}
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant_id, payment_id, place)
JOIN attempt ON attempt.merchant_id = key.merchant_id AND attempt.payment_id = key.payment_id AND attempt.position < ${ATTEMPTS_MAX}
  AND ($3::uuid IS NULL OR attempt.merchant_id = $3)
ORDER BY key.place, attempt.position`;

const list = batched<{ readonly merchantId: string; readonly paymentId: string }, AttemptRecord[]>({
  async run({ batches }, keys, merchant) {
    const { rows } = await batches.query<AttemptRecord & { readonly place: number }>({
      name: 'list-attempts',
      text: LIST,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ paymentId }) => paymentId), merchant],
    });
    const attempts = keys.map((): AttemptRecord[] => []);
    for (const { place, ...attempt } of rows) attempts[place - 1]?.push(attempt);
    return attempts;
  },
  merchant: ({ merchantId }) => merchantId,
});

/** The attempts of one payment, in the order they were made. */
export function listAttempts(database: Database, merchantId: string, paymentId: string): Promise<AttemptRecord[]> {
  return list(database, { merchantId, paymentId });
}

/** Reads one attempt each of concurrent callers, by two columns that are unique beside the merchant. */
function attemptBy(name: string, key: string) {
  return batched<readonly [merchantId: string, one: string, other: string | null], AttemptRecord | null>({
    async run({ batches }, keys, merchant) {
      const { rows } = await batches.query<AttemptRecord & { readonly place: number }>({
        name,
        text: `SELECT key.place::int AS place, ${COLUMNS}
FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS key (merchant_id, one, other, place)
JOIN attempt ON attempt.merchant_id = key.merchant_id AND ${key} AND ($4::uuid IS NULL OR attempt.merchant_id = $4)`,
        values: [keys.map(([merchantId]) => merchantId), keys.map(([, one]) => one), keys.map(([, , other]) => other), merchant],
      });
      const found = keys.map((): AttemptRecord | null => null);
      for (const { place, ...attempt } of rows) found[place - 1] = attempt;
      return found;
    },
    merchant: ([merchantId]) => merchantId,
  });
}

const BY_REFERENCE = `attempt.payment_id = ${namedPayment('key.other')} AND attempt.account_id = key.one AND attempt.reference = key.other`;
const byReference = attemptBy('find-attempts-by-reference', BY_REFERENCE);
const byId = attemptBy('find-attempts', 'attempt.id = key.one');

/** The attempt at an account under a reference, or null. */
export function findAttemptByReference(
  database: Database,
  merchantId: string,
  accountId: string,
  reference: string,
): Promise<AttemptRecord | null> {
  return byReference(database, [merchantId, accountId, reference]);
}

/** One attempt of a merchant, or null. */
export function findAttempt(database: Database, merchantId: string, attemptId: string): Promise<AttemptRecord | null> {
  return byId(database, [merchantId, attemptId, null]);
}

/**
 * Attempts that may still bring money: their checkout was opened, or may have been opened without an answer. A declined one counts
 * too, because gateways let customers retry on the same page.
 */
export function watchedAttempts(attempts: readonly AttemptRecord[]): AttemptRecord[] {
  return attempts.filter(({ state }) => state !== 'REFUSED' && state !== 'PAID');
}

/** The attempt that a transfer paid. */
export interface PayerKey {
  readonly merchantId: string;
  readonly attemptId: string;
}

/** Encrypts who paid an attempt. */
export function sealPayer(vault: Vault, payer: TransferPayer, key: PayerKey): string {
  return vault.seal(JSON.stringify(payer), payerBinding(key));
}

const payerSchema = z.object({ bank: z.string().nullable(), name: z.string().nullable(), accountEnd: z.string().nullable() });

/** The payer of an attempt. Throws where it does not open. */
export function openPayer(vault: Vault, sealed: string, key: PayerKey): TransferPayer {
  return payerSchema.parse(JSON.parse(vault.open(sealed, payerBinding(key))));
}

/** Binding of who paid an attempt. */
export function payerBinding({ merchantId, attemptId }: PayerKey): string {
  return `payer:${merchantId}:${attemptId}`;
}

/** The payers of these attempts of a merchant, by attempt. */
export async function readPayers(
  { prisma }: Pick<Database, 'prisma'>,
  vault: Vault,
  merchantId: string,
  attemptIds: readonly string[],
): Promise<ReadonlyMap<string, TransferPayer>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await prisma.payer.findMany({
    where: { merchantId, attemptId: { in: [...attemptIds] } },
    take: attemptIds.length,
  });
  return new Map(rows.map((row) => [row.attemptId, openPayer(vault, row.sealed, row)]));
}

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
