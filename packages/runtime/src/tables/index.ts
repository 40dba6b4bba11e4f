import { readCsv } from './read-csv.ts';
import { malformed, type SheetChoice, type TableLimits, type TableOutcome } from './table.ts';

export { readCsv } from './read-csv.ts';
export type { CellNote, SheetChoice, TableLimits, TableOutcome, TableProblem, TableRow, TableSheet } from './table.ts';

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
