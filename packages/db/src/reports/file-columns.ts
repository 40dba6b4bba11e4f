/** A column of a file. */
export interface FileColumn {
  readonly name: string;
  /** What the column holds, for whoever reads the file. */
  readonly about: string;
  /** Over the tables of its list. Moments are written in UTC, to the millisecond; decimals without noughts at their end. */
  readonly sql: string;
  /** `free` texts were chosen by others and may hold anything, as may what is in `json`; `own` ones are of our making. */
  readonly kind: 'own' | 'free' | 'json';
}

export const own = (name: string, sql: string, about: string): FileColumn => ({ name, sql, about, kind: 'own' });
export const free = (name: string, sql: string, about: string): FileColumn => ({ name, sql, about, kind: 'free' });
export const json = (name: string, sql: string, about: string): FileColumn => ({ name, sql, about, kind: 'json' });

/** The first line of a file of comma-separated values. */
export function csvHeader(columns: readonly FileColumn[]): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`;
}
