import type { FileFormat, FilePiece } from '@switchyard/reporting/files';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

const cells = z.array(z.string().nullable());

const CSV = {
  // RFC 4180 ends lines with CRLF.
  record_delimiter: 'windows',
  // Many readers end a row at a lone line feed.
  quoted_match: /[\r\n]/,
  escape_formulas: true,
  // Spreadsheets ignore a line end before a formula; the library does not escape that case.
  cast: { string: (value: string) => (value.startsWith('\n') ? `'${value}` : value) },
} as const;

/** The header line. */
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
