/** A column of a file. */
export interface FileColumn {
  readonly name: string;
  /** Meaning of the column, for the reader of the file. */
  readonly about: string;
  /** Its value as JSON shows it, over the tables of its list. */
  readonly sql: string;
}

const column = (name: string, sql: string, about: string): FileColumn => ({ name, sql, about });

/** Text, a number, a boolean or an id: as the database has it. */
export const plain = column;
/** A time in UTC, to the millisecond. */
export const moment = (name: string, sql: string, about: string) =>
  column(name, `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`, about);
/** An exact decimal as text, without zeros at its end. */
export const decimal = (name: string, sql: string, about: string) => column(name, `trim_scale(${sql})::text`, about);
/** JSON, on one line. */
export const json = (name: string, sql: string, about: string) => column(name, `(${sql})::jsonb`, about);
