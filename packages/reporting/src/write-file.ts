import { stringify } from 'csv-stringify/sync';
import type { FileColumn } from './file-columns.ts';
import type { FileFormat, FilePiece } from './list-file.ts';
import { cellsOf, writeWorkbook } from './workbook.ts';

/** Media types of files. */
export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** How rows become a file. */
export interface WrittenFile {
  readonly format: FileFormat;
  /** Name of the sheet of a workbook, at most 31 letters and dashes. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** True if CSV begins with the names of the columns. A workbook always does. */
  readonly titles: boolean;
  /** True if CSV begins with a byte order mark: spreadsheets detect UTF-8 only by it. */
  readonly byteOrderMark: boolean;
}

const CSV = {
  // RFC 4180 ends lines with CRLF.
  record_delimiter: 'windows',
  // Many readers end a row at a lone line feed.
  quoted_match: /[\r\n]/,
} as const;

/** Beginnings of a formula: https://owasp.org/www-community/attacks/CSV_Injection. Spreadsheets ignore a line end before one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

type Column = Pick<FileColumn, 'name' | 'value'>;

/**
 * Lines of CSV, by RFC 4180. Text from outside that a spreadsheet would execute begins with an apostrophe; the type of the column decides,
 * so that an amount, a count, a moment or an id of ours is written as it is.
 */
export function csvLines(columns: readonly Pick<Column, 'value'>[], rows: readonly (readonly (string | null)[])[]): string {
  const isOutside = columns.map(({ value }) => value.is === 'text');
  const escaped = rows.map((row) =>
    row.map((cell, at) => (cell !== null && isOutside[at] === true && FORMULA.test(cell) ? `'${cell}` : cell)),
  );
  return stringify(escaped, CSV);
}

/** The line of titles of these columns. */
export function csvTitles(columns: readonly Pick<Column, 'name'>[]): string {
  return stringify([columns.map(({ name }) => name)], CSV);
}

/**
 * The bytes of a file, one piece of rows at a time and no faster than they are taken. Nothing in it is executed by a spreadsheet. Throws
 * {@link WorkbookLimitError} where a workbook becomes too long, and what the pieces throw.
 */
export function writeFile(
  file: WrittenFile,
  pieces: AsyncIterable<Pick<FilePiece, 'rows'>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  return file.format === 'xlsx' ? writeWorkbook(file, pieces) : writeText(file, file.format, pieces);
}

async function* writeText(
  { columns, titles, byteOrderMark }: WrittenFile,
  format: 'csv' | 'ndjson',
  pieces: AsyncIterable<Pick<FilePiece, 'rows'>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const isCsv = format === 'csv';
  const mark = isCsv && byteOrderMark ? '\uFEFF' : '';
  let begin = isCsv && titles ? `${mark}${csvTitles(columns)}` : '';
  for await (const { rows } of pieces) {
    yield Buffer.from(`${begin}${isCsv ? csvLines(columns, rows.map(cellsOf)) : rows.map((row) => `${row}\n`).join('')}`);
    begin = '';
  }
  if (begin !== '') yield Buffer.from(begin);
}
