import { type Database, isUuid } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import type { PaymentsContext } from './context.ts';
import { readPayment } from './statements.ts';

/** A note to add to a payment. */
export interface AddNoteCommand {
  /** Merchants for which the author has the permission. */
  readonly merchantIds: readonly string[];
  readonly paymentId: string;
  /** 1 to 2,000 characters. */
  readonly text: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** `not_found` when none of the caller's merchants has the payment. */
export type AddNoteOutcome = { readonly kind: 'added'; readonly noteId: string } | { readonly kind: 'not_found' };

/** Adds a note to a payment, for all staff who may see it. A note is only changed when the customer's data is erased. */
export async function addPaymentNote(context: PaymentsContext, command: AddNoteCommand): Promise<AddNoteOutcome> {
  const { merchantIds, paymentId, text, actor } = command;
  const payment = isUuid(paymentId) ? await findPaymentAmong(context, merchantIds, paymentId) : null;
  if (payment === null) return { kind: 'not_found' };
  const { merchantId } = payment;
  const noteId = context.newId();
  const now = context.now();
  await context.resources.database.prisma.$transaction(async (transaction) => {
    await insertPaymentNote(transaction, { merchantId, noteId, paymentId, text, author: actor }, now);
    const object = { objectType: 'payment', objectId: paymentId, before: null, after: { noteId } };
    await appendAuditEntry(
      transaction,
      context.resources.auditKeys,
      { tenantId: merchantId, entryId: context.newId(), actor, action: 'payment.noted', ...object },
      now,
    );
  });
  return { kind: 'added', noteId };
}

/** The latest 200 notes on a payment, newest first; none where there is no such payment. */
export function listNotes(
  context: PaymentsContext,
  { merchantIds, paymentId }: Pick<AddNoteCommand, 'merchantIds' | 'paymentId'>,
): Promise<readonly PaymentNoteRow[]> {
  if (!isUuid(paymentId)) return Promise.resolve([]);
  return listPaymentNotes(context.resources.database, merchantIds, paymentId);
}

/** A payment of one of these merchants, or null. `paymentId` must be a UUID. */
export async function findPaymentAmong(context: PaymentsContext, merchantIds: readonly string[], paymentId: string) {
  const { database } = context.resources;
  const merchantId = await findMerchantOfPayment(database, merchantIds, paymentId);
  return merchantId === null ? null : ((await readPayment(database, merchantId, paymentId)) ?? null);
}

const NOTES_MAX = 200;
const STAFF = /^staff:(.+)$/;

export interface PaymentNoteRow {
  readonly noteId: string;
  readonly text: string;
  /** `staff:<id>`. */
  readonly author: string;
  /** Null when the author no longer exists. */
  readonly authorName: string | null;
  readonly createdAt: Date;
}

/** A note to store; `author` is `staff:<id>`. */
export interface NewPaymentNote {
  readonly merchantId: string;
  readonly noteId: string;
  readonly paymentId: string;
  readonly text: string;
  readonly author: string;
}

/** The latest 200 notes on a payment of one of these merchants, newest first. `paymentId` must be a UUID. */
export async function listPaymentNotes(
  { prisma }: Database,
  merchantIds: readonly string[],
  paymentId: string,
): Promise<PaymentNoteRow[]> {
  const rows = await prisma.paymentNote.findMany({
    where: { merchantId: { in: [...merchantIds] }, paymentId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: NOTES_MAX,
  });
  const ids = [...new Set(rows.flatMap(({ author }) => STAFF.exec(author)?.[1] ?? []))];
  const people =
    ids.length === 0 ? [] : await prisma.staffUser.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(people.map(({ id, name }) => [`staff:${id}`, name]));
  return rows.map(({ id, text, author, createdAt }) => ({
    noteId: id,
    text,
    author,
    authorName: names.get(author) ?? null,
    createdAt,
  }));
}

/** Inserts a note in the caller's transaction. The caller has checked that the payment exists. */
export async function insertPaymentNote(transaction: Prisma.TransactionClient, note: NewPaymentNote, now: Date): Promise<void> {
  const { noteId, ...rest } = note;
  await transaction.paymentNote.create({ data: { ...rest, id: noteId, createdAt: now } });
}

/** The one of these merchants that has a payment, or null. `paymentId` must be a UUID. */
export async function findMerchantOfPayment(
  { prisma }: Database,
  merchantIds: readonly string[],
  paymentId: string,
): Promise<string | null> {
  const where = { merchantId: { in: [...merchantIds] }, id: paymentId };
  return (await prisma.payment.findFirst({ where, select: { merchantId: true } }))?.merchantId ?? null;
}
