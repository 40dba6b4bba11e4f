import { Prisma } from '@switchyard/db/client';
import { compares, isOneOf } from '@switchyard/db/lists';
import { dayText, momentText, momentValue } from '@switchyard/db/moments';
import { z } from 'zod';

/*
 * Fields of filters: each is a zod schema with its meaning, and the condition on `p` that a value sets. What is left out, an empty list
 * and null match any. Every transport parses with the same schema, and GraphQL makes its input type of it.
 */

/** Kind of a filter's field, by which GraphQL knows the type of its input. */
export type FilterKind =
  | 'amount'
  | 'day'
  | 'flag'
  | 'id'
  | 'ids'
  | 'mode'
  | 'moment'
  | 'names'
  | 'text'
  /** Several of these words, or one of them. */
  | { readonly anyOf: readonly string[] }
  | { readonly oneOf: readonly string[] };

interface FilterField {
  readonly about: string;
  readonly kind: FilterKind;
  /** The conditions of a value that the schema of the field gave. */
  where(value: unknown): readonly Prisma.Sql[];
}

const FIELDS = new WeakMap<z.core.$ZodType, FilterField>();

/** A field of a filter with its meaning. Without `where` a noun has the condition: it depends on other fields, too. */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  about: string,
  kind: FilterKind,
  where: (value: z.output<Schema>) => readonly Prisma.Sql[] = () => [],
): Schema {
  const described = schema.describe(about);
  // A method takes any value: its schema made the one that it is called with.
  const own = {
    about,
    kind,
    where(value: z.output<Schema>) {
      return where(value);
    },
  };
  FIELDS.set(described, own);
  return described;
}

/** Facts of a field of a filter. Throws for a schema that {@link field} did not make. */
export function filterField(schema: z.core.$ZodType): FilterField {
  const known = FIELDS.get(schema);
  if (known === undefined) throw new Error('a field of a filter is made by `field`');
  return known;
}

const IDS_MAX = 1_000;
const NAMES_MAX = 200;
const AMOUNT_MAX = 1_000_000_000_000;
const TEXT_MAX = 320;

/** Text that PostgreSQL can store: no NUL, no lone surrogate. */
export function plainText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'must be plain text');
}

const uuid = z.uuid('must be a UUID').toLowerCase();
/** JSON has no dates: exports name them as text. */
const moment = z.union([momentValue, momentText]).nullable().default(null);
const day = dayText.nullable().default(null);
/** Whole main units. JSON has no large whole numbers; GraphQL has. */
const amount = z
  .union([z.int().min(0).max(AMOUNT_MAX).transform(BigInt), z.bigint().min(0n).max(BigInt(AMOUNT_MAX))])
  .nullable()
  .default(null);
const flag = z.boolean().nullable().default(null);
const text = plainText(TEXT_MAX).nullable().default(null);

const is = (comparison: string, type: string) => (value: string | bigint | boolean | Date | null) =>
  compares(comparison, value, type);

/** Ids that a column may have. */
export const ids = (about: string, column?: string) =>
  field(z.array(uuid).max(IDS_MAX, `must name at most ${IDS_MAX}`).readonly().default([]), about, 'ids', (value) =>
    column === undefined ? [] : isOneOf(column, value, 'uuid'),
  );

/** The id that a column has. */
export const id = (about: string, column: string) => field(uuid.nullable().default(null), about, 'id', is(`${column} =`, 'uuid'));

/** States or kinds that a column of this PostgreSQL type may have, by its values. */
export const anyOf = <const Word extends string>(
  about: string,
  words: readonly Word[],
  where?: string | readonly [column: string, type: string] | ((wanted: readonly Word[]) => readonly Prisma.Sql[]),
) =>
  field(z.array(z.enum(words)).max(words.length).readonly().default([]), about, { anyOf: words }, (wanted) => {
    if (typeof where === 'function') return wanted.length === 0 ? [] : where(wanted);
    if (where === undefined) return [];
    return typeof where === 'string' ? isOneOf(`p.${where}`, wanted, 'text') : isOneOf(where[0], wanted, where[1]);
  });

/** Names that a column may have. */
export const names = (about: string, max: number, column?: string) =>
  field(listOf(plainText(max)), about, 'names', (value) => (column === undefined ? [] : isOneOf(column, value, 'text')));

/** A name, with `NONE` for none; queries have empty text for it. */
const nameOrNone = (max: number) => plainText(max).transform((name) => (name === 'NONE' ? '' : name));

/** The same for rows that may have none: `NONE` finds these. */
export const namesOrNone = (
  about: string,
  max: number,
  where: string | ((value: readonly string[]) => readonly Prisma.Sql[]),
  kind: 'ids' | 'names' = 'names',
) =>
  field(listOf(nameOrNone(max)), about, kind, (value) =>
    typeof where === 'string' ? isOneOf(where, value, 'text') : where(value),
  );

