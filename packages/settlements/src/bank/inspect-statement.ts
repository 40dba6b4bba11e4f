import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { guessDates, guessDecimalMark, guessDirections } from '../files/guess-words.ts';
import type { TitledTable } from '../files/header.ts';
import type { UnreadableCell } from '../files/read-settlement-file.ts';
import { type ChosenPlace, type FileColumns, placeOf, readTitles, textsOf } from '../files/read-titles.ts';
import { type BankMapping, bankMappingSchema } from './mapping.ts';
import { titlesOf } from './read-columns.ts';
import { formatOf, STATEMENT_LIMITS } from './read-statement.ts';

/** The form of a statement, and of one with columns how they may be read. */
export type StatementInspection =
  /** MT940 or CAMT.053: nothing has to be named. */
  | { readonly kind: 'complete' }
  | (FileColumns & {
      readonly kind: 'columns';
      readonly mapping: BankMapping;
      /** The bank account of the profile that fits; null where the mapping is guessed from the titles. */
      readonly bankAccount: string | null;
    })
  | { readonly kind: 'unreadable'; readonly problem: UnreadableCell };

const PROFILES_MAX = 50;

/** Reads the form of a statement. Changes nothing. */
export async function inspectStatement(
  { resources }: SettlementContext,
  {
    merchantId,
    bytes,
    sheet = null,
    titlesLine = null,
  }: Partial<ChosenPlace> & { readonly merchantId: string; readonly bytes: Uint8Array },
): Promise<StatementInspection> {
  if (bytes.length > STATEMENT_LIMITS.bytesMax) {
    return {
      kind: 'unreadable',
      problem: { line: 1, column: 'The file', message: `is larger than ${STATEMENT_LIMITS.bytesMax / 1_048_576} MiB` },
    };
  }
  if (formatOf(bytes) !== 'csv') return { kind: 'complete' };
  const rows = await resources.database.prisma.bankProfile.findMany({
    where: { merchantId },
    orderBy: { updatedAt: 'desc' },
    take: PROFILES_MAX,
  });
  const profiles = rows.flatMap(({ bankAccount, mapping }) => {
    const known = bankMappingSchema.safeParse(mapping).data;
    return known === undefined
      ? []
      : [{ bankAccount, mapping: known, sheet: known.sheet, titlesLine: known.titlesLine, titles: titlesOf(known) }];
  });
  const place = { sheet, titlesLine };
  const read = await readTitles(bytes, STATEMENT_LIMITS, place, profiles);
  if (read.kind === 'unreadable') return read;
  const { columns, table } = read;
  const profile = profiles.find(({ titles }) => titles.every((title) => columns.titles.includes(title)));
  const mapping = profile?.mapping ?? guessMapping(table, columns.words);
  return {
    kind: 'columns',
    ...columns,
    mapping: { ...mapping, ...placeOf(columns, titlesLine ?? mapping.titlesLine) },
    bankAccount: profile?.bankAccount ?? null,
  };
}

function guessMapping(table: TitledTable, words: FileColumns['words']): BankMapping {
  const { titles } = table;
  const direction = titles.find((title) => guessDirections(words[title] ?? []) !== null) ?? null;
  const others = titles.filter((title) => title !== direction);
  const find = (...patterns: readonly RegExp[]) =>
    patterns.flatMap((pattern) => others.filter((title) => pattern.test(title)))[0] ?? null;
  const credit = find(/credit|deposit|lodg|money in|paid in/i);
  const debit = find(/debit|withdraw|money out|paid out/i);
  const amount = credit === null ? (find(/amount/i) ?? titles[0] ?? '') : null;
  const bookedOn = find(/value.*date/i, /date/i) ?? titles[0] ?? '';
  const isMarked = amount !== null && direction !== null;
  return {
    sheet: null,
    titlesLine: null,
    columns: {
      bookedOn,
      amount,
      direction: isMarked ? direction : null,
      credit,
      debit: credit === null ? null : debit,
      text: find(/narration|description|remark|detail|particular/i) ?? titles[0] ?? '',
      reference: find(/\bref/i),
    },
    directions: isMarked ? (guessDirections(words[direction] ?? []) ?? {}) : {},
    currency: 'NGN',
    decimalMark: guessDecimalMark([amount, credit, debit].flatMap((title) => textsOf(table, title))),
    dates: guessDates(textsOf(table, bookedOn)),
    zone: SETTLEMENT_ZONE,
    emptyDays: 'unreadable',
  };
}
