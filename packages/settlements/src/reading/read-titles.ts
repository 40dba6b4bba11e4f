import { readTable, type SheetChoice, type TableLimits, type TableSheet } from '@switchyard/runtime/tables';
import { findHeader, hasTitles, type TitledTable, type TitleRow, titleRows } from './header.ts';
import type { SettlementMapping, WordMeaning } from './mapping.ts';
import type { UnreadableCell } from './read-settlement-file.ts';
import { cellText, isEitherWay } from './read-values.ts';

/** Where a person says that a file has its columns. */
export interface ChosenPlace {
  readonly sheet: string | null;
  readonly titlesLine: number | null;
}

/** The columns of a file as an inspection shows them. */
export interface FileColumns {
  /** The sheets of a workbook; none of any other file. */
  readonly sheets: readonly TableSheet[];
  /** The one that was read. */
  readonly sheet: string | null;
  /** Line of the titles, and the rows that may be titles. */
  readonly titlesLine: number;
  readonly titleRows: readonly TitleRow[];
  readonly titles: readonly string[];
  /** The first rows below the titles. */
  readonly samples: readonly (readonly string[])[];
  /** Words of each column with few different ones, in lower case. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** Titles that a mapping names, and where it has them. */
export interface KnownTitles extends ChosenPlace {
  readonly titles: readonly string[];
}

/** The columns of a file and the rows below their titles, or why there are none. */
export type ReadTitles =
  | { readonly kind: 'titles'; readonly columns: FileColumns; readonly table: TitledTable }
  | { readonly kind: 'unreadable'; readonly problem: UnreadableCell };

const SAMPLES = 3;
const WORDS_MAX = 30;
const WORD_LENGTH_MAX = 40;

/**
 * Finds the titles of a file: where a person has chosen them, else where the first of some mappings fits that has been used before.
 */
export async function readTitles(
  bytes: Uint8Array,
  limits: TableLimits,
  place: ChosenPlace,
  known: readonly KnownTitles[],
): Promise<ReadTitles> {
  const suits = (rows: Parameters<typeof hasTitles>[0]) => known.some(({ titles }) => hasTitles(rows, titles));
  const choice: SheetChoice = { sheet: place.sheet, ...(known.length > 0 ? { suits } : {}) };
  const used = place.sheet ?? known.find(({ sheet }) => sheet !== null)?.sheet ?? null;
  const preferred = await readTable(bytes, limits, { ...choice, sheet: used });
  const isOfOther = preferred.kind === 'malformed' && place.sheet === null && used !== null;
  const table = isOfOther ? await readTable(bytes, limits, choice) : preferred;
  if (table.kind === 'malformed') {
    const { line, column, message } = table.problem;
    return { kind: 'unreadable', problem: { line, column: `Column ${column}`, message } };
  }
  const fitting = known.find(({ titles }) => hasTitles(table.rows, titles));
  const header = findHeader(
    table.rows,
    place.titlesLine === null ? { wanted: fitting?.titles ?? [] } : { line: place.titlesLine },
  );
  if (header === null) {
    return { kind: 'unreadable', problem: { line: 1, column: 'The file', message: 'has no titles of columns' } };
  }
  const { titles, rows, line } = header;
  const words = titles.flatMap((title, at): (readonly [string, readonly string[]])[] => {
    const all = new Set(rows.map(({ cells }) => cellText(cells[at] ?? '').toLowerCase()).filter((word) => word !== ''));
    const isFew = all.size <= WORDS_MAX && [...all].every((word) => word.length <= WORD_LENGTH_MAX);
    return isFew ? [[title, [...all].toSorted()]] : [];
  });
  const columns: FileColumns = {
    sheets: table.sheets,
    sheet: table.sheet,
    titlesLine: line,
    titleRows: titleRows(table.rows),
    titles,
    samples: rows.slice(0, SAMPLES).map(({ cells }) => titles.map((_, at) => cells[at] ?? '')),
    words: Object.fromEntries(words),
  };
  return { kind: 'titles', columns, table: header };
}

/** The place as a mapping keeps it: a workbook of one sheet has no choice, and a line is kept where a person has chosen it. */
export function placeOf({ sheets, sheet }: FileColumns, titlesLine: number | null): ChosenPlace {
  return { sheet: sheets.length > 1 ? sheet : null, titlesLine };
}

/** The texts of a column; none where it has no title. */
export function textsOf({ titles, rows }: TitledTable, title: string | null): string[] {
  const at = title === null ? -1 : titles.indexOf(title);
  return at < 0 ? [] : rows.flatMap(({ cells, notes }) => (notes?.has(at) === true ? [] : [cellText(cells[at] ?? '')]));
}

/** Words that gateways have for kinds of lines, the narrower first. A person confirms what is proposed by them. */
const MEANINGS: readonly (readonly [RegExp, WordMeaning])[] = [
  [/charge ?back.*(revers|return|won)|(revers|return).*charge ?back/, 'chargeback_returned'],
  [/charge ?back|dispute/, 'chargeback'],
  [/(fee|charge|commission).*(revers|refund|return)/, 'fee_returned'],
  [/refund.*(revers|return|fail|cancel)/, 'refund_returned'],
  [/refund/, 'refund'],
  [/adjust/, 'adjustment'],
  [/duty|levy|\btax\b/, 'other'],
  [/fee|commission|\bvat\b/, 'fee'],
  [/total|balance/, 'skip'],
  [/payment|sale|purchase|collection|pay-?in|charge/, 'payment'],
];

/** The meaning of each word; null where one of them has none that is known. */
export function guessKinds(words: readonly string[]): SettlementMapping['kinds'] | null {
  const meanings = words.flatMap((word): (readonly [string, WordMeaning])[] => {
    const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(word)) ?? [];
    return meaning === undefined ? [] : [[word, meaning]];
  });
  return words.length > 0 && meanings.length === words.length ? Object.fromEntries(meanings) : null;
}

/** The direction of amounts by each word; null where one of them says nothing of it. */
export function guessDirections(words: readonly string[]): SettlementMapping['directions'] | null {
  const directions = words.flatMap((word): (readonly [string, 'credit' | 'debit'])[] => {
    if (/^(c|cr|cr\.|crdt|credit|deposit|\+)$/.test(word)) return [[word, 'credit']];
    return /^(d|dr|dr\.|db|dbit|debit|withdrawal|-)$/.test(word) ? [[word, 'debit']] : [];
  });
  return words.length > 0 && directions.length === words.length ? Object.fromEntries(directions) : null;
}

/** The order of day and month: the month first where a date cannot be otherwise. */
export function guessDates(texts: readonly string[]): SettlementMapping['dates'] {
  const firsts = texts.filter((text) => isEitherWay(text) === false).map((text) => Number(/\d+/.exec(text)?.[0]));
  return firsts.length > 0 && firsts.every((first) => first <= 12) ? 'month_first' : 'day_first';
}

/** The mark before the decimals of most amounts that have two. */
export function guessDecimalMark(texts: readonly string[]): SettlementMapping['decimalMark'] {
  const count = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;
  return count(/\d,\d{2}\D*$/) > count(/\d\.\d{2}\D*$/) ? ',' : '.';
}
