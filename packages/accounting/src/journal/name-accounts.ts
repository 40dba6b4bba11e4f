import type { JournalEntry, PostedTo } from './make-journal.ts';
import type { AccountMapping, BookAccount } from './mapping.ts';
import { POSTING_NAMES, POSTINGS, SOFTWARE_NAMES, type Software } from './postings.ts';

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

/** Names the account of every line. All that is missing is named at once, and nothing is made then. Pure. */
export function nameAccounts(
  entries: readonly JournalEntry[],
  mapping: AccountMapping,
  software: Software,
  labelOf: (accountId: string) => string,
): NamedJournal {
  const part = KNOWN_BY[software];
  const accountOf = (to: PostedTo): BookAccount | undefined => {
    const account = to.posting === 'clearing' ? mapping.clearing[to.accountId] : mapping.postings[to.posting];
    return account === undefined || account[part] === '' ? undefined : account;
  };
  const posted = entries.flatMap(({ lines }) => lines.map(({ to }) => to));
  const unknown = posted.filter((to) => accountOf(to) === undefined);
  const clearing = unknown.flatMap((to) => (to.posting === 'clearing' ? [labelOf(to.accountId)] : []));
  const missing = [
    ...POSTINGS.filter((posting) => unknown.some((to) => to.posting === posting)).map((posting) => POSTING_NAMES[posting]),
    ...[...new Set(clearing)].sort().map((label) => `Clearing of ${label}`),
  ];
  const others: string[] = [];
  if (software === 'xero') {
    if (mapping.taxRate === '') others.push('a tax rate');
    const hasClasses = posted.some((to) => (accountOf(to)?.trackingClass ?? '') !== '');
    if (hasClasses && mapping.trackingCategory === '') others.push('the tracking category of the classes');
  }
  if (missing.length + others.length > 0) {
    const needs = [...(missing.length === 0 ? [] : [`the account ${part} of ${listOf(missing)}`]), ...others];
    const why = `No file was made. ${SOFTWARE_NAMES[software]} needs ${needs.join(', and ')}: enter that in the account mapping.`;
    return { kind: 'refused', why, missing: [...missing, ...others] };
  }
  return {
    kind: 'named',
    entries: entries.map(({ day, currency, accountId, lines }) => ({
      day,
      currency,
      accountLabel: labelOf(accountId),
      number: `SW${day.replaceAll('-', '')}-${accountId.slice(-8)}`,
      lines: lines.flatMap(({ to, ...line }) => {
        const account = accountOf(to);
        return account === undefined ? [] : [{ ...line, account }];
      }),
    })),
  };
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
