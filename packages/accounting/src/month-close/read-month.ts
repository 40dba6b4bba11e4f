import type { Database } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { type AccountingContext, readBooks, staffIdOf } from '../context.ts';
import { type JournalSummary, summariseEntries } from '../journal/read-journal.ts';
import {
  type AdjustmentSum,
  type LateJournal,
  lateEntries,
  readLateJournals,
  stillLate,
} from '../late-arrivals/late-journals.ts';
import type { EntryKind } from '../ledger/entries.ts';
import { type MonthFigures, readDocument } from './document.ts';
import { hasEnded, type MonthKey, type MonthSource, monthEntries, readBounds, type ZonedMonth } from './month.ts';
import { readFigures } from './read-figures.ts';

export type { AdjustmentSum } from '../late-arrivals/late-journals.ts';
export {
  type AccountBalance,
  type Balance,
  type ClosedMonth,
  listClosedMonths,
  type OpenItem,
  type OpenItems,
  type Unexplained,
} from './document.ts';

/** How far a month is: still going on, over and not closed, closed, signed off. */
export type MonthState = 'open' | 'ended' | 'closed' | 'signed';

/** Person who did something, and when. */
export interface Signature {
  readonly name: string | null;
  readonly at: Date;
}

/** A month as it stands. */
export interface Month extends MonthKey {
  readonly merchantName: string;
  readonly merchantNumber: string;
  readonly state: MonthState;
  readonly timeZone: string;
  readonly from: Date;
  readonly until: Date;
  /** As it was frozen; of a month that is not closed as it is now. */
  readonly figures: MonthFigures;
  /** Null while it is not closed. */
  readonly close: MonthCloseFacts | null;
  /** True if another person has to review it before it is signed off. */
  readonly needsReview: boolean;
}

/** Steps that a closed month has taken. */
export interface MonthCloseFacts {
  readonly closeId: string;
  readonly hash: string;
  readonly closed: Signature;
  readonly reviewed: (Signature & { readonly staffId: string | null; readonly note: string }) | null;
  readonly signed: Signature | null;
  /** Changes of its amounts since. */
  readonly adjustments: Adjustments;
  /** Journals of them that were made, the first first. */
  readonly lateJournals: readonly LateJournalSummary[];
  /** Amounts of late arrivals that no journal has posted yet, by currency. */
  readonly late: readonly JournalSummary[];
}

/** A journal of late arrivals with its entries added up by currency. */
export interface LateJournalSummary extends Omit<LateJournal, 'facts' | 'entries'> {
  readonly summaries: readonly JournalSummary[];
}

/** Source of months: the database that is written to, or a read-only pool. */
export interface MonthReader {
  readonly configuration: AccountingContext['resources']['configuration'];
  readonly database: Pick<Database, 'prisma'>;
  /** Names of staff users are read from it. */
  readonly staff: Database;
  readonly now: () => Date;
}

/** Reads of one month share a snapshot. */
const TRANSACTION_LIMITS = { timeout: 60_000, maxWait: 10_000, isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead };

/** A month: frozen where it is closed, with what has changed since, else as it is now. Null for a merchant that is not known. */
export async function readMonth({ configuration, database, staff, now }: MonthReader, key: MonthKey): Promise<Month | null> {
  const merchant = configuration.merchant(key.merchantId)?.merchant;
  if (merchant === undefined) return null;
  const { merchantId, mode, month } = key;
  return database.prisma.$transaction(async (prisma): Promise<Month> => {
    const source = { prisma };
    const setting = await readBooks(source, key);
    const row = await prisma.monthClose.findUnique({ where: { merchantId_mode_month: { merchantId, mode, month } } });
    const zone = row?.timeZone ?? setting.timeZone;
    const zoned = { ...key, zone };
    const about = { ...key, merchantName: merchant.name, merchantNumber: merchant.merchantNumber, timeZone: zone };
    const bounds = await readBounds(source, zoned);
    if (row === null) {
      const state = hasEnded(zoned, (inZone) => calendarDay(now(), inZone)) ? 'ended' : 'open';
      const figures = await readFigures({ configuration }, source, zoned, monthEntries(zoned));
      return { ...about, ...bounds, state, figures, close: null, needsReview: setting.needsReview };
    }
    const { accounts, totals, unexplained, items } = readDocument(row.document);
    const ids = [row.closedBy, row.reviewedBy].flatMap((actor) => staffIdOf(actor) ?? []);
    const names = await readStaffNames(staff, ids);
    const nameOf = (actor: string | null) => names.get(staffIdOf(actor) ?? '') ?? null;
    const adjustments = await readAdjustments({ configuration }, source, { ...zoned, closeId: row.id });
    const made = await readLateJournals(source, staff, { merchantId, closeId: row.id });
    return {
      ...about,
      ...bounds,
      state: row.signedAt === null ? 'closed' : 'signed',
      figures: { accounts, totals, unexplained, items },
      close: {
        closeId: row.id,
        hash: row.hash,
        closed: { name: nameOf(row.closedBy), at: row.closedAt },
        reviewed:
          row.reviewedAt === null
            ? null
            : {
                name: nameOf(row.reviewedBy),
                staffId: staffIdOf(row.reviewedBy),
                at: row.reviewedAt,
                note: row.reviewNote ?? '',
              },
        signed: row.signedAt === null ? null : { name: row.signedName, at: row.signedAt },
        adjustments,
        lateJournals: made.map(({ entries, facts: _, ...journal }) => ({ ...journal, summaries: summariseEntries(entries) })),
        late: summariseEntries(lateEntries(month, stillLate(adjustments.sums, made, calendarDay(now(), zone)))),
      },
      needsReview: setting.needsReview,
    };
  }, TRANSACTION_LIMITS);
}