/** One such name. */
export const oneOrNone = (about: string, max: number, sql: string) =>
  field(nameOrNone(max).nullable().default(null), about, 'text', is(`${sql} =`, 'text'));

function listOf<Schema extends z.ZodType>(of: Schema) {
  return z.array(of).max(NAMES_MAX, `must name at most ${NAMES_MAX}`).readonly().default([]);
}

/** From a moment on, and until before one. */
export const since = (about: string, sql: string) => field(moment, about, 'moment', is(`${sql} >=`, 'timestamptz'));
export const before = (about: string, sql: string) => field(moment, about, 'moment', is(`${sql} <`, 'timestamptz'));

/** From a day on, and up to one. Without SQL the noun has the condition. */
export const sinceDay = (about: string, sql?: string) =>
  field(day, about, 'day', sql === undefined ? undefined : is(`${sql} >=`, 'date'));
export const untilDay = (about: string, where?: string | ((day: string) => readonly Prisma.Sql[])) =>
  field(day, about, 'day', (last) => {
    if (last === null || where === undefined) return [];
    return typeof where === 'string' ? compares(`${where} <=`, last, 'date') : where(last);
  });

/** Bounds of an amount, both inclusive. */
export const atLeast = (about: string, sql: string, type: string) => field(amount, about, 'amount', is(`${sql} >=`, type));
export const atMost = (about: string, sql: string, type: string) => field(amount, about, 'amount', is(`${sql} <=`, type));

/** True or false for a condition. */
export const whether = (about: string, sql: string) => field(flag, about, 'flag', is(`(${sql}) =`, 'boolean'));

/** True or false, each with its condition. */
export const eitherOf = (about: string, isTrue: string, isFalse: string) =>
  field(flag, about, 'flag', (value) => [Prisma.raw(value === true ? isTrue : isFalse)]);

/** Only rows of a condition with true; all with false. */
export const only = (about: string, sql: string) =>
  field(z.boolean().default(false), about, 'flag', (value) => (value ? [Prisma.raw(sql)] : []));

/** Words to look for. Without `where` the noun has the condition. */
export const words = (about: string, where?: (text: string) => readonly Prisma.Sql[], max = TEXT_MAX) =>
  field(max === TEXT_MAX ? text : plainText(max).nullable().default(null), about, 'text', (value) =>
    value === null || where === undefined ? [] : where(value),
  );

/** Columns that a search compares with its text. */
interface SearchedColumns {
  /** Columns of ids, which have any case. */
  readonly ids: readonly string[];
  /** Columns of references, which are compared as they are. */
  readonly references: readonly string[];
  /** True for rows of payments, which are found by their order or their customer's e-mail address too. */
  readonly ofPayment?: boolean;
  /** Further conditions, one of which may be true instead. */
  readonly or?: (text: string) => readonly Prisma.Sql[];
}

/** True where the payment of the row has this order id, or this e-mail address in any case. */
const isOfPaymentNamed = (text: string) => Prisma.sql`EXISTS (SELECT FROM payment WHERE payment.merchant_id = p.merchant_id
  AND payment.id = p.payment_id AND (payment.merchant_order_id = ${text} OR lower(payment.customer_email) = lower(${text})))`;

/** An id or a reference as a whole, in one of several columns. */
export const search = (about: string, { ids: idColumns, references, ofPayment = false, or = () => [] }: SearchedColumns) =>
  words(about, (text) => {
    const isId = uuid.safeParse(text).success ? idColumns.flatMap((column) => compares(`${column} =`, text, 'uuid')) : [];
    const isReference = references.flatMap((column) => compares(`${column} =`, text, 'text'));
    return [
      Prisma.sql`(${Prisma.join([...isId, ...isReference, ...(ofPayment ? [isOfPaymentNamed(text)] : []), ...or(text)], ' OR ')})`,
    ];
  });

type OfMode = (mode: 'test' | 'live') => readonly Prisma.Sql[];

/** Merchants and mode, in every list's filter. The condition of a mode is that of the column unless another is given. */
export const scope = (isOfMode: OfMode = (mode) => [Prisma.sql`p.mode = ${mode}::mode`]) => ({
  merchantIds: ids('Merchants; all that the caller may read when omitted.'),
  mode: field(z.enum(['test', 'live']), 'Test or live.', 'mode', isOfMode),
});

/** With the time in which rows were recorded. */
export const timed = (isOfMode?: OfMode) => ({
  ...scope(isOfMode),
  createdFrom: since('Recorded at this time or later.', 'p.created_at'),
  createdTo: before('Recorded before this time.', 'p.created_at'),
});
