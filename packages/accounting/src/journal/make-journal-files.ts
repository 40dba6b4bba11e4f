import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import type { AccountingContext, Books } from '../context.ts';
import { readAccountingSetting } from '../settings.ts';
import { type JournalFile, writeFiles } from './files.ts';
import type { JournalEntry } from './make-journal.ts';
import type { AccountMapping } from './mapping.ts';
import { dayNumber, nameAccounts } from './name-accounts.ts';
import type { Software } from './postings.ts';
import { type JournalPeriod, readJournal } from './read-journal.ts';

/** Files of a period, or a sentence that says why there are none. */
export type JournalFilesOutcome =
  | { readonly kind: 'files'; readonly files: readonly JournalFile[] }
  /** Nothing happened in the period. */
  | { readonly kind: 'empty' }
  /** Missing accounts are named; nothing was made. */
  | { readonly kind: 'refused'; readonly why: string; readonly missing: readonly string[] };

/** Files for a merchant's accounting software, of one currency: software takes its amounts to be of the books' own. */
export async function makeJournalFiles(
  context: AccountingContext,
  books: Books,
  { software, currency, ...period }: JournalPeriod & { readonly software: Software; readonly currency: string },
): Promise<JournalFilesOutcome> {
  const { mapping, journal } = await inSnapshot(context, async ({ resources: { database } }) => ({
    mapping: (await readAccountingSetting(database, books)).mapping,
    journal: await readJournal(database, books, period),
  }));
  const entries = journal.filter((entry) => entry.currency === currency);
  if (entries.length === 0) return { kind: 'empty' };
  const name = `journal-${software}-${merchantNumber(context, books)}-${books.mode}-${currency}-${period.from}-${period.to}`;
  return writeNamed(context, entries, mapping, { software, numberOf: dayNumber, name });
}

/** Files of these entries under a name, with the accounts of a mapping. */
export function writeNamed(
  { resources: { configuration } }: AccountingContext,
  entries: readonly JournalEntry[],
  mapping: AccountMapping,
  {
    software,
    numberOf,
    name,
  }: { readonly software: Software; readonly numberOf: (entry: JournalEntry) => string; readonly name: string },
): JournalFilesOutcome {
  const labelOf = (accountId: string) => configuration.account(accountId)?.account.label ?? accountId;
  const named = nameAccounts(entries, mapping, software, { labelOf, numberOf });
  if (named.kind === 'refused') return named;
  return { kind: 'files', files: writeFiles(software, named.entries, mapping, name) };
}

/** The merchant's number, by which people know its files. */
export function merchantNumber({ resources }: AccountingContext, { merchantId }: Books): string {
  return resources.configuration.merchant(merchantId)?.merchant.merchantNumber ?? merchantId;
}
