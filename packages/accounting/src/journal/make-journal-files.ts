import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { stringify } from 'csv-stringify/sync';
import type { AccountingContext, Books } from '../context.ts';
import type { JournalEntry } from './make-journal.ts';
import { type AccountMapping, fromMinorUnits, minorDigits, type Software } from './mapping.ts';
import { dayNumber, type NamedEntry, type NamedLine, nameAccounts } from './name-accounts.ts';
import { type JournalPeriod, readJournal } from './read-journal.ts';
import { readAccountingSetting } from './settings.ts';

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

/** A file to import into accounting software. */
export interface JournalFile {
  readonly name: string;
  /** UTF-8 text. */
  readonly content: string;
  readonly entries: number;
  readonly lines: number;
}

/** The form of one software's import. */
interface FileForm {
  readonly titles: readonly string[];
  /** Lines that one file may have; entries are not split. */
  readonly linesMax: number;
  readonly row: (entry: NamedEntry, line: NamedLine, mapping: AccountMapping) => readonly string[];
}

/**
 * QuickBooks Online, "Import journal entries": a CSV file with Journal No, Journal Date, Account Name, Description, Debits and Credits; the
 * whole name of an account, a sub-account's after its parent's and a colon; classes where class tracking is on. The columns are confirmed, and the
 * form of dates chosen, when the file is uploaded. Account numbers have to be off meanwhile.
 * https://quickbooks.intuit.com/learn-support/en-au/help-article/import-export-files/import-journal-entries-quickbooks-online/L4tQBwbs7_AU_en_AU
 *
 * No limit of lines is stated there: 1,000 keeps a file one that people can read.
 */
const quickbooks: FileForm = {
  titles: ['Journal No', 'Journal Date', 'Account Name', 'Debits', 'Credits', 'Description', 'Class'],
  linesMax: 1_000,
  row: (entry, { account, debit, credit, text }) => [
    entry.number,
    dayFirst(entry.day),
    account.name,
    amountOf(debit, entry),
    amountOf(credit, entry),
    `${entry.accountLabel}: ${text}`,
    account.trackingClass,
  ],
};

/**
 * Xero, "Import multiple draft manual journals": Narration and Date, the same for the lines of one journal; Description; AccountCode;
 * TaxRate, by its full name; Amount, a credit where it is negative; tracking by name and option. 300 lines in one file, dates as dd/mm/yyyy.
 * Mandatory columns have an asterisk in the template. https://help.xero.com/nz/ManualJournalsImport
 */
const xero: FileForm = {
  titles: ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount', 'TrackingName1', 'TrackingOption1'],
  linesMax: 300,
  row: (entry, { account, debit, credit, text }, { taxRate, trackingCategory }) => [
    `${entry.accountLabel} ${entry.day} ${entry.number}`,
    dayFirst(entry.day),
    text,
    account.code,
    taxRate,
    fromMinorUnits(debit - credit, minorDigits(entry.currency)),
    account.trackingClass === '' ? '' : trackingCategory,
    account.trackingClass,
  ],
};

/**
 * Sage 50, import of "Audit trail transactions": Type (JD a journal's debit, JC its credit), Account Reference (of no use to journals), Nominal
 * A/C Ref, Department Code, Date, Reference (30 characters), Details (60), Net Amount, Tax Code, Tax Amount. T9 is the tax code of what is
 * outside of VAT. https://gb-kb.sage.com/portal/app/portlets/results/view2.jsp?k2dockey=200427112357427, columns and their order:
 * https://pimbrook.ie/knowledge-base/sage-50-audit-trail-import/ and https://www.makingithappen.co.uk/CI/std/audittrans.htm, lengths:
 * http://excel2sage.co.uk/HTMLHelp/AuditTrial.html
 */
const sage: FileForm = {
  titles: [
    'Type',
    'Account Reference',
    'Nominal A/C Ref',
    'Department Code',
    'Date',
    'Reference',
    'Details',
    'Net Amount',
    'Tax Code',
    'Tax Amount',
  ],
  linesMax: 5_000,
  row: (entry, { account, debit, credit, text }) => [
    debit > 0n ? 'JD' : 'JC',
    '',
    account.code,
    account.trackingClass,
    dayFirst(entry.day),
    entry.number.slice(0, 30),
    `${entry.accountLabel.slice(0, 28)}: ${text}`.slice(0, 60),
    fromMinorUnits(debit + credit, minorDigits(entry.currency)),
    'T9',
    fromMinorUnits(0n, minorDigits(entry.currency)),
  ],
};

const FORMS: Readonly<Record<Software, FileForm>> = { quickbooks, xero, sage };

/** The files of named entries, each of whole entries and no longer than the software takes. Pure. */
function writeFiles(
  software: Software,
  entries: readonly NamedEntry[],
  mapping: AccountMapping,
  name: string,
): readonly JournalFile[] {
  const { titles, linesMax, row } = FORMS[software];
  const parts: NamedEntry[][] = [];
  let left = 0;
  for (const entry of entries) {
    const last = parts.at(-1);
    if (last === undefined || entry.lines.length > left) {
      parts.push([entry]);
      left = linesMax - entry.lines.length;
    } else {
      last.push(entry);
      left -= entry.lines.length;
    }
  }
  return parts.map((part, at) => {
    const rows = part.flatMap((entry) => entry.lines.map((line) => [...row(entry, line, mapping)]));
    return {
      name: parts.length === 1 ? `${name}.csv` : `${name}-${at + 1}-of-${parts.length}.csv`,
      content: stringify([[...titles], ...rows], { record_delimiter: 'windows' }),
      entries: part.length,
      lines: rows.length,
    };
  });
}

function dayFirst(day: string): string {
  const [year, month, date] = day.split('-');
  return `${date}/${month}/${year}`;
}

function amountOf(units: bigint, { currency }: NamedEntry): string {
  return units === 0n ? '' : fromMinorUnits(units, minorDigits(currency));
}
