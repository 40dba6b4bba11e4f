import { isUuid } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { PaymentsContext } from '../context.ts';
import { readPayment } from '../initiate/statements.ts';
import { findMerchantOfPayment, insertPaymentNote, listPaymentNotes, type PaymentNoteRow } from './note-queries.ts';

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
