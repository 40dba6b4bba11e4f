import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

const NOTES_MAX = 200;
const STAFF = /^staff:(.+)$/;

/** A note on a payment. */
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

/** Which of these merchants has a payment, or null. `paymentId` must be a UUID. */
export async function findMerchantOfPayment(
  { prisma }: Database,
  merchantIds: readonly string[],
  paymentId: string,
): Promise<string | null> {
  const where = { merchantId: { in: [...merchantIds] }, id: paymentId };
  return (await prisma.payment.findFirst({ where, select: { merchantId: true } }))?.merchantId ?? null;
}
