/** A column of a file. */
export interface FileColumn {
  readonly name: string;
  /** What the column holds, for whoever reads the file. */
  readonly about: string;
  /** Over the tables of its list. */
  readonly sql: string;
  /** `free` texts were chosen by others and may hold anything, as may what is in `json`; `own` ones are of our making. */
  readonly kind: 'own' | 'free' | 'json';
}

export const own = (name: string, sql: string, about: string): FileColumn => ({ name, sql, about, kind: 'own' });
export const free = (name: string, sql: string, about: string): FileColumn => ({ name, sql, about, kind: 'free' });
export const json = (name: string, sql: string, about: string): FileColumn => ({ name, sql, about, kind: 'json' });

/** A moment in UTC, to the millisecond. */
export const moment = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The first line of a file of comma-separated values. */
export function csvHeader(columns: readonly FileColumn[]): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`;
}

/** What programs for spreadsheets take for a formula when a cell begins with it; full-width forms among them. */
const FORMULA = String.raw`E'^[=+@\\t\\r\\n＝＋－＠-]'`;

function csvCell({ sql, kind }: FileColumn): string {
  if (kind === 'own') return `COALESCE((${sql})::text, '')`;
  const text = `replace((${sql})::text, '"', '""')`;
  return `CASE WHEN ${sql} IS NULL THEN '' WHEN (${sql})::text ~ ${FORMULA} THEN '"''' || ${text} || '"' ELSE '"' || ${text} || '"' END`;
}

/** A line by RFC 4180, as SQL; a text that looks like a formula has an apostrophe before it. */
export function csvLine(columns: readonly FileColumn[]): string {
  return `${columns.map(csvCell).join(` || ',' || `)} || E'\\r\\n'`;
}

/** A line of JSON, as SQL, with the columns' names as keys; sums of our own are numbers, those of gateways texts. */
export function jsonLine(columns: readonly FileColumn[]): string {
  return `json_build_object(${columns.map(jsonCell).join(', ')})::text || E'\\n'`;
}

function jsonCell({ name, sql }: FileColumn): string {
  return `'${name}', ${sql.startsWith('trim_scale') ? `${sql}::text` : sql}`;
}
