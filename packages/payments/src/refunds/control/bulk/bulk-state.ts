import { isUuid } from '@switchyard/db';
import { type Attempt, type Mode, Prisma, type Refund, type RefundApproval } from '@switchyard/db/client';
import { type LockedPayment, lockPayments } from '../../../record/refund-queries.ts';
import { lockControl, type RefundControl, readControl } from '../queries.ts';
import type { BulkRow } from './read-bulk-file.ts';

/** Payments, sums and settings that the refunds of a file are decided from. */
export interface BulkState {
  readonly control: RefundControl;
  /** By id, and by the merchant's order id. */
  readonly payments: ReadonlyMap<string, LockedPayment>;
  /** The attempts that paid the payments, by payment. */
  readonly paid: ReadonlyMap<string, Attempt>;
  readonly refunds: readonly Refund[];
  readonly approvals: readonly RefundApproval[];
}

/** The merchant and mode whose payments a file is about. */
export interface BulkScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

const OF_ONE_PAYMENT_MAX = 100;

/**
 * Reads what the refunds of a file are decided from. With `locks`, payments and control stay as they are until the transaction ends:
 * payments in the order of their ids, so that two files never wait for each other.
 */
export async function readBulkState(
  client: Prisma.TransactionClient,
  { merchantId, mode }: BulkScope,
  rows: readonly BulkRow[],
  locks: boolean,
): Promise<BulkState> {
  const named = [...new Set(rows.map(({ payment }) => payment))];
  const byOrder = await client.payment.findMany({
    where: { merchantId, mode, merchantOrderId: { in: named } },
    select: { id: true },
    take: named.length,
  });
  const ids = [...new Set([...byOrder.map(({ id }) => id), ...named.filter(isUuid).map((id) => id.toLowerCase())])];
  const found = await lockPayments(client, merchantId, ids, locks ? undefined : Prisma.empty);
  const payments = found.filter((payment) => payment.mode === mode);
  const where = { merchantId, paymentId: { in: payments.map(({ paymentId }) => paymentId) } };
  const take = payments.length * OF_ONE_PAYMENT_MAX;
  const paidBy = {
    ...where,
    state: 'PAID',
    duplicate: false,
    receivedAmount: { not: null },
    transactionId: { not: null },
  } as const;
  const attempts = await client.attempt.findMany({ where: paidBy, orderBy: { position: 'desc' }, take });
  const control = await (locks ? lockControl : readControl)(client, merchantId);
  // After the locks: what was requested meanwhile is seen.
  const refunds = await client.refund.findMany({ where, take });
  const approvals = await client.refundApproval.findMany({ where, take });
  return {
    control,
    payments: new Map(
      payments.flatMap((payment) => [[payment.merchantOrderId, payment] as const, [payment.paymentId, payment] as const]),
    ),
    paid: new Map(attempts.map((attempt) => [attempt.paymentId, attempt])),
    refunds,
    approvals,
  };
}
