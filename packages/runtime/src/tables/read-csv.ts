import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { isEmptyRow, malformed, type TableLimits, type TableOutcome, type TableRow, tooManyRows } from './table.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Lines from which the delimiter is found out. */
const SAMPLE_LINES = 50;
const ROW_MAX = 100_000;
/** The text is read in pieces, so that other requests are answered in between. */
const PIECE = 65_536;

/**
 * Reads CSV by RFC 4180. Cells are divided by commas, or by semicolons, tabs or bars where more of the first lines have those, as
 * spreadsheets write them in some languages and banks in others.
 */
export async function readCsv(text: string, limits: TableLimits): Promise<TableOutcome> {
  const rows: TableRow[] = [];
  let line = 1;
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: ROW_MAX,
    // Called within the reading of a piece, so that the line is known when the next row cannot be read.
    on_record(cells: string[], { lines }) {
      if (!isEmptyRow(cells)) rows.push({ line, cells });
      line = lines + 1;
      return null;
    },
  });
  try {
    await pipeline(piecesOf(text), parser.resume());
  } catch (error) {
    if (error instanceof CsvError) return problemOf(error, line);
    throw error;
  }
  const excess = rows[limits.rowsMax];
  return excess === undefined ? { kind: 'read', rows } : tooManyRows(limits, excess.line);
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

function delimiterOf(text: string): string {
  const lines = text.replaceAll(/"[^"]*"/g, '').split('\n', SAMPLE_LINES);
  const counts = DELIMITERS.map((delimiter) => lines.filter((line) => line.includes(delimiter)).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
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
