import type { MonthClose, Prisma } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { staffIdOf } from '../actors.ts';
import { readBooks } from '../books.ts';
import type { AccountingContext } from '../context.ts';
import { auditMonth } from './close-month.ts';
import type { MonthKey } from './month.ts';

/** A closed month as a person saw it: the hash names exactly that. */
export interface SeenMonth extends MonthKey {
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
