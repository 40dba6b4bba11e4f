import { type Database, type JsonValue, NIL_ID } from '@switchyard/db';
import { type AuditKeys, appendAuditEntry } from '@switchyard/db/audit';
import type { Mode } from '@switchyard/db/client';
import type { Field } from '@switchyard/nouns/fields';
import { stringify } from 'csv-stringify/sync';
import type { FileFormat, FilePiece } from './list-file.ts';
import { cellsOf, writeWorkbook } from './workbook.ts';

export {
  countFileRows,
  FILE_FORMATS,
  type FileCursor,
  type FileFormat,
  type FilePiece,
  readFile,
} from './list-file.ts';
export { WORKBOOK_ROWS_MAX, WorkbookLimitError, workbookProblem } from './workbook.ts';

/** The use case's database, clock and ids. */
interface RecordingContext {
  readonly resources: { readonly database: Database; readonly auditKeys: AuditKeys };
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A list that is sent as a file. */
interface ExportedList {
  /** As in its address: `duplicate-charges`. */
  readonly listName: string;
  readonly mode: Mode;
  /** The merchants that the filter names; empty for all that the caller reaches. */
  readonly merchantIds: readonly string[];
  readonly actor: string;
  /** The export requested, and its number of rows. */
  readonly request: JsonValue;
}

/** Writes the export of a list to the audit log: to a merchant's own for an export of that merchant alone, else to the workspace's. */
export async function recordExport({ resources, now, newId }: RecordingContext, list: ExportedList): Promise<void> {
  const name = list.listName.replaceAll('-', '_');
  const [only, ...others] = list.merchantIds;
  const entry = {
    tenantId: only !== undefined && others.length === 0 ? only : NIL_ID,
    entryId: newId(),
    actor: list.actor,
    action: `${name}.exported`,
    objectType: `${name.replace(/s$/, '').replace(/ie$/, 'y')}_list`,
    objectId: list.mode,
    before: null,
    after: list.request,
  };
  await resources.database.prisma.$transaction((transaction) => appendAuditEntry(transaction, resources.auditKeys, entry, now()));
}

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

type Column = Pick<Field, 'name' | 'value'>;

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
