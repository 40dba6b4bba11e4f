import type { DiscrepancyKind, DiscrepancyState } from '@switchyard/db/client';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { dateOf } from '@switchyard/runtime/calendar-days';
import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';

/** Payments on a database of its own that has the tables of the job queue. */
export async function openTestReconciliation(): Promise<TestPayments> {
  const context = await openTestPayments();
  return context;
}

/** A merchant with an account at Paystack and one at Flutterwave. */
export async function createReconciledMerchant(
  context: TestPayments,
): Promise<{ readonly merchantId: string; readonly paystack: string; readonly flutterwave: string }> {
  const { merchantId, accounts }: TestMerchant = await createTestMerchant(context, {
    'paystack-main': {},
    'flutterwave-main': {},
  });
  return { merchantId, paystack: accounts['paystack-main'] ?? '', flutterwave: accounts['flutterwave-main'] ?? '' };
}

/** A discrepancy to store. What is left out: open, of 20 November, NGN 2,500 in the ledger and NGN 2,400 on the statement. */
export interface SeededDiscrepancy {
  readonly merchantId: string;
  readonly accountId: string;
  readonly day?: string;
  readonly kind?: DiscrepancyKind;
  readonly state?: DiscrepancyState;
  /** Null where that side has no entry. Exact decimals of the main unit. */
  readonly ledger?: string | null;
  readonly statement?: string | null;
  readonly currency?: string;
  readonly ownerId?: string | null;
  readonly paymentId?: string | null;
  readonly note?: string | null;
  readonly resolution?: string | null;
  readonly subject?: string;
}

/** Stores a discrepancy as a comparison does. Returns its id. */
export async function seedDiscrepancy(context: TestPayments, planted: SeededDiscrepancy): Promise<string> {
  const discrepancyId = context.newId();
  const { merchantId, accountId, currency = 'NGN', state = 'OPEN' } = planted;
  const { ledger = '2500', statement = '2400' } = planted;
  await context.database.prisma.reconciliationDiscrepancy.create({
    data: {
      merchantId,
      accountId,
      id: discrepancyId,
      mode: 'test',
      gateway: 'paystack',
      day: dateOf(planted.day ?? '2026-11-20'),
      kind: planted.kind ?? 'AMOUNT',
      subject: planted.subject ?? `transaction/${discrepancyId}`,
      state,
      ...(ledger !== null && { ledger: { amount: ledger, currency } }),
      ...(statement !== null && { statement: { amount: statement, currency } }),
      ownerId: planted.ownerId ?? null,
      paymentId: planted.paymentId ?? null,
      note: planted.note ?? null,
      resolution: planted.resolution ?? null,
      ...(state !== 'OPEN' && { resolvedBy: 'system:reconciliation', resolvedAt: context.now() }),
      createdAt: context.now(),
    },
  });
  return discrepancyId;
}
