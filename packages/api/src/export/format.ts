import type { FileFormat, FilePiece } from '@switchyard/reporting';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

const cells = z.array(z.string().nullable());

const CSV = {
  // Lines end as RFC 4180 has it.
  record_delimiter: 'windows',
  // A lone line feed ends a row for many readers.
  quoted_match: /[\r\n]/,
  escape_formulas: true,
  // Spreadsheets skip a line end before a formula; the library does not know that.
  cast: { string: (value: string) => (value.startsWith('\n') ? `'${value}` : value) },
} as const;

/** The line of titles. */
export function formatTitles(names: readonly string[]): string {
  return stringify([[...names]], CSV);
}

/** Rows as lines of a file. */
export function formatRows(format: FileFormat, { rows }: Pick<FilePiece, 'rows'>): string {
  switch (format) {
    case 'csv':
      return stringify(
        rows.map((row) => cells.parse(JSON.parse(row))),
        CSV,
      );
    case 'ndjson':
      return rows.map((row) => `${row}\n`).join('');
    default: {
      const never: never = format;
      return never;
    }
  }
}
