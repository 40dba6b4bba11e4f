/** Type of a column. Spreadsheets take text for a formula by how it begins, so that only text from outside is escaped. */
export type FileValue =
  /** From outside: customers, merchants and gateways can write anything. */
  | { readonly is: 'text' }
  /** Of our own making, which never is a formula: an id, a moment, a word of a list. */
  | { readonly is: 'code' }
  /** A whole number that counts something. */
  | { readonly is: 'number' }
  | { readonly is: 'flag' }
  /** A day of the calendar: `2026-11-26`. */
  | { readonly is: 'day' }
  /** An exact decimal; `currency` names the column with its currency. */
  | { readonly is: 'amount'; readonly currency: string };

/** A column of a file. */
export interface FileColumn {
  readonly name: string;
  /** Meaning of the column, for the reader of the file. */
  readonly about: string;
  /** Its value as JSON shows it, over the tables of its list. */
  readonly sql: string;
  readonly value: FileValue;
}

const of =
  (value: FileValue) =>
  (name: string, sql: string, about: string): FileColumn => ({ name, sql, about, value });

/** Text from outside: as the database has it. */
export const text = of({ is: 'text' });
/** An id, or a word of a list of ours: as the database has it. */
export const code = of({ is: 'code' });
/** A whole number: as the database has it. */
export const number = of({ is: 'number' });
/** True or false: as the database has it. */
export const flag = of({ is: 'flag' });
/** A day: as the database has it. */
export const day = of({ is: 'day' });
/** An amount in whole main units: as the database has it. */
export const amount = of({ is: 'amount', currency: 'currency' });
/** A time in UTC, to the millisecond. */
export const moment = (name: string, sql: string, about: string) =>
  code(name, `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`, about);
/** An amount as an exact decimal in text, without zeros at its end. */
export const decimal = (name: string, sql: string, about: string, currency = 'currency') =>
  of({ is: 'amount', currency })(name, `trim_scale(${sql})::text`, about);
/** JSON, on one line. */
export const json = (name: string, sql: string, about: string) => text(name, `(${sql})::jsonb`, about);
