import { canonicalJson, type JsonValue } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { addDecimals, compareDecimals } from '@switchyard/db/decimals';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { appendEntry } from '../audit.ts';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { staffIdOf } from '../console/names.ts';
import type { SettlementContext } from '../context.ts';
import type { TitledTable } from '../reading/header.ts';
import type { UnreadableCell } from '../reading/read-settlement-file.ts';
import {
  type ChosenPlace,
  type FileColumns,
  guessDates,
  guessDecimalMark,
  guessDirections,
  placeOf,
  readTitles,
  textsOf,
} from '../reading/read-titles.ts';
import { type BankMapping, bankMappingSchema } from './mapping.ts';
import { enqueueBankMatch } from './match-queries.ts';
import { BANK_MATCHING_LIMITS, type BankMatching, toMatching } from './matching.ts';
import { titlesOf } from './read-columns.ts';
import { formatOf, STATEMENT_LIMITS } from './read-statement.ts';

export type { ArrivalState } from './arrivals.ts';
export { followBank } from './follow-bank.ts';
export { findLinesForPayout, findPayoutsForLine, linkBankLine, listBankLinesOf, unlinkBankLine } from './link-bank.ts';
export { type BankMapping, bankMappingSchema } from './mapping.ts';
export { requestBankMatch } from './match-queries.ts';
export { BANK_MATCHING_LIMITS, type BankMatching, DEFAULT_BANK_MATCHING, listBankMatching } from './matching.ts';
export { type BankOverview, type BankPayoutItem, readBank } from './read-bank.ts';
export { previewStatement, type StatementPreview, type TakeStatementOutcome, takeStatement } from './take-statement.ts';

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

/** Result of changing a setting, or the reason why it was refused. */
type BankMatchingOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly field: keyof BankMatching; readonly why: string };

/**
 * Sets how a merchant's payouts are matched with its bank; null returns to the default. All are matched and judged again by it at once, but for
 * what people linked.
 */
export async function changeBankMatching(
  context: SettlementContext,
  {
    merchantId,
    matching,
    actor,
  }: {
    readonly merchantId: string;
    readonly matching: BankMatching | null;
    /** `staff:<id>`. */
    readonly actor: string;
  },
): Promise<BankMatchingOutcome> {
  const { database, configuration } = context.resources;
  if (configuration.merchant(merchantId) === undefined) return { kind: 'not_found' };
  const refusal = matching === null ? null : refusalOf(matching);
  if (refusal !== null) return { kind: 'refused', ...refusal };
  return database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const row = await transaction.bankMatching.findUnique({ where: { merchantId } });
    const before = jsonOf(row === null ? null : toMatching(row));
    const after = jsonOf(matching);
    if (canonicalJson(before) === canonicalJson(after)) return { kind: 'unchanged' };
    if (matching === null) await transaction.bankMatching.deleteMany({ where: { merchantId } });
    else {
      const data = { ...matching, updatedAt: now };
      await transaction.bankMatching.upsert({ where: { merchantId }, create: { merchantId, ...data }, update: data });
    }
    for (const mode of ['test', 'live'] as const) {
      await enqueueBankMatch(transaction, { merchantId, mode }, null);
    }
    const object = { objectType: 'merchant', objectId: merchantId, before, after };
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor,
      action: 'settlements.bank_matching_changed',
      ...object,
    };
    await appendEntry(context, transaction, entry, now);
    return { kind: 'changed' };
  });
}

function jsonOf(matching: BankMatching | null): JsonValue {
  if (matching === null) return null;
  return { tolerance: addDecimals(matching.tolerance), days: matching.days, workingDays: matching.workingDays };
}

const AMOUNT = /^\d{1,7}(?:\.\d{1,6})?$/;

function refusalOf({
  tolerance,
  days,
  workingDays,
}: BankMatching): { readonly field: keyof BankMatching; readonly why: string } | null {
  const { toleranceMax, daysMax, workingDaysMax } = BANK_MATCHING_LIMITS;
  if (!AMOUNT.test(tolerance) || compareDecimals(tolerance, String(toleranceMax)) > 0) {
    return { field: 'tolerance', why: `Enter an amount up to ${toleranceMax}, with six decimals at most.` };
  }
  if (!isCount(days, daysMax)) return { field: 'days', why: `Enter 0 to ${daysMax} days.` };
  if (!isCount(workingDays, workingDaysMax)) return { field: 'workingDays', why: `Enter 0 to ${workingDaysMax} days.` };
  return null;
}

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}

/** A statement that was taken in. */
interface BankStatementItem {
  readonly statementId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly hash: string;
  readonly format: string;
  /** Lines that became known by it, and those that an earlier statement had. */
  readonly lines: number;
  readonly known: number;
  readonly takenByName: string | null;
  readonly takenAt: Date;
  /** Null while it counts. */
  readonly withdrawnAt: Date | null;
}

const STATEMENTS_MAX = 200;

/** The statements of these merchants, the newest first; at most 200. */
export async function listStatements(
  context: SettlementContext,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<BankStatementItem[]> {
  const { database } = context.resources;
  const rows = await database.prisma.bankStatement.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode },
    orderBy: [{ takenAt: 'desc' }, { id: 'desc' }],
    take: STATEMENTS_MAX,
  });
  const names = await readStaffNames(
    database,
    rows.flatMap(({ takenBy }) => staffIdOf(takenBy) ?? []),
  );
  return rows.map(({ id: statementId, merchantId, name, hash, format, lines, known, takenBy, takenAt, withdrawnAt }) => {
    return {
      statementId,
      merchantId,
      name,
      hash,
      format,
      lines,
      known,
      takenByName: names.get(staffIdOf(takenBy) ?? '') ?? null,
      takenAt,
      withdrawnAt,
    };
  });
}
