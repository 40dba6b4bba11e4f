import type { JournalEntry, PostedTo } from './make-journal.ts';
import {
  type AccountMapping,
  BANK_ACCOUNT,
  BOOK_ACCOUNTS,
  type BookAccount,
  type BookAccountName,
  POSTING_NAMES,
  SOFTWARE_NAMES,
  type Software,
} from './mapping.ts';

/** A line with the account of the books that it is posted to. */
export interface NamedLine {
  readonly account: BookAccount;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly text: string;
}

/** An entry whose lines are all named. */
export interface NamedEntry {
  readonly day: string;
  readonly currency: string;
  /** Label of the gateway account. */
  readonly accountLabel: string;
  /** Unique among a merchant's entries, at most 21 characters: the longest that QuickBooks takes. */
  readonly number: string;
  readonly lines: readonly NamedLine[];
}

/** Entries with their accounts, or a sentence that names everything that is missing. */
export type NamedJournal =
  | { readonly kind: 'named'; readonly entries: readonly NamedEntry[] }
  | { readonly kind: 'refused'; readonly why: string; readonly missing: readonly string[] };

/** The part of an account that each software knows it by. */
const KNOWN_BY = { quickbooks: 'name', xero: 'code', sage: 'code' } as const satisfies Record<Software, keyof BookAccount>;

/** The account of a line in a mapping. */
type Mapped = BookAccountName | { readonly clearingOf: string };

/** Names the account of every line. All that is missing is named at once, and nothing is made then. Pure. */
export function nameAccounts(
  entries: readonly JournalEntry[],
  mapping: AccountMapping,
  software: Software,
  { labelOf, numberOf }: { readonly labelOf: (accountId: string) => string; readonly numberOf: (entry: JournalEntry) => string },
): NamedJournal {
  const part = KNOWN_BY[software];
  const mappedTo = (to: PostedTo): Mapped => {
    if (to.posting === 'clearing') return { clearingOf: to.accountId };
    return to.posting === 'bank' ? BANK_ACCOUNT[software] : to.posting;
  };
  const accountOf = (mapped: Mapped): BookAccount | undefined => {
    const account = typeof mapped === 'string' ? mapping.postings[mapped] : mapping.clearing[mapped.clearingOf];
    return account === undefined || account[part] === '' ? undefined : account;
  };
  const posted = entries.flatMap(({ lines }) => lines.map(({ to }) => mappedTo(to)));
  const unknown = posted.filter((mapped) => accountOf(mapped) === undefined);
  const clearing = unknown.flatMap((mapped) => (typeof mapped === 'string' ? [] : [labelOf(mapped.clearingOf)]));
  const missing = [
    ...BOOK_ACCOUNTS.filter((name) => unknown.includes(name)).map((name) => POSTING_NAMES[name]),
    ...[...new Set(clearing)].sort().map((label) => `Clearing of ${label}`),
  ];
  const others: string[] = [];
  if (software === 'xero') {
    if (mapping.taxRate === '') others.push('a tax rate');
    const hasClasses = posted.some((mapped) => (accountOf(mapped)?.trackingClass ?? '') !== '');
    if (hasClasses && mapping.trackingCategory === '') others.push('the tracking category of the classes');
  }
  if (missing.length + others.length > 0) {
    const needs = [...(missing.length === 0 ? [] : [`the account ${part} of ${listOf(missing)}`]), ...others];
    const why = `No file was made. ${SOFTWARE_NAMES[software]} needs ${needs.join(', and ')}: enter that in the account mapping.`;
    const clears = unknown.includes('bank_clearing')
      ? ` ${SOFTWARE_NAMES[software]} takes no journal on a bank account: ${POSTING_NAMES.bank_clearing} stands for it.`
      : '';
    return { kind: 'refused', why: `${why}${clears}`, missing: [...missing, ...others] };
  }
  return {
    kind: 'named',
    entries: entries.map((entry) => ({
      day: entry.day,
      currency: entry.currency,
      accountLabel: labelOf(entry.accountId),
      number: numberOf(entry),
      lines: entry.lines.flatMap(({ to, text, ...line }) => {
        const mapped = mappedTo(to);
        const account = accountOf(mapped);
        // The line says where the bank's part went.
        const words = mapped === 'bank_clearing' ? `${text}, ${POSTING_NAMES.bank_clearing.toLowerCase()}` : text;
        return account === undefined ? [] : [{ ...line, text: words, account }];
      }),
    })),
  };
}

/** Characters of the gateway account's id by which the entries of a day differ. */
const ID_PART = 7;

/** Number of an entry in the journal of a period: of its day, currency and gateway account. */
export function dayNumber({ day, currency, accountId }: JournalEntry): string {
  return `SW${day.replaceAll('-', '')}${currency}-${accountId.slice(-ID_PART)}`;
}

/** Number of an entry in a journal of late arrivals. */
export function lateNumber(journal: number): (entry: JournalEntry) => string {
  return ({ currency, accountId }) => `SL${String(journal).padStart(5, '0')}${currency}-${accountId.slice(-ID_PART)}`;
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
