import { randomInt } from 'node:crypto';
import type { Database } from '@switchyard/db';
import type { Dialect } from '../problem.ts';

/** Kind of object that a number identifies. */
export type NumberedKind = 'payment' | 'refund';

/** An object that has a number, or gets one. */
export interface Numbered {
  readonly merchantId: string;
  readonly kind: NumberedKind;
  readonly objectId: string;
}

// A conflict is either of the object, which has a number then, or of the number, and another one is tried.
const NUMBER = `
INSERT INTO compat_number (merchant_id, object_id, kind, number, dialect) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING RETURNING number::text`;
const FIND_NUMBER = 'SELECT number::text FROM compat_number WHERE merchant_id = $1 AND object_id = $2';
const NAME_DIALECT = 'UPDATE compat_number SET dialect = $3 WHERE merchant_id = $1 AND object_id = $2 AND dialect IS NULL';
const FIND_OBJECT = `
SELECT object_id AS "objectId" FROM compat_number WHERE merchant_id = $1 AND number = $2 AND kind = $3`;
const FIND_DIALECT = 'SELECT number::text, dialect FROM compat_number WHERE merchant_id = $1 AND object_id = $2';

/** Tries for objects of one merchant in one millisecond; far more than can be made. */
const TRIES_MAX = 8;

/**
 * The number of an object, for ever the same: the stored one, or a new one that no other object of the merchant has. `dialect` is
 * recorded with it: the dialect that began a payment, null for everything else.
 */
export async function numberOf(
  { pool }: Database,
  { merchantId, kind, objectId }: Numbered,
  dialect: Dialect | null,
  now: Date,
): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const number = makeNumber(now);
    const values = [merchantId, objectId, kind, number, dialect];
    const made = await pool.query<{ number: string }>({ name: 'compat-number', text: NUMBER, values });
    if (made.rows[0] !== undefined) return Number(made.rows[0].number);
    const stored = await find();
    if (stored === undefined) continue;
    // The payment was asked about before its dialect was recorded.
    if (dialect !== null) await pool.query(NAME_DIALECT, [merchantId, objectId, dialect]);
    return Number(stored.number);
  }
  throw new Error(`no free number was found for ${kind} ${objectId}`);

  async function find(): Promise<{ number: string } | undefined> {
    const values = [merchantId, objectId];
    return (await pool.query<{ number: string }>({ name: 'find-compat-number', text: FIND_NUMBER, values })).rows[0];
  }
}

// Rows of one statement conflict with one another as they do with stored ones.
const NUMBERS = `
INSERT INTO compat_number (merchant_id, object_id, kind, number)
SELECT $1::uuid, wanted.id, $2, wanted.number FROM unnest($3::uuid[], $4::bigint[]) AS wanted (id, number)
ON CONFLICT DO NOTHING`;
const FIND_NUMBERS = `
SELECT object_id AS "objectId", number::text FROM compat_number WHERE merchant_id = $1 AND object_id = ANY ($2::uuid[])`;

/** The numbers of a merchant's objects of one kind, by their ids, as {@link numberOf} gives them. */
export async function numbersOf(
  { pool }: Database,
  { merchantId, kind, objectIds }: Omit<Numbered, 'objectId'> & { readonly objectIds: readonly string[] },
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const missing = [...new Set(objectIds)].filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    const { rows } = await pool.query<{ objectId: string; number: string }>({
      name: 'find-compat-numbers',
      text: FIND_NUMBERS,
      values: [merchantId, missing],
    });
    for (const { objectId, number } of rows) found.set(objectId, Number(number));
    const without = missing.filter((id) => !found.has(id));
    if (without.length === 0) return found;
    // One millisecond has too few numbers for a page of objects.
    const numbers = without.map((_, place) => makeNumber(new Date(now.getTime() - place)));
    await pool.query(NUMBERS, [merchantId, kind, without, numbers]);
  }
  throw new Error(`no free numbers were found for ${objectIds.length} objects of the kind ${kind}`);
}

/** The id of the merchant's object with a number, or null. */
export async function findNumbered(
  { pool }: Database,
  merchantId: string,
  kind: NumberedKind,
  number: number,
): Promise<string | null> {
  const values = [merchantId, number, kind];
  const { rows } = await pool.query<{ objectId: string }>({ name: 'find-compat-object', text: FIND_OBJECT, values });
  return rows[0]?.objectId ?? null;
}

/** The dialect that began a payment, with the payment's number; null for one that no dialect began. */
export async function findDialect(
  { pool }: Database,
  merchantId: string,
  paymentId: string,
): Promise<{ readonly dialect: Dialect; readonly number: number } | null> {
  const values = [merchantId, paymentId];
  const { rows } = await pool.query<{ number: string; dialect: Dialect | null }>({
    name: 'find-compat-dialect',
    text: FIND_DIALECT,
    values,
  });
  const found = rows[0];
  return found === undefined || found.dialect === null ? null : { dialect: found.dialect, number: Number(found.number) };
}

/** 2024-01-01, from which the time in a number is counted. */
const EPOCH_MS = Date.UTC(2024, 0, 1);
const RANDOM_VALUES = 2 ** 11;

/**
 * A number for an object, in the form gateways number theirs: it grows with time and is a safe integer until 2093. The time in
 * milliseconds comes first, so that new rows stay together in the index; 11 random bits follow.
 */
export function makeNumber(at: Date, random: (values: number) => number = randomInt): number {
  return (at.getTime() - EPOCH_MS) * RANDOM_VALUES + random(RANDOM_VALUES);
}

/** A number in a request, of any form, or null. */
export function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}
