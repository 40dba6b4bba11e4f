import type { Mode, Prisma } from '@switchyard/db/client';
import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import { dayText } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { staffIdOf } from '../context.ts';
import { type JournalEntry, type LedgerDay, makeJournal } from '../journal/make-journal.ts';
import type { EntryKind } from '../ledger/entries.ts';

/** Where journals of late arrivals are read from. */
export interface LateSource {
  readonly prisma: Pick<Prisma.TransactionClient, '$queryRaw' | 'lateJournal'>;
}

/** A journal of what arrived after a month was closed, made once and never changed. */
export interface LateJournal {
  readonly journalId: string;
  /** From 1, in the order in which a merchant's were made. */
  readonly number: number;
  /** The closed month, `YYYY-MM`. */
  readonly month: string;
  /** The day that it is posted on, `YYYY-MM-DD`: of when it was made, as the month is closed. */
  readonly postedOn: string;
  readonly madeAt: Date;
  /** Null for a person who is no longer known. */
  readonly madeByName: string | null;
  /** Its postings, added up by account, currency and kind. */
  readonly facts: readonly LedgerDay[];
  readonly entries: readonly JournalEntry[];
}

const JOURNALS_MAX = 200;

/** The journals of late arrivals of a closed month, the first first. */
export async function readLateJournals(
  { prisma }: LateSource,
  staff: Parameters<typeof readStaffNames>[0],
  where: { readonly merchantId: string } & ({ readonly closeId: string } | { readonly mode: Mode; readonly id: string }),
): Promise<readonly LateJournal[]> {
  const rows = await prisma.lateJournal.findMany({ where, orderBy: { number: 'asc' }, take: JOURNALS_MAX });
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  type Sum = Omit<LedgerDay, 'day' | 'kind'> & { readonly journalId: string; readonly kind: EntryKind };
  const sums = await prisma.$queryRaw<Sum[]>`
    SELECT journal_id AS "journalId", account_id AS "accountId", currency::text AS currency, kind, trim_scale(sum(amount))::text AS amount,
      count(*)::int AS count
    FROM late_journal_item WHERE merchant_id = ${where.merchantId}::uuid AND journal_id = ANY (${ids}::uuid[])
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
  const names = await readStaffNames(
    staff,
    rows.flatMap(({ madeBy }) => staffIdOf(madeBy) ?? []),
  );
  return rows.map(({ id, number, month, postedOn, madeAt, madeBy }): LateJournal => {
    const day = dayText(postedOn);
    const facts = sums.filter(({ journalId }) => journalId === id).map(({ journalId: _, ...sum }) => ({ ...sum, day }));
    return {
      journalId: id,
      number,
      month,
      postedOn: day,
      madeAt,
      madeByName: names.get(staffIdOf(madeBy) ?? '') ?? null,
      facts,
      entries: lateEntries(month, facts),
    };
  });
}

/** The entries of what arrived late for a month, each line saying so. Pure. */
export function lateEntries(month: string, facts: readonly LedgerDay[]): readonly JournalEntry[] {
  return makeJournal(facts, `Late for ${month}: `);
}

/** Changes of a closed month less what journals have posted of them, as if posted on a day. Pure. */
export function stillLate(
  changes: readonly Pick<AdjustmentSum, 'accountId' | 'currency' | 'kind' | 'count' | 'difference'>[],
  journals: readonly Pick<LateJournal, 'facts'>[],
  day: string,
): readonly LedgerDay[] {
  const posted = journals.flatMap(({ facts }) => facts.map((fact) => ({ ...fact, amount: subtractDecimals('0', fact.amount) })));
  const changed = changes.map(({ difference, accountId, currency, kind, count }) => ({
    accountId,
    currency,
    kind,
    count,
    amount: difference,
  }));
  const groups = Map.groupBy([...changed, ...posted], ({ accountId, currency, kind }) => `${accountId} ${currency} ${kind}`);
  return [...groups.values()].flatMap((group): LedgerDay[] => {
    const [first] = group;
    const amount = addDecimals(...group.map((each) => each.amount));
    if (first === undefined || amount === '0') return [];
    const { accountId, currency, kind } = first;
    return [{ day, accountId, currency, kind, amount, count: group.length }];
  });
}

/** Adjustments of one account and kind added up. */
export interface AdjustmentSum {
  readonly accountId: string;
  readonly accountLabel: string;
  readonly currency: string;
  readonly kind: EntryKind;
  readonly count: number;
  readonly difference: string;
}
