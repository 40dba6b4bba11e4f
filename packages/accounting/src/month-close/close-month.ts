import { type Database, isWriteConflict, type JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import { Prisma } from '@switchyard/db/client';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { type AccountingContext, readBooks, staffIdOf } from '../context.ts';
import { writeDocument } from './document.ts';
import { hasEnded, type MonthKey, monthEntries, readBounds, type ZonedMonth } from './month.ts';
import { readFigures } from './read-figures.ts';

/** Result of closing a month, or the reason why it was refused. */
export type CloseOutcome =
  | { readonly kind: 'closed'; readonly closeId: string; readonly hash: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Closes a month: in one snapshot its amounts are stored, its figures are added up from them and frozen in a document, which is hashed and never
 * changes. Not before the month has ended by its time zone, and once.
 */
export async function closeMonth(context: AccountingContext, key: MonthKey, actor: string): Promise<CloseOutcome> {
  const { configuration, database } = context.resources;
  const merchant = configuration.merchant(key.merchantId);
  if (merchant === undefined) return { kind: 'not_found' };
  const { timeZone: zone } = await readBooks(database, key);
  const month = { ...key, zone };
  const now = context.now();
  if (!hasEnded(month, (inZone) => calendarDay(now, inZone))) {
    return { kind: 'refused', why: `${key.month} has not ended yet: close it once it is over in ${zone}.` };
  }
  try {
    return await inSnapshot(database, (transaction) => freeze(context, transaction, month, actor));
  } catch (error) {
    if (isTaken(error)) return { kind: 'refused', why: `${key.month} is closed already.` };
    throw error;
  }
}

async function freeze(
  context: AccountingContext,
  transaction: Prisma.TransactionClient,
  month: ZonedMonth,
  actor: string,
): Promise<CloseOutcome> {
  const { configuration, database, auditKeys } = context.resources;
  const { merchantId, mode, zone } = month;
  const key = { merchantId, mode, month: month.month };
  const merchant = configuration.merchant(merchantId)?.merchant;
  const known = await transaction.monthClose.findUnique({ where: { merchantId_mode_month: key }, select: { id: true } });
  if (known !== null) return { kind: 'refused', why: `${month.month} is closed already.` };
  const closeId = context.newId();
  await transaction.$executeRaw`
    INSERT INTO month_close_item (merchant_id, close_id, kind, subject, account_id, currency, amount, day, payment_id, settlement_id)
    SELECT ${merchantId}::uuid, ${closeId}::uuid, kind, subject, account_id, currency, amount, day, payment_id, settlement_id
    FROM (${monthEntries(month)}) AS entry`;
  const stored = Prisma.sql`
    SELECT kind, subject, account_id, currency, amount, day FROM month_close_item
    WHERE merchant_id = ${merchantId}::uuid AND close_id = ${closeId}::uuid`;
  const source = { prisma: transaction };
  const figures = await readFigures({ configuration }, source, month, stored);
  const { from, until } = await readBounds(source, month);
  const closedAt = context.now();
  const staffId = staffIdOf(actor);
  const names = await readStaffNames(database, staffId === null ? [] : [staffId]);
  const { text, hash } = writeDocument({
    version: 1,
    merchantId,
    merchantName: merchant?.name ?? '',
    merchantNumber: merchant?.merchantNumber ?? '',
    mode,
    month: month.month,
    timeZone: zone,
    from: from.toISOString(),
    until: until.toISOString(),
    closedAt: closedAt.toISOString(),
    closedBy: { actor, name: names.get(staffId ?? '') ?? null },
    accounts: [...figures.accounts],
    totals: [...figures.totals],
    unexplained: figures.unexplained,
    items: figures.items,
  });
  await transaction.monthClose.create({
    data: { ...key, id: closeId, timeZone: zone, document: text, hash, closedBy: actor, closedAt },
  });
  const after: JsonValue = { month: month.month, mode, hash, items: figures.items.count };
  await auditMonth(
    { newId: context.newId, auditKeys },
    transaction,
    { merchantId, closeId, actor, action: 'month_close.closed', after },
    closedAt,
  );
  return { kind: 'closed', closeId, hash };
}

/** Writes the audit entry of what was done with a month, in the transaction of it. */
export async function auditMonth(
  { newId, auditKeys }: { readonly newId: () => string; readonly auditKeys: AccountingContext['resources']['auditKeys'] },
  transaction: Prisma.TransactionClient,
  {
    merchantId,
    closeId,
    actor,
    action,
    after,
  }: {
    readonly merchantId: string;
    readonly closeId: string;
    readonly actor: string;
    readonly action: string;
    readonly after: JsonValue;
  },
  now: Date,
): Promise<void> {
  const object = { objectType: 'month_close', objectId: closeId, before: null, after };
  await appendAuditEntry(transaction, auditKeys, { tenantId: merchantId, entryId: newId(), actor, action, ...object }, now);
}

/** A month can hold millions of amounts. */
const LIMITS = { timeout: 300_000, maxWait: 10_000, isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead };
const TRIES_MAX = 5;

/** Runs a transaction whose reads share one snapshot. Where its writes met others of the merchant it runs again: the audit chain has one end. */
export async function inSnapshot<Result>(
  { prisma }: Database,
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await prisma.$transaction(work, LIMITS);
    } catch (error) {
      if (tried === TRIES_MAX || !isWriteConflict(error)) throw error;
    }
  }
}

/** True if a row with the same unique key was stored meanwhile. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002' && !isWriteConflict(error);
}
