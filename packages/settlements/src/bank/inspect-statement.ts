import { readTable } from '@switchyard/runtime/tables';
import type { SettlementContext } from '../context.ts';
import { findHeader } from '../files/header.ts';
import type { UnreadableCell } from '../files/read-settlement-file.ts';
import { type BankMapping, bankMappingSchema } from './mapping.ts';
import { formatOf, STATEMENT_LIMITS } from './read-statement.ts';

/** The form of a statement, and for CSV its columns and how they may be read. */
export type StatementInspection =
  /** MT940 or CAMT.053: nothing has to be named. */
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'columns';
      readonly titles: readonly string[];
      /** The first rows below the titles. */
      readonly samples: readonly (readonly string[])[];
      readonly mapping: BankMapping;
      /** The bank account of the profile that fits; null where the mapping is guessed from the titles. */
      readonly bankAccount: string | null;
    }
  | { readonly kind: 'unreadable'; readonly problem: UnreadableCell };

const SAMPLES = 3;
const PROFILES_MAX = 50;

/** Reads the form of a statement. Changes nothing. */
export async function inspectStatement(
  { resources }: SettlementContext,
  { merchantId, bytes }: { readonly merchantId: string; readonly bytes: Uint8Array },
): Promise<StatementInspection> {
  if (bytes.length > STATEMENT_LIMITS.bytesMax) {
    return { kind: 'unreadable', problem: { line: 1, column: 'The file', message: 'is larger than 5 MiB' } };
  }
  if (formatOf(bytes) !== 'csv') return { kind: 'complete' };
  const table = await readTable(bytes, STATEMENT_LIMITS);
  if (table.kind === 'malformed') {
    const { line, column, message } = table.problem;
    return { kind: 'unreadable', problem: { line, column: `Column ${column}`, message } };
  }
  const profiles = await resources.database.prisma.bankProfile.findMany({
    where: { merchantId },
    orderBy: { updatedAt: 'desc' },
    take: PROFILES_MAX,
  });
  for (const { bankAccount, mapping } of profiles) {
    const known = bankMappingSchema.safeParse(mapping).data;
    const wanted = known === undefined ? [] : Object.values(known.columns).filter((title) => title !== null);
    const fitting = findHeader(table.rows, wanted);
    if (known === undefined || fitting === null || !wanted.every((title) => fitting.titles.includes(title))) continue;
    return columnsOf(fitting, known, bankAccount);
  }
  const header = findHeader(table.rows);
  if (header === null)
    return { kind: 'unreadable', problem: { line: 1, column: 'The file', message: 'has no titles of columns' } };
  return columnsOf(header, guessMapping(header.titles), null);
}

function columnsOf(
  { titles, rows }: NonNullable<ReturnType<typeof findHeader>>,
  mapping: BankMapping,
  bankAccount: string | null,
): StatementInspection {
  const samples = rows.slice(0, SAMPLES).map(({ cells }) => titles.map((_, at) => cells[at] ?? ''));
  return { kind: 'columns', titles, samples, mapping, bankAccount };
}

function guessMapping(titles: readonly string[]): BankMapping {
  const find = (...patterns: readonly RegExp[]) =>
    patterns.flatMap((pattern) => titles.filter((title) => pattern.test(title)))[0] ?? null;
  const credit = find(/credit|deposit|lodg|money in|paid in/i);
  const debit = find(/debit|withdraw|money out|paid out/i);
  return {
    columns: {
      bookedOn: find(/value.*date/i, /date/i) ?? titles[0] ?? '',
      amount: credit === null ? (find(/amount/i) ?? titles[0] ?? '') : null,
      credit,
      debit: credit === null ? null : debit,
      text: find(/narration|description|remark|detail|particular/i) ?? titles[0] ?? '',
      reference: find(/\bref/i),
    },
    currency: 'NGN',
    decimalMark: '.',
    dates: 'day_first',
  };
}
