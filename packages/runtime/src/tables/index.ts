import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { malformed, type TableLimits, type TableOutcome } from './table.ts';

export { readCsv } from './read-csv.ts';
export type { TableLimits, TableOutcome, TableProblem, TableRow } from './table.ts';

/** Reads a file with columns: the first sheet of an XLSX workbook, else CSV. */
export function readTable(bytes: Uint8Array, limits: TableLimits): Promise<TableOutcome> {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return readXlsx(bytes, limits);
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    return Promise.resolve(malformed('is in a workbook of an old form; save it as XLSX or CSV'));
  }
  const text = textOf(bytes);
  if (text.includes('\0')) return Promise.resolve(malformed('holds no text'));
  return readCsv(text, limits);
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, at) => bytes[at] === byte);
}

/** UTF-8, or UTF-16 with a byte order mark, else the Windows encoding that spreadsheets save CSV in. */
function textOf(bytes: Uint8Array): string {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
