import type { AccountingContext, Books } from '../context.ts';
import { type JournalFilesOutcome, merchantNumber, writeNamed } from '../journal/make-journal-files.ts';
import { lateNumber } from '../journal/name-accounts.ts';
import type { Software } from '../journal/postings.ts';
import { readAccountingSetting } from '../journal/settings.ts';
import { readLateJournals } from './late-journals.ts';

/** Files of a journal of late arrivals for a merchant's accounting software, of one currency; null where there is no such journal. */
export async function makeLateJournalFiles(
  context: AccountingContext,
  books: Books,
  { journalId, software, currency }: { readonly journalId: string; readonly software: Software; readonly currency: string },
): Promise<JournalFilesOutcome | null> {
  const { database } = context.resources;
  const [journal] = await readLateJournals(database, database, { merchantId: books.merchantId, mode: books.mode, id: journalId });
  if (journal === undefined) return null;
  const entries = journal.entries.filter((entry) => entry.currency === currency);
  if (entries.length === 0) return { kind: 'empty' };
  const { mapping } = await readAccountingSetting(database, books);
  const { number, month } = journal;
  const name = `late-journal-${number}-${month}-${software}-${merchantNumber(context, books)}-${books.mode}-${currency}`;
  return writeNamed(context, entries, mapping, { software, numberOf: lateNumber(number), name });
}
