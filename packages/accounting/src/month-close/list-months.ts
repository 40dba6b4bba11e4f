import type { Database } from '@switchyard/db';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { readBooks } from '../books.ts';
import { addMonths } from '../calendar.ts';
import type { AccountingContext, Books } from '../context.ts';
import { type Balance, type MonthDocument, readDocument } from './document.ts';
import { hasEnded, type MonthKey } from './month.ts';
import type { MonthState } from './read-month.ts';

/** The bytes of a closed month as text, exactly as they were hashed; null where it is not closed. */
export async function readFrozen(
  { prisma }: Pick<Database, 'prisma'>,
  { merchantId, mode, month }: MonthKey,
): Promise<{ readonly text: string; readonly hash: string; readonly document: MonthDocument } | null> {
  const row = await prisma.monthClose.findUnique({ where: { merchantId_mode_month: { merchantId, mode, month } } });
  return row === null ? null : { text: row.document, hash: row.hash, document: readDocument(row.document) };
}

/** A month in a list. */
export interface MonthItem extends MonthKey {
  readonly merchantName: string;
  readonly state: MonthState;
  readonly closedAt: Date | null;
  readonly signedAt: Date | null;
  readonly signedName: string | null;
  readonly hash: string | null;
  /** By currency; empty while it is not closed. */
  readonly totals: readonly Balance[];
}

/** Months that are listed of each merchant, beside those that are closed. */
const MONTHS_MAX = 13;
const CLOSED_MAX = 2_000;

/** The months of these merchants, the newest first: those that are closed, and the last thirteen in which there was a payment or that followed one. */
export async function listMonths(
  context: AccountingContext,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Books['mode'] },
): Promise<MonthItem[]> {
  const { configuration, database } = context.resources;
  const rows = await database.prisma.monthClose.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode },
    orderBy: [{ month: 'desc' }],
    take: CLOSED_MAX,
  });
  const items: MonthItem[] = [];
  for (const merchantId of merchantIds) {
    const merchantName = configuration.merchant(merchantId)?.merchant.name;
    if (merchantName === undefined) continue;
    const closed = rows.filter((row) => row.merchantId === merchantId);
    const { timeZone: zone } = await readBooks(database, { merchantId, mode });
    const open = await openMonths(context, { merchantId, mode }, zone);
    const about = { merchantId, mode, merchantName };
    items.push(
      ...closed.map(
        (row): MonthItem => ({
          ...about,
          month: row.month,
          state: row.signedAt === null ? 'closed' : 'signed',
          closedAt: row.closedAt,
          signedAt: row.signedAt,
          signedName: row.signedName,
          hash: row.hash,
          totals: readDocument(row.document).totals,
        }),
      ),
      ...open
        .filter((month) => !closed.some((row) => row.month === month))
        .map((month): MonthItem => {
          const state = hasEnded({ month, zone }, (inZone) => calendarDay(context.now(), inZone)) ? 'ended' : 'open';
          return { ...about, month, state, closedAt: null, signedAt: null, signedName: null, hash: null, totals: [] };
        }),
    );
  }
  return items.toSorted((a, b) =>
    a.month === b.month ? a.merchantName.localeCompare(b.merchantName) : a.month < b.month ? 1 : -1,
  );
}

async function openMonths(context: AccountingContext, { merchantId, mode }: Books, zone: string): Promise<string[]> {
  const first = await context.resources.database.prisma.payment.findFirst({
    where: { merchantId, mode },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { createdAt: true },
  });
  if (first === null) return [];
  const [from, to] = [first.createdAt, context.now()].map((at) => calendarDay(at, zone).slice(0, 7)) as [string, string];
  const months: string[] = [];
  for (let month = to; month >= from && months.length < MONTHS_MAX; month = addMonths(month, -1)) months.push(month);
  return months;
}