/** An amount of a closed month that is not what it was when the month was closed. Amounts are exact decimals of the main unit. */
export interface Adjustment {
  readonly kind: EntryKind;
  readonly subject: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** As it was frozen; null where it was not known then. */
  readonly frozen: string | null;
  /** As it is now; null where it is of the month no longer. */
  readonly today: string | null;
  /** `today` less `frozen`. */
  readonly difference: string;
  readonly paymentId: string | null;
  readonly merchantOrderId: string | null;
  readonly settlementId: string | null;
}

/** Changes of a closed month. */
export interface Adjustments {
  /** Sums of all adjustments. */
  readonly sums: readonly AdjustmentSum[];
  /** The largest, at most {@link ADJUSTMENTS_MAX}. */
  readonly items: readonly Adjustment[];
}

/** The number of adjustments that are named. */
export const ADJUSTMENTS_MAX = 500;

/** The differences between a closed month as it was frozen and as it would be today, by amount: what the frozen document never shows. */
async function readAdjustments(
  { configuration }: Pick<AccountingContext['resources'], 'configuration'>,
  { prisma }: MonthSource,
  { closeId, ...month }: ZonedMonth & { readonly closeId: string },
): Promise<Adjustments> {
  const changes = Prisma.sql`
    SELECT kind, subject, account_id AS "accountId", currency::text AS currency, coalesce(today.day, frozen.day)::text AS day,
      trim_scale(frozen.amount)::text AS frozen, trim_scale(today.amount)::text AS today,
      trim_scale(coalesce(today.amount, 0) - coalesce(frozen.amount, 0)) AS difference,
      coalesce(today.payment_id, frozen.payment_id) AS "paymentId", coalesce(today.settlement_id, frozen.settlement_id) AS "settlementId"
    FROM (SELECT kind, subject, account_id, currency::text AS currency, amount, day, payment_id, settlement_id FROM month_close_item
      WHERE merchant_id = ${month.merchantId}::uuid AND close_id = ${closeId}::uuid) AS frozen
    FULL JOIN (${monthEntries(month)}) AS today USING (kind, subject, account_id, currency)
    WHERE coalesce(today.amount, 0) <> coalesce(frozen.amount, 0)`;
  type Item = Omit<Adjustment, 'accountLabel' | 'merchantOrderId'>;
  const [row] = await prisma.$queryRaw<{ sums: Omit<AdjustmentSum, 'accountLabel'>[] | null; items: Item[] | null }[]>`
    WITH change AS MATERIALIZED (${changes})
    SELECT (SELECT json_agg(sums) FROM (SELECT "accountId", currency, kind, count(*)::int AS count,
        trim_scale(sum(difference))::text AS difference FROM change GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS sums) AS sums,
      (SELECT json_agg(items) FROM (SELECT kind, subject, "accountId", currency, day, frozen, today, difference::text AS difference, "paymentId",
        "settlementId" FROM change ORDER BY abs(difference) DESC, day, kind, subject LIMIT ${ADJUSTMENTS_MAX}) AS items) AS items`;
  const items = row?.items ?? [];
  const orders = await readOrderIds({ prisma }, month.merchantId, items);
  const labelOf = (accountId: string) => configuration.account(accountId)?.account.label ?? accountId;
  return {
    sums: (row?.sums ?? []).map((sum) => ({ ...sum, accountLabel: labelOf(sum.accountId) })),
    items: items.map((item) => ({
      ...item,
      accountLabel: labelOf(item.accountId),
      merchantOrderId: item.paymentId === null ? null : (orders.get(item.paymentId) ?? null),
    })),
  };
}

async function readOrderIds(
  { prisma }: Pick<MonthSource, 'prisma'>,
  merchantId: string,
  items: readonly { readonly paymentId: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(items.flatMap(({ paymentId }) => paymentId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await prisma.$queryRaw<{ id: string; order: string }[]>`
    SELECT id, merchant_order_id AS order FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ANY (${ids}::uuid[])`;
  return new Map(rows.map(({ id, order }) => [id, order]));
}
