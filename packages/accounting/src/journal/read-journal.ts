import { Prisma } from '@switchyard/db/client';
import { addDays } from '@switchyard/runtime/calendar-days';
import type { Books } from '../context.ts';
import { type EntryKind, ledgerEntries } from '../ledger/entries.ts';
import { type JournalEntry, type LedgerDay, makeJournal, type PostedTo } from './make-journal.ts';
import { fromMinorUnits, minorDigits, POSTINGS } from './mapping.ts';
import { readAccountingSetting } from './settings.ts';

/** Days of a journal, both inclusive, `YYYY-MM-DD`. */
export interface JournalPeriod {
  readonly from: string;
  readonly to: string;
}

/** Sums that a journal of a period would post, by account of the books. Amounts are of the main unit with all digits. */
export interface JournalSummary {
  readonly currency: string;
  readonly entries: number;
  readonly debit: string;
  readonly credit: string;
  readonly accounts: readonly { readonly to: PostedTo; readonly debit: string; readonly credit: string }[];
}

const DAYS_MAX = 50_000;

/** Source of a journal: the database that is written to, or a read-only pool. */
export interface JournalSource {
  readonly prisma: Pick<Prisma.TransactionClient, '$queryRaw' | 'accountingSetting'>;
}

/** The journal of a period added up by currency and account of the books. */
export async function summariseJournal(
  source: JournalSource,
  books: Books,
  period: JournalPeriod,
): Promise<readonly JournalSummary[]> {
  return summariseEntries(await readJournal(source, books, period));
}

/** Entries added up by currency and account of the books. Pure. */
export function summariseEntries(entries: readonly JournalEntry[]): readonly JournalSummary[] {
  const currencies = Map.groupBy(entries, ({ currency }) => currency);
  return [...currencies.keys()].sort().map((currency): JournalSummary => {
    const own = currencies.get(currency) ?? [];
    const digits = minorDigits(currency);
    const lines = own.flatMap((entry) => entry.lines);
    const total = (side: 'debit' | 'credit', of: JournalEntry['lines']) =>
      fromMinorUnits(
        of.reduce((sum, line) => sum + line[side], 0n),
        digits,
      );
    const accounts = Map.groupBy(lines, ({ to }) => JSON.stringify(to));
    return {
      currency,
      entries: own.length,
      debit: total('debit', lines),
      credit: total('credit', lines),
      accounts: [...accounts.values()]
        .flatMap((posted) => {
          const [first] = posted;
          return first === undefined ? [] : [{ to: first.to, debit: total('debit', posted), credit: total('credit', posted) }];
        })
        .toSorted((a, b) => placeOf(a.to) - placeOf(b.to)),
    };
  });
}

/** Postings in their order, then clearing accounts. */
function placeOf(to: PostedTo): number {
  return to.posting === 'clearing' ? POSTINGS.length : POSTINGS.indexOf(to.posting);
}

/**
 * The entries of a period. Those of a closed month are made from the amounts that were frozen, whatever changed since: what came later has a
 * journal of late arrivals.
 */
export async function readJournal(
  source: JournalSource,
  books: Books,
  { from, to }: JournalPeriod,
): Promise<readonly JournalEntry[]> {
  const { timeZone: zone } = await readAccountingSetting(source, books);
  const { merchantId, mode } = books;
  const merchant = Prisma.sql`${merchantId}::uuid`;
  // One statement, as a month may be closed at any moment.
  const entries = Prisma.sql`
    SELECT kind, account_id, currency, amount, day FROM (${ledgerEntries(books, { zone, from, until: addDays(to, 1) })}) AS present
    WHERE NOT EXISTS (SELECT FROM month_close WHERE month_close.merchant_id = ${merchant} AND month_close.mode = ${mode}::mode
      AND month_close.month = to_char(present.day, 'YYYY-MM'))
    UNION ALL
    SELECT item.kind, item.account_id, item.currency::text, item.amount, item.day
    FROM month_close_item AS item JOIN month_close ON month_close.merchant_id = item.merchant_id AND month_close.id = item.close_id
    WHERE item.merchant_id = ${merchant} AND month_close.merchant_id = ${merchant} AND month_close.mode = ${mode}::mode
      AND item.day BETWEEN ${from}::date AND ${to}::date`;
  const rows = await source.prisma.$queryRaw<(Omit<LedgerDay, 'kind'> & { readonly kind: EntryKind })[]>`
    SELECT entry.day::text AS day, entry.account_id AS "accountId", entry.currency, entry.kind, trim_scale(sum(entry.amount))::text AS amount,
      count(*)::int AS count
    FROM (${entries}) AS entry GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 LIMIT ${Prisma.raw(String(DAYS_MAX + 1))}`;
  if (rows.length > DAYS_MAX) throw new Error(`a journal of ${from} to ${to} has more than ${DAYS_MAX} amounts`);
  return makeJournal(rows);
}
