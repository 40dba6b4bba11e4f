import { malformed, type SheetChoice, type TableLimits, type TableOutcome, type TableRow } from '../table.ts';
import {
  DAMAGED,
  NO_WORKBOOK,
  openWorkbook,
  type Workbook,
  WorkbookError,
  type WorkbookSheet,
  XmlError,
} from './open-workbook.ts';
import { readSheet } from './read-sheet.ts';

/** Rows by which a sheet is chosen. */
const SAMPLE_ROWS = 50;
const TITLES_MIN = 3;

/**
 * Reads a sheet of a workbook. Numbers become their decimals, dates and times `2026-11-25T14:03:00` as they are written.
 */
export async function readXlsx(bytes: Uint8Array, limits: TableLimits, choice: SheetChoice): Promise<TableOutcome> {
  try {
    return await read(bytes, limits, choice);
  } catch (error) {
    if (error instanceof WorkbookError) return malformed(error.message);
    if (error instanceof XmlError) return malformed(NO_WORKBOOK);
    throw error;
  }
}

async function read(bytes: Uint8Array, limits: TableLimits, choice: SheetChoice): Promise<TableOutcome> {
  const workbook = await openWorkbook(bytes);
  const sheets = workbook.sheets.map(({ name, isHidden }) => ({ name, isHidden }));
  const wanted = choice.sheet ?? null;
  const named = workbook.sheets.find(({ name }) => name === wanted);
  if (wanted !== null && named === undefined) return malformed(`is in a workbook without a sheet “${wanted.slice(0, 40)}”`);
  const sheet = named ?? (await choose(workbook, limits, choice));
  if (sheet === null) return malformed('is in a workbook without sheets');
  const outcome = await readSheet(contentOf(workbook, sheet), workbook, limits);
  return outcome.kind === 'malformed' ? outcome : { ...outcome, sheets, sheet: sheet.name };
}

/** The first visible sheet that suits, else one with titles, else one with rows. */
async function choose(workbook: Workbook, limits: TableLimits, { suits }: SheetChoice): Promise<WorkbookSheet | null> {
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const candidates = visible.length > 0 ? visible : workbook.sheets;
  const [first, ...others] = candidates;
  if (first === undefined || others.length === 0) return first ?? null;
  let titled: WorkbookSheet | null = null;
  let filled: WorkbookSheet | null = null;
  for (const sheet of candidates) {
    const sample = await readSheet(contentOf(workbook, sheet), workbook, limits, SAMPLE_ROWS);
    if (sample.kind === 'malformed') continue;
    if (suits?.(sample.rows) === true) return sheet;
    if (sample.rows.length > 0) filled ??= sheet;
    if (hasTitles(sample.rows)) titled ??= sheet;
    if (suits === undefined && titled !== null) return titled;
  }
  return titled ?? filled ?? first;
}

/** True if a row of texts has a row below it. */
function hasTitles(rows: readonly TableRow[]): boolean {
  return rows.slice(0, -1).some(({ cells }) => cells.filter((cell) => /\p{L}/u.test(cell)).length >= TITLES_MIN);
}

function contentOf(workbook: Workbook, { part }: WorkbookSheet): Uint8Array {
  const content = workbook.part(part);
  if (content === null) throw new WorkbookError(DAMAGED);
  return content;
}
