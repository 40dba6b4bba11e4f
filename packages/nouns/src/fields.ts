/** Type of a value. Spreadsheets take text for a formula by how it begins, so that only text from outside is escaped. */
export type FieldValue =
  /** From outside: customers, merchants and gateways can write anything. */
  | { readonly is: 'text' }
  /** Text of our own making, which never is a formula: an id, a moment, a word of a list. */
  | { readonly is: 'code' }
  /** A whole number that counts something. */
  | { readonly is: 'number' }
  | { readonly is: 'flag' }
  /** A day of the calendar: `2026-11-26`. */
  | { readonly is: 'day' }
  /** An exact decimal; `currency` names the field with its currency. */
  | { readonly is: 'amount'; readonly currency: string };

/** A field of a noun: a column of its file, a field of its GraphQL type. */
export interface Field {
  /** As files have it: `merchant_order_id`. */
  readonly name: string;
  /** The meaning, for readers of files, of the schema and of tools. */
  readonly about: string;
  /** The value as JSON shows it, over `p` and what is joined to it. */
  readonly sql: string;
  readonly value: FieldValue;
}

/** A field that gets its name from its place in a noun. Without SQL it is the column of that name. */
export type FieldOf = (name: string) => Field;

const of =
  (value: FieldValue, write: (sql: string) => string = (sql) => sql) =>
  (about: string, sql?: string): FieldOf =>
  (name) => ({ name, about, sql: write(sql ?? `p.${name}`), value });

/** Text from outside: as the database has it. */
export const text = of({ is: 'text' });
/** An id, or a word of a list of ours: as the database has it. */
export const code = of({ is: 'code' });
/** A word of a list of ours, which its meaning names. */
export const oneOf = (about: string, words: readonly string[], sql?: string) =>
  code(`${about}: ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`, sql);
/** A whole number: as the database has it. */
export const number = of({ is: 'number' });
/** True or false: as the database has it. */
export const flag = of({ is: 'flag' });
/** A day: as the database has it. */
export const day = of({ is: 'day' });
/** An amount in whole main units: as the database has it. */
export const amount = of({ is: 'amount', currency: 'currency' });
/** A time in UTC, to the millisecond. */
export const moment = of({ is: 'code' }, (sql) => `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
/** An amount as an exact decimal in text, without zeros at its end. */
export const decimal = (about: string, sql?: string, currency = 'currency') =>
  of({ is: 'amount', currency }, (value) => `trim_scale(${value})::text`)(about, sql);
/** JSON from outside, on one line. */
export const json = of({ is: 'text' }, (sql) => `(${sql})::jsonb`);

/** Fields by their names, in order. */
export type Fields = Readonly<Record<string, FieldOf>>;

/** Gives each field its name. */
export function namedFields(fields: Fields): readonly Field[] {
  return Object.entries(fields).map(([name, field]) => field(name));
}
