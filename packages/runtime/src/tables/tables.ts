import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import {
  CELLS_MAX,
  COLUMNS_MAX,
  inOneLine,
  isEmptyRow,
  malformed,
  type SheetChoice,
  type TableLimits,
  type TableOutcome,
  type TableRow,
  tooManyCells,
  tooManyColumns,
  tooManyRows,
} from './table.ts';

export type { CellNote, SheetChoice, TableLimits, TableOutcome, TableProblem, TableRow, TableSheet } from './table.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Text and lines from which the delimiter is found out. */
const SAMPLE = 65_536;
const SAMPLE_LINES = 50;
const ROW_MAX = 100_000;
/** With its delimiters and quotes. */
const LINE_MAX = 2 * ROW_MAX;
/** The text is read in pieces, so that other requests are answered in between. */
const PIECE = 65_536;

/**
 * Reads CSV by RFC 4180. Cells are divided by commas, or by semicolons, tabs or bars where these divide more of the first lines alike, as
 * spreadsheets write them in some languages and banks in others.
 */
export async function readCsv(text: string, limits: TableLimits): Promise<TableOutcome> {
  const [, named, rest = text] = /^\uFEFF?sep=([,;\t|])\r?\n([\s\S]*)$/i.exec(text) ?? [];
  const long = lineTooLong(text);
  if (long !== null) return malformed('is in a row that is too long', long);
  const rows: TableRow[] = [];
  const linesBefore = named === undefined ? 0 : 1;
  let line = 1 + linesBefore;
  let size = 0;
  let excess: TableOutcome | null = null;
  const parser = parse({
    bom: true,
    delimiter: named ?? delimiterOf(rest),
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: ROW_MAX,
    // Called within the reading of a piece, so that the line is known when the next row cannot be read.
    on_record(cells: string[], { lines }) {
      if (excess === null && !isEmptyRow(cells)) {
        const used = cells.length > COLUMNS_MAX ? cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1) : cells;
        size += used.length;
        if (used.length > COLUMNS_MAX) excess = tooManyColumns(line, COLUMNS_MAX + 1);
        else if (size > CELLS_MAX) excess = tooManyCells(line);
        else if (rows.length === limits.rowsMax) excess = tooManyRows(limits, line);
        else rows.push({ line, cells: used.map(inOneLine) });
      }
      line = lines + 1 + linesBefore;
      return null;
    },
  });
  try {
    await pipeline(piecesOf(rest), parser.resume());
  } catch (error) {
    if (error instanceof CsvError) return problemOf(error, line);
    throw error;
  }
  return excess ?? { kind: 'read', rows, sheets: [], sheet: null };
}

/** The first line that no row may have, however few characters its cells do: a parser would make a cell of each delimiter. */
function lineTooLong(text: string): number | null {
  let line = 1;
  for (let at = 0; at < text.length; line += 1) {
    const end = text.indexOf('\n', at);
    if ((end < 0 ? text.length : end) - at > LINE_MAX) return line;
    if (end < 0) return null;
    at = end + 1;
  }
  return null;
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

/** The delimiter that divides the most of the first lines into equally many cells: a comma in a title or an amount divides only some. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, SAMPLE)
    .replaceAll(/"[^"]*"/g, '')
    .split('\n', SAMPLE_LINES);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0);
    const alike = [...Map.groupBy(counts, (count) => count)].map(([count, same]) => ({ count, lines: same.length }));
    return alike.reduce((best, each) => (isBetter(each, best) ? each : best), { count: 0, lines: 0 });
  });
  const best = scores.reduce((a, b) => (isBetter(b, a) ? b : a));
  return DELIMITERS[scores.indexOf(best)] ?? ',';
}

interface DelimiterScore {
  /** Delimiters in a line, and lines with as many. */
  readonly count: number;
  readonly lines: number;
}

function isBetter(a: DelimiterScore, b: DelimiterScore): boolean {
  return a.lines > b.lines || (a.lines === b.lines && a.count > b.count);
}

function problemOf(error: CsvError, line: number): TableOutcome {
  const column = Number(error['index'] ?? 0) + 1;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return malformed('has a quote that does not end', line, column);
    case 'CSV_INVALID_CLOSING_QUOTE':
      return malformed('has text after its closing quote', line, column);
    case 'INVALID_OPENING_QUOTE':
      return malformed('has a quote within its text', line, column);
    case 'CSV_MAX_RECORD_SIZE':
      return malformed('is in a row that is too long', line, column);
    default:
      return malformed('cannot be read', line, column);
  }
}

/** Reads a file with columns: a sheet of an XLSX workbook, else CSV. The readers of workbooks are loaded when they are first needed. */
export async function readTable(bytes: Uint8Array, limits: TableLimits, choice: SheetChoice = {}): Promise<TableOutcome> {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const { readXlsx } = await import('./xlsx/read-xlsx.ts');
    return readXlsx(bytes, limits, choice);
  }
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    return malformed('is in a workbook of an old form; save it as XLSX or CSV');
  }
  const text = decodeText(bytes);
  if (text.includes('\0')) return malformed('holds no text');
  return readCsv(text, limits);
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, at) => bytes[at] === byte);
}

/** UTF-8, or UTF-16 with a byte order mark, else the Windows encoding that spreadsheets and banks save text in. */
export function decodeText(bytes: Uint8Array): string {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
