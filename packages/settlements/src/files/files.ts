import type { Mode } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { accountNames, staffIdOf } from '../console/names.ts';
import type { AccountKey, SettlementContext } from '../context.ts';
import type { TitledTable } from '../reading/header.ts';
import { FILE_FIELDS, type FileField, type SettlementMapping } from '../reading/mapping.ts';
import { SETTLEMENT_FILE_LIMITS, type UnreadableCell } from '../reading/read-settlement-file.ts';
import {
  type ChosenPlace,
  type FileColumns,
  guessDates,
  guessDecimalMark,
  guessDirections,
  guessKinds,
  placeOf,
  readTitles,
  textsOf,
} from '../reading/read-titles.ts';
import { readProfile } from './take-file.ts';

export { FILE_FIELDS, type FileField, type SettlementMapping, settlementMappingSchema } from '../reading/mapping.ts';
export { SETTLEMENT_FILE_LIMITS, type UnreadableCell } from '../reading/read-settlement-file.ts';
export {
  type FileRefusal,
  type PreviewedSettlement,
  previewSettlementFile,
  rehearseFile,
  type SettlementFileOf,
  type SettlementFilePreview,
  type TakeFileOutcome,
  takeSettlementFile,
} from './take-file.ts';

/** The columns of a file, and how they may be read. */
export type SettlementFileInspection =
  | (FileColumns & {
      readonly kind: 'columns';
      readonly mapping: SettlementMapping;
      /** True if the account or its gateway has a profile that fits; else the mapping is guessed from the titles. */
      readonly isProfile: boolean;
    })
  | { readonly kind: 'unreadable'; readonly problem: UnreadableCell };

/** Reads the titles of a file's columns. Changes nothing. */
export async function inspectSettlementFile(
  context: SettlementContext,
  { bytes, sheet = null, titlesLine = null, ...account }: AccountKey & Partial<ChosenPlace> & { readonly bytes: Uint8Array },
): Promise<SettlementFileInspection> {
  if (bytes.length > SETTLEMENT_FILE_LIMITS.bytesMax) {
    return {
      kind: 'unreadable',
      problem: { line: 1, column: 'The file', message: `is larger than ${SETTLEMENT_FILE_LIMITS.bytesMax / 1_048_576} MiB` },
    };
  }
  const profile = await readProfile(context, account);
  const wanted = profile === null ? [] : Object.values(profile.columns).filter((title) => title !== null);
  const known = profile === null ? [] : [{ ...profile, titles: wanted }];
  const place = { sheet, titlesLine };
  const read = await readTitles(bytes, SETTLEMENT_FILE_LIMITS, place, known);
  if (read.kind === 'unreadable') return read;
  const { columns, table } = read;
  const isProfile = profile !== null && wanted.every((title) => columns.titles.includes(title));
  const mapping = isProfile ? profile : guessMapping(table, columns.words);
  return {
    kind: 'columns',
    ...columns,
    mapping: { ...mapping, ...placeOf(columns, titlesLine ?? mapping.titlesLine) },
    isProfile,
  };
}

/** Titles that gateways and banks give to a column, the most telling first. */
const TITLES: Readonly<Record<FileField, readonly RegExp[]>> = {
  settlement: [/settlement.*(ref|id)/i, /(payout|batch).*(ref|id)/i],
  settledOn: [/(settlement|settled|payout|value).*(date|on|at)/i],
  reference: [/(merchant|payment|order|customer).*ref/i, /^reference$/i, /\bref/i],
  transactionId: [/transaction.*(id|ref|no)/i, /\b(rrn|retrieval)/i],
  kind: [/^(type|kind|transaction type|entry type)$/i],
  direction: [/^(dr.?cr|cr.?dr|debit.?credit|credit.?debit|d.?c)( indicator| type)?$/i, /direction|^sign$/i],
  amount: [/^(transaction )?amount/i, /gross|amount paid|amount/i],
  fee: [/fee|charge|commission/i],
  net: [/net|settle(d|ment) amount|amount settled/i],
  currency: [/currency/i],
  occurredAt: [/(transaction|paid|payment|created).*(date|time|on|at)/i, /^(date|time)/i],
  description: [/narration|description|remark|memo/i],
};

