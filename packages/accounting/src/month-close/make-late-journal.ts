import { Prisma } from '@switchyard/db/client';
import { calendarDay, dateOf } from '@switchyard/runtime/calendar-days';
import type { AccountingContext } from '../context.ts';
import { isPosted, type LedgerDay } from '../journal/make-journal.ts';
import { lateEntries } from '../late-arrivals/late-journals.ts';
import { ENTRY_KINDS, type EntryKind } from '../ledger/entries.ts';
import { auditMonth, inSnapshot, isTaken } from './close-month.ts';
import { type MonthKey, monthEntries } from './month.ts';

/** Result of making a journal of late arrivals, or the reason why there is none. */
export type LateJournalOutcome =
  | { readonly kind: 'made'; readonly journalId: string; readonly number: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

const POSTED_KINDS = ENTRY_KINDS.filter(isPosted);
const TRIES_MAX = 5;

/**
 * Makes a journal of what has changed of a closed month, beyond what the month and its earlier journals posted. It is stored, posted on the
 * day it is made, and never changes: asked for again, it has the same entries, and the next one has only what came after.
 */
export async function makeLateJournal(context: AccountingContext, key: MonthKey, actor: string): Promise<LateJournalOutcome> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await inSnapshot(context.resources.database, (transaction) => post(context, transaction, key, actor));
    } catch (error) {
      if (error instanceof NothingLateError) return { kind: 'refused', why: error.message };
      // Another one took the number: what it posted is late no more.
      if (tried === TRIES_MAX || !isTaken(error)) throw error;
    }
  }
}

/** Ends the transaction, with what it stored. */
class NothingLateError extends Error {
  override readonly name = 'NothingLateError';
}

async function post(
  context: AccountingContext,
  transaction: Prisma.TransactionClient,
  key: MonthKey,
  actor: string,
): Promise<LateJournalOutcome> {
  const { merchantId, mode, month } = key;
  const close = await transaction.monthClose.findUnique({
    where: { merchantId_mode_month: { merchantId, mode, month } },
    select: { id: true, timeZone: true },
  });
  if (close === null) return { kind: 'not_found' };
  const closeId = close.id;
  const journalId = context.newId();
  const madeAt = context.now();
  const postedOn = calendarDay(madeAt, close.timeZone);
  const merchant = Prisma.sql`${merchantId}::uuid`;
  const facts = await transaction.$queryRaw<(Omit<LedgerDay, 'day' | 'kind'> & { readonly kind: EntryKind })[]>`
    WITH posted AS (
      SELECT kind, subject, account_id, currency, sum(amount) AS amount, max(day) AS day, max(payment_id::text)::uuid AS payment_id,
        max(settlement_id::text)::uuid AS settlement_id
      FROM (
        SELECT kind, subject, account_id, currency::text AS currency, amount, day, payment_id, settlement_id FROM month_close_item
        WHERE merchant_id = ${merchant} AND close_id = ${closeId}::uuid
        UNION ALL
        SELECT item.kind, item.subject, item.account_id, item.currency::text, item.amount, item.day, item.payment_id, item.settlement_id
        FROM late_journal_item AS item
        JOIN late_journal ON late_journal.merchant_id = item.merchant_id AND late_journal.id = item.journal_id
        WHERE item.merchant_id = ${merchant} AND late_journal.merchant_id = ${merchant} AND late_journal.close_id = ${closeId}::uuid
      ) AS earlier GROUP BY kind, subject, account_id, currency
    ), late AS (
      INSERT INTO late_journal_item (merchant_id, journal_id, kind, subject, account_id, currency, amount, day, payment_id, settlement_id)
      SELECT ${merchant}, ${journalId}::uuid, kind, subject, account_id, currency, coalesce(today.amount, 0) - coalesce(posted.amount, 0),
        coalesce(today.day, posted.day), coalesce(today.payment_id, posted.payment_id), coalesce(today.settlement_id, posted.settlement_id)
      FROM posted FULL JOIN (${monthEntries({ ...key, zone: close.timeZone })}) AS today USING (kind, subject, account_id, currency)
      WHERE kind = ANY (${POSTED_KINDS}::text[]) AND coalesce(today.amount, 0) <> coalesce(posted.amount, 0)
      RETURNING account_id, currency, kind, amount
    )
    SELECT account_id AS "accountId", currency::text AS currency, kind, trim_scale(sum(amount))::text AS amount, count(*)::int AS count
    FROM late GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  const entries = lateEntries(
    month,
    facts.map((fact) => ({ ...fact, day: postedOn })),
  );
  if (entries.length === 0) throw new NothingLateError(`Nothing of ${month} has changed since its amounts were posted.`);
  const { _max: last } = await transaction.lateJournal.aggregate({ where: { merchantId, mode }, _max: { number: true } });
  const number = (last.number ?? 0) + 1;
  await transaction.lateJournal.create({
    data: { merchantId, id: journalId, mode, closeId, month, number, postedOn: dateOf(postedOn), madeBy: actor, madeAt },
  });
  const after = {
    month,
    mode,
    number,
    postedOn,
    amounts: facts.reduce((sum, { count }) => sum + count, 0),
    entries: entries.length,
  };
  await auditMonth(
    { newId: context.newId, auditKeys: context.resources.auditKeys },
    transaction,
    { merchantId, closeId, actor, action: 'month_close.late_journal_made', after },
    madeAt,
  );
  return { kind: 'made', journalId, number };
}
