import type { Database } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { type AccountingContext, readBooks, staffIdOf } from '../context.ts';
import { type JournalSummary, summariseEntries } from '../journal/read-journal.ts';
import { type LateJournal, lateEntries, readLateJournals, stillLate } from '../late-arrivals/late-journals.ts';
import { type MonthFigures, readDocument } from './document.ts';
import { hasEnded, type MonthKey, monthEntries, readBounds } from './month.ts';
import { type Adjustments, readAdjustments } from './read-adjustments.ts';
import { readFigures } from './read-figures.ts';

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
  /** What no journal has posted of them yet, by currency. */
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