function guessMapping(table: TitledTable, words: FileColumns['words']): SettlementMapping {
  const { titles } = table;
  const taken = new Set<string>();
  const guess = (field: FileField): string | null => {
    const found = TITLES[field].flatMap((pattern) => titles.filter((title) => pattern.test(title) && !taken.has(title)))[0];
    if (found !== undefined) taken.add(found);
    return found ?? null;
  };
  // The narrower titles first: "Settlement date" is no reference, and "Net amount" not the amount.
  const order = [
    'net',
    'fee',
    'settledOn',
    'settlement',
    'transactionId',
    'occurredAt',
    'direction',
    'kind',
    'currency',
    'reference',
  ] as const;
  const found = new Map<FileField, string | null>(order.map((field) => [field, guess(field)]));
  for (const field of FILE_FIELDS) if (!found.has(field)) found.set(field, guess(field));
  const of = (field: FileField) => found.get(field) ?? null;
  const kinds = guessKinds(words[of('kind') ?? ''] ?? []);
  const directions = guessDirections(words[of('direction') ?? ''] ?? []);
  const dates = [of('settledOn'), of('occurredAt')].flatMap((title) => textsOf(table, title));
  const amounts = [of('amount'), of('fee'), of('net')].flatMap((title) => textsOf(table, title));
  return {
    sheet: null,
    titlesLine: null,
    columns: {
      settlement: of('settlement'),
      settledOn: of('settledOn'),
      reference: of('reference'),
      transactionId: of('transactionId'),
      kind: kinds === null ? null : of('kind'),
      amount: of('amount') ?? titles[0] ?? '',
      direction: directions === null ? null : of('direction'),
      fee: of('fee'),
      net: of('net'),
      currency: of('currency'),
      occurredAt: of('occurredAt'),
      description: of('description'),
    },
    kinds: kinds ?? {},
    directions: directions ?? {},
    signs: 'as_written',
    currency: 'NGN',
    unit: 'main',
    decimalMark: guessDecimalMark(amounts),
    dates: guessDates(dates),
    zone: SETTLEMENT_ZONE,
  };
}

/** A file that was taken in. */
export interface SettlementFileItem {
  readonly fileId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly name: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
  readonly rows: number;
  /** Settlements that became known by it, and their lines. */
  readonly settlements: number;
  readonly lines: number;
  /** Settlements that it replaced, and those that it added pages to. */
  readonly replaced: number;
  readonly extended: number;
  readonly takenByName: string | null;
  readonly takenAt: Date;
  /** Null while it counts. */
  readonly withdrawnAt: Date | null;
}

const FILES_MAX = 200;

/** The files of these merchants, the newest first; at most {@link FILES_MAX}. */
export async function listSettlementFiles(
  context: SettlementContext,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<SettlementFileItem[]> {
  const { database, configuration } = context.resources;
  const rows = await database.prisma.settlementFile.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode },
    orderBy: [{ takenAt: 'desc' }, { id: 'desc' }],
    take: FILES_MAX,
  });
  const names = await readStaffNames(
    database,
    rows.flatMap(({ takenBy }) => staffIdOf(takenBy) ?? []),
  );
  return rows.map(({ id: fileId, merchantId, accountId, name, hash, bytes, rows: rowCount, settlements, lines, ...row }) => {
    const { replaced, extended, takenAt, withdrawnAt } = row;
    const gateway = configuration.account(accountId)?.account.gateway ?? '';
    const facts = { fileId, merchantId, accountId, name, hash, bytes, rows: rowCount, settlements, lines, replaced, extended };
    const takenByName = names.get(staffIdOf(row.takenBy) ?? '') ?? null;
    return { ...facts, ...accountNames(context, { accountId, gateway }), takenByName, takenAt, withdrawnAt };
  });
}
export type { TakeProgress } from '../reading/in-turns.ts';
