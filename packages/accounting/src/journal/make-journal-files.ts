import type { AccountingContext, Books } from '../context.ts';
import { readAccountingSetting } from '../settings.ts';
import { type JournalFile, writeFiles } from './files.ts';
import { nameAccounts } from './name-accounts.ts';
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
  const { configuration, database } = context.resources;
  const { mapping } = await readAccountingSetting(database, books);
  const entries = (await readJournal(database, books, period)).filter((entry) => entry.currency === currency);
  if (entries.length === 0) return { kind: 'empty' };
  const labelOf = (accountId: string) => configuration.account(accountId)?.account.label ?? accountId;
  const named = nameAccounts(entries, mapping, software, labelOf);
  if (named.kind === 'refused') return named;
  const number = configuration.merchant(books.merchantId)?.merchant.merchantNumber ?? books.merchantId;
  const name = `journal-${software}-${number}-${books.mode}-${currency}-${period.from}-${period.to}`;
  return { kind: 'files', files: writeFiles(software, named.entries, mapping, name) };
}
