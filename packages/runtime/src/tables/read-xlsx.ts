import { isEmptyRow, malformed, type TableLimits, type TableOutcome, type TableRow, tooManyRows } from './table.ts';

/** A small file may unpack to gigabytes. */
const UNPACKED_MAX = 32 * 1_048_576;
/** Digits that a spreadsheet keeps of a number. */
const DIGITS = 15;

/**
 * Reads the first sheet of a workbook. Numbers become their decimals, dates and times `2026-11-25T14:03:00` as they are written. The readers
 * are loaded when they are first needed.
 */
export async function readXlsx(bytes: Uint8Array, limits: TableLimits): Promise<TableOutcome> {
  const { readSheet } = await import('read-excel-file/universal');
  if (!(await isBounded(bytes))) return malformed('is in a workbook that is damaged or too large');
  const sheet = await readSheet(new Blob([Uint8Array.from(bytes)]), { parseNumber: (text) => decimalOf(text) }).catch(() => null);
  if (sheet === null) return malformed('is in a workbook that cannot be read');
  const rows: TableRow[] = [];
  for (const [at, cells] of sheet.entries()) {
    const texts = cells.map(textOf);
    if (!texts.every((text) => text.trim() === '') && !isEmptyRow(texts)) rows.push({ line: at + 1, cells: texts });
    if (rows.length > limits.rowsMax) return tooManyRows(limits, at + 1);
  }
  return { kind: 'read', rows };
}

/** True if all that is packed fits into the limit, by the sizes that unpacking then goes by. */
async function isBounded(bytes: Uint8Array): Promise<boolean> {
  const { unzipSync } = await import('fflate');
  let size = 0;
  try {
    unzipSync(bytes, {
      filter({ originalSize }) {
        size += originalSize;
        return false;
      },
    });
  } catch {
    return false;
  }
  return size <= UNPACKED_MAX;
}

/** A spreadsheet computes in binary fractions, and shows 985 where its file says 985.0000000000001. */
function decimalOf(text: string): string {
  return String(Number(Number(text).toPrecision(DIGITS)));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString().slice(0, 19) : String(value);
}
