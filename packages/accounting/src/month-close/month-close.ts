import type { Database } from '@switchyard/db';
import type { MonthClose, Prisma } from '@switchyard/db/client';
import { addMonths, calendarDay } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { stringify } from 'csv-stringify/sync';
import { type AccountingContext, type Books, readBooks, staffIdOf } from '../context.ts';
import { type JournalFilesOutcome, merchantNumber, writeNamed } from '../journal/make-journal-files.ts';
import type { Software } from '../journal/mapping.ts';
import { lateNumber } from '../journal/name-accounts.ts';
import { readAccountingSetting } from '../journal/settings.ts';
import { readLateJournals } from '../late-arrivals/late-journals.ts';
import { BALANCE_KINDS } from '../ledger/entries.ts';
import { auditMonth } from './close-month.ts';
import { type Balance, type MonthDocument, readDocument } from './document.ts';
import { hasEnded, type MonthKey } from './month.ts';
import type { MonthState } from './read-month.ts';

export { closeMonth } from './close-month.ts';
export { listClosedMonths } from './document.ts';
export { makeLateJournal } from './make-late-journal.ts';
export { readMonth } from './read-month.ts';
export { listReviewWaivers, type ReviewRule, readReviewRule, requireReview } from './review-rule.ts';

const TITLES = ['merchant', 'mode', 'month', 'account', 'gateway', 'currency', 'figure', 'count', 'amount', 'document_sha256'];

/**
 * The figures of a frozen document as a table: a row for each account, currency and figure, then those of all accounts together, whose account is
 * empty. The same document gives the same text. Pure.
 */
export function writeCsv(document: MonthDocument, hash: string): string {
  const { merchantNumber, mode, month } = document;
  const rowsOf = (balance: Balance, account: string, gateway: string) => {
    const figures = BALANCE_KINDS.map((kind) => [kind, String(balance.figures[kind].count), balance.figures[kind].amount]);
    const all = [
      ['opening', '', balance.opening],
      ...figures,
      ['closing', '', balance.closing],
      ['bank', String(balance.bank.count), balance.bank.amount],
    ];
    return all.map((cells) => [merchantNumber, mode, month, account, gateway, balance.currency, ...cells, hash]);
  };
  const rows = [
    ...document.accounts.flatMap((account) => rowsOf(account, account.accountLabel, account.gateway)),
    ...document.totals.flatMap((total) => rowsOf(total, '', '')),
  ];
  // Labels are slugs and amounts are numbers: nothing here is a formula, and a minus has to stay one.
  return stringify([TITLES, ...rows], { record_delimiter: 'windows' });
}

/** The bytes of a closed month as text, exactly as they were hashed; null where it is not closed. */
export async function readFrozen(
  { prisma }: Pick<Database, 'prisma'>,
  { merchantId, mode, month }: MonthKey,
): Promise<{ readonly text: string; readonly hash: string; readonly document: MonthDocument } | null> {
  const row = await prisma.monthClose.findUnique({ where: { merchantId_mode_month: { merchantId, mode, month } } });
  return row === null ? null : { text: row.document, hash: row.hash, document: readDocument(row.document) };
}

/** A month in a list. */
interface MonthItem extends MonthKey {
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

/** A closed month as a person saw it: the hash names exactly that. */
interface SeenMonth extends MonthKey {
  readonly hash: string;
}

/** Result of reviewing a month or signing it off, or the reason why it was refused. */
export type SignOffOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Records that a person has looked at a closed month before it is signed off: once, and by someone else than who then signs. */
export function reviewMonth(context: AccountingContext, seen: SeenMonth, note: string, actor: string): Promise<SignOffOutcome> {
  return change(context, seen, async (transaction, close, now) => {
    if (close.signedAt !== null) return refuse('It is signed off already.');
    if (close.reviewedAt !== null) return refuse('It was reviewed already.');
    const reviewNote = note.trim();
    await transaction.monthClose.update({ where: keyOf(close), data: { reviewedBy: actor, reviewedAt: now, reviewNote } });
    const after = { month: close.month, hash: close.hash, note: reviewNote };
    await auditMonth(
      { ...context, auditKeys: context.resources.auditKeys },
      transaction,
      { merchantId: close.merchantId, closeId: close.id, actor, action: 'month_close.reviewed', after },
      now,
    );
    return { kind: 'changed' };
  });
}

/** Signs a closed month off: with the person's name, the moment and the hash of what they saw. It cannot be undone. */
export async function signMonth(context: AccountingContext, seen: SeenMonth, actor: string): Promise<SignOffOutcome> {
  const { database, auditKeys } = context.resources;
  const staffId = staffIdOf(actor);
  const names = await readStaffNames(database, staffId === null ? [] : [staffId]);
  const signedName = names.get(staffId ?? '') ?? actor;
  return change(context, seen, async (transaction, close, now) => {
    if (close.signedAt !== null) return refuse('It is signed off already.');
    const { needsReview } = await readBooks({ prisma: transaction }, close);
    if (needsReview && close.reviewedAt === null) return refuse('Another person has to review it first.');
    if (close.reviewedBy === actor) return refuse('You reviewed it: another person signs it off.');
    await transaction.monthClose.update({ where: keyOf(close), data: { signedBy: actor, signedName, signedAt: now } });
    const after = { month: close.month, hash: close.hash, name: signedName };
    await auditMonth(
      { ...context, auditKeys },
      transaction,
      { merchantId: close.merchantId, closeId: close.id, actor, action: 'month_close.signed_off', after },
      now,
    );
    return { kind: 'changed' };
  });
}

function refuse(why: string): SignOffOutcome {
  return { kind: 'refused', why };
}

function keyOf({ merchantId, id }: MonthClose) {
  return { merchantId_id: { merchantId, id } };
}

function change(
  context: AccountingContext,
  { merchantId, mode, month, hash }: SeenMonth,
  work: (transaction: Prisma.TransactionClient, close: MonthClose, now: Date) => Promise<SignOffOutcome>,
): Promise<SignOffOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`
      SELECT id FROM month_close WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND month = ${month} FOR UPDATE`;
    const close = await transaction.monthClose.findUnique({ where: { merchantId_mode_month: { merchantId, mode, month } } });
    if (close === null) return { kind: 'not_found' };
    if (close.hash !== hash) return refuse('Another document than the one you saw is closed. Load the page again.');
    return work(transaction, close, context.now());
  });
}

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
