import { appendAuditEntry, NIL_ID, type PaymentListItem, readPaymentPage, searchPaymentIds, sumPayments } from '@switchyard/db';
import type { PaymentsContext } from './context.ts';
import type { ListPaymentsQuery } from './list-payments.ts';

const BATCH = 1_000;

export interface ExportPaymentsQuery extends Omit<ListPaymentsQuery, 'after' | 'limit'> {
  /** `staff:<id>`. */
  readonly actor: string;
  /** The merchant they are of, for the record; null where they are of several. */
  readonly merchantId: string | null;
}

export interface PaymentExport {
  /** How many there are as it begins. */
  readonly count: number;
  /** All of them, newest first, some at a time: what is not asked for is not read. */
  readonly batches: AsyncGenerator<readonly PaymentListItem[]>;
}

/** Reads the payments of a list to its end, in the memory of one batch. That somebody took them with them is put on record first. */
export async function exportPayments(context: PaymentsContext, query: ExportPaymentsQuery): Promise<PaymentExport> {
  const { database } = context.resources;
  const { actor, merchantId, merchantIds, ...list } = query;
  const search = list.search?.trim() || null;
  const paymentIds = search === null ? null : await searchPaymentIds(database, query, search);
  const filter = { ...list, merchantIds, paymentIds };
  const sums = merchantIds.length === 0 || paymentIds?.length === 0 ? [] : await sumPayments(database, filter);
  const count = sums.reduce((all, sum) => all + sum.count, 0);
  const asked = JSON.parse(JSON.stringify(list, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
  const object = { objectType: 'payment_list', objectId: list.mode, before: null, after: { ...asked, count } };
  const entry = { tenantId: merchantId ?? NIL_ID, entryId: context.newId(), actor, action: 'payments.exported', ...object };
  await database.prisma.$transaction((transaction) => appendAuditEntry(transaction, entry, context.now()));
  return { count, batches: count === 0 ? nothing() : read(context, filter) };
}

async function* nothing(): AsyncGenerator<readonly PaymentListItem[]> {}

async function* read(
  { resources: { database } }: PaymentsContext,
  filter: Parameters<typeof readPaymentPage>[1],
): AsyncGenerator<readonly PaymentListItem[]> {
  let after: Parameters<typeof readPaymentPage>[2] = null;
  for (;;) {
    const batch = await readPaymentPage(database, filter, after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    if (batch.length < BATCH) return;
    after = { createdAt: last.createdAt, paymentId: last.paymentId };
  }
}
