import { readTable } from '@switchyard/runtime/tables';
import type { AccountKey } from '../account.ts';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { findHeader } from './header.ts';
import { FILE_FIELDS, type FileField, type SettlementMapping } from './mapping.ts';
import { SETTLEMENT_FILE_LIMITS, type UnreadableCell } from './read-settlement-file.ts';
import { readProfile } from './take-file.ts';

/** The columns of a file, and how they may be read. */
export type SettlementFileInspection =
  | {
      readonly kind: 'columns';
      readonly titles: readonly string[];
      /** The first rows below the titles. */
      readonly samples: readonly (readonly string[])[];
      /** Words of each column with few different ones, in lower case: kinds of lines are among them. */
      readonly words: Readonly<Record<string, readonly string[]>>;
      readonly mapping: SettlementMapping;
      /** True if the account or its gateway has a profile that fits; else the mapping is guessed from the titles. */
      readonly isProfile: boolean;
    }
  | { readonly kind: 'unreadable'; readonly problem: UnreadableCell };

const SAMPLES = 3;
const WORDS_MAX = 12;
const WORD_LENGTH_MAX = 40;

/** Reads the titles of a file's columns. Changes nothing. */
export async function inspectSettlementFile(
  context: SettlementContext,
  { bytes, ...account }: AccountKey & { readonly bytes: Uint8Array },
): Promise<SettlementFileInspection> {
  if (bytes.length > SETTLEMENT_FILE_LIMITS.bytesMax) {
    return { kind: 'unreadable', problem: { line: 1, column: 'The file', message: 'is larger than 5 MiB' } };
  }
  const table = await readTable(bytes, SETTLEMENT_FILE_LIMITS);
  if (table.kind === 'malformed') {
    const { line, column, message } = table.problem;
    return { kind: 'unreadable', problem: { line, column: `Column ${column}`, message } };
  }
  const profile = await readProfile(context, account);
  const wanted = profile === null ? [] : Object.values(profile.columns).filter((title) => title !== null);
  const header = findHeader(table.rows, wanted);
  if (header === null)
    return { kind: 'unreadable', problem: { line: 1, column: 'The file', message: 'has no titles of columns' } };
  const { titles, rows } = header;
  const isProfile = profile !== null && wanted.every((title) => titles.includes(title));
  const words = titles.flatMap((title, at): (readonly [string, readonly string[]])[] => {
    const all = new Set(rows.map(({ cells }) => cells[at]?.trim().toLowerCase() ?? '').filter((word) => word !== ''));
    const isFew = all.size <= WORDS_MAX && [...all].every((word) => word.length <= WORD_LENGTH_MAX);
    return isFew ? [[title, [...all].toSorted()]] : [];
  });
  return {
    kind: 'columns',
    titles,
    samples: rows.slice(0, SAMPLES).map(({ cells }) => titles.map((_, at) => cells[at] ?? '')),
    words: Object.fromEntries(words),
    mapping: isProfile ? profile : guessMapping(titles),
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
  amount: [/^(transaction )?amount/i, /gross|amount paid|amount/i],
  fee: [/fee|charge|commission/i],
  net: [/net|settle(d|ment) amount|amount settled/i],
  currency: [/currency/i],
  occurredAt: [/(transaction|paid|payment|created).*(date|time|on|at)/i, /^(date|time)/i],
  description: [/narration|description|remark|memo/i],
};

function guessMapping(titles: readonly string[]): SettlementMapping {
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
    'kind',
    'currency',
    'reference',
  ] as const;
  const found = new Map<FileField, string | null>(order.map((field) => [field, guess(field)]));
  for (const field of FILE_FIELDS) if (!found.has(field)) found.set(field, guess(field));
  const of = (field: FileField) => found.get(field) ?? null;
  return {
    columns: {
      settlement: of('settlement'),
      settledOn: of('settledOn'),
      reference: of('reference'),
      transactionId: of('transactionId'),
      kind: null,
      amount: of('amount') ?? titles[0] ?? '',
      fee: of('fee'),
      net: of('net'),
      currency: of('currency'),
      occurredAt: of('occurredAt'),
      description: of('description'),
    },
    kinds: {},
    currency: 'NGN',
    unit: 'main',
    decimalMark: '.',
    dates: 'day_first',
    zone: SETTLEMENT_ZONE,
  };
}
