import pg from 'pg';
import type { FileColumn } from './file-columns.ts';

export type FileFormat = 'csv' | 'ndjson';

/** A row's values as PostgreSQL writes them. */
export type Cells = readonly (string | null)[];

type WriteCell = (value: string) => string;

const { BOOL, FLOAT8, INT2, INT4, INT8, JSON: JSON_TYPE, JSONB, TIMESTAMPTZ } = pg.types.builtins;

/** What programs for spreadsheets take for a formula when a cell begins with it; full-width forms among them. */
const FORMULA = /^[=+@\t\r\n＝＋－＠-]/;

/** A moment in UTC to the millisecond, from what PostgreSQL writes where the zone is UTC: `2026-11-20 16:00:00.12+00`. */
export function toMoment(written: string): string {
  const [day, time, fraction, end] = [written.slice(0, 10), written.slice(11, 19), written.slice(20, -3), written.slice(-3)];
  if (end !== '+00' || written.length > 26) throw new Error(`not a moment in UTC to the millisecond: ${written}`);
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
}

/** Writes rows as lines. `types` are those of the columns' values, by their numbers in PostgreSQL. */
export function writeLines(
  format: FileFormat,
  columns: readonly FileColumn[],
  { rows, types }: { readonly rows: readonly Cells[]; readonly types: readonly number[] },
): string {
  const write = format === 'csv' ? csvWriter(columns, types) : jsonWriter(columns, types);
  let text = '';
  for (const row of rows) text += write(row);
  return text;
}

/** A line by RFC 4180; a text that looks like a formula has an apostrophe before it. */
function csvWriter(columns: readonly FileColumn[], types: readonly number[]): (row: Cells) => string {
  const cells = columns.map(({ kind }, at): WriteCell => {
    const plain = plainText(types[at]);
    return kind === 'own' ? plain : (value) => quoted(plain(value));
  });
  return (row) => {
    let line = '';
    for (let at = 0; at < cells.length; at++) {
      const value = row[at] ?? null;
      if (at > 0) line += ',';
      if (value !== null) line += cells[at]?.(value) ?? '';
    }
    return `${line}\r\n`;
  };
}

function quoted(text: string): string {
  const doubled = text.includes('"') ? text.replaceAll('"', '""') : text;
  return FORMULA.test(text) ? `"'${doubled}"` : `"${doubled}"`;
}

/** An object with the columns' names as keys; sums of our own are numbers, those of gateways texts. */
function jsonWriter(columns: readonly FileColumn[], types: readonly number[]): (row: Cells) => string {
  const cells = columns.map((column, at) => jsonValue(column, types[at]));
  const begins = columns.map(({ name }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return (row) => {
    let line = '';
    for (let at = 0; at < cells.length; at++) {
      const value = row[at] ?? null;
      line += begins[at];
      line += value === null ? 'null' : (cells[at]?.(value) ?? 'null');
    }
    return `${line}}\n`;
  };
}

function jsonValue({ kind }: FileColumn, type: number | undefined): WriteCell {
  switch (type) {
    case INT2:
    case INT4:
    case INT8:
    case FLOAT8:
      return (value) => value;
    case JSON_TYPE:
    case JSONB:
      // Stored as it came: outside its texts, a new line means no more than a space.
      return (value) => value.replaceAll(/[\r\n]/g, ' ');
    case BOOL:
      return plainText(BOOL);
    default: {
      const plain = plainText(type);
      // What is of our making has nothing in it that JSON writes otherwise.
      return kind === 'own' ? (value) => `"${plain(value)}"` : (value) => JSON.stringify(plain(value));
    }
  }
}

function plainText(type: number | undefined): WriteCell {
  switch (type) {
    case BOOL:
      return (value) => (value === 't' ? 'true' : 'false');
    case TIMESTAMPTZ:
      return toMoment;
    default:
      return (value) => value;
  }
}
